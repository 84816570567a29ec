import { describe, expect, it } from 'vitest'
import { testCountsIn } from './test-counts.ts'

describe('testCountsIn', () => {
  it.each([
    [
      'vitest',
      ' Test Files  1 failed | 2 passed (3)\n      Tests  2 failed | 10 passed | 1 skipped (13)',
      10,
      2,
    ],
    ['vitest', ' Test Files  2 passed (2)\n      Tests  7 passed (7)', 7, 0],
    [
      'jest',
      'Test Suites: 1 failed, 2 passed, 3 total\nTests:       2 failed, 10 passed, 12 total',
      10,
      2,
    ],
    ['pytest', '===== 2 failed, 10 passed, 1 error in 0.12s =====', 10, 3],
    ['pytest', '10 passed in 0.10s', 10, 0],
    [
      'go',
      '--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/x (0.00s)\n--- PASS: TestB (0.00s)\nFAIL\nFAIL\tx/y\t0.1s',
      1,
      1,
    ],
    ['go', 'ok  \tx/a\t0.01s\nok  \tx/b\t(cached)\n?   \tx/c\t[no test files]', 2, 0],
    ['go', '--- FAIL: TestA (0.00s)\nFAIL\tx/a\t0.01s\nok  \tx/b\t0.1s', 1, 1],
    [
      'cargo',
      'test result: FAILED. 3 passed; 1 failed; 0 ignored\n\ntest result: ok. 4 passed; 0 failed; 0 ignored',
      7,
      1,
    ],
    ['mocha', '  12 passing (30ms)\n  1 pending\n  2 failing\n', 12, 2],
    ['unittest', 'Ran 20 tests in 0.1s\n\nFAILED (failures=1, errors=2, skipped=3)', 14, 3],
    ['unittest', 'Ran 5 tests in 0.1s\n\nOK', 5, 0],
    ['tap', 'TAP version 13\nok 1 - a\nnot ok 2 - b\n1..2', 1, 1],
    ['tap', 'TAP version 13\nok 1 - a\n# tests 10\n# pass 9\n# fail 1', 9, 1],
    ['node', 'ℹ tests 3\nℹ pass 3\nℹ fail 0', 3, 0],
    ['bun', ' 12 pass\n 2 fail\nRan 14 tests', 12, 2],
    ['rspec', '12 examples, 2 failures', 10, 2],
    ['maven', '[INFO] Tests run: 5, Failures: 1, Errors: 1, Skipped: 1', 2, 2],
    ['dotnet', 'Failed!  - Failed:     1, Passed:     9, Skipped:     0', 9, 1],
  ])('reads the sums of %s', (_, text, passed, failed) => {
    expect(testCountsIn(text)).toEqual({ passed, failed })
  })

  it.each([
    ['3 passed the exam and 2 failed it'],
    ['all checks passed'],
    ['ok'],
    ['the 2 failed attempts'],
    [''],
  ])('is not misled by: %s', (text) => {
    expect(testCountsIn(text)).toBeNull()
  })
})
