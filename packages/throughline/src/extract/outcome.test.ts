import { describe, expect, it } from 'vitest'
import { outcomeOf } from './tool-use.test-support.ts'

function exitOf(text: string): number | null {
  return outcomeOf(text, false).exitCode
}

describe('the exit code', () => {
  it.each([
    ['Exit code 1\nnpm ERR! x', 1],
    ['Exit code: 0\nWall time: 0.1 seconds\nOutput:\nhello', 0],
    ['Error: Exit code 127\n/bin/sh: x: not found', 127],
    ['some output\n\nCommand exited with code 2', 2],
    ['Process exited with code -1', -1],
    ['Command: ls\nStdout: a\nStderr: (empty)\nError: (none)\nExit Code: 0\nSignal: (none)', 0],
    ['x\n[The command completed with exit code 3.]', 3],
    ['Command failed with exit code 1', 1],
    ['main.go:3: x\nexit status 1', 1],
    ['{"output":"a\\nb","metadata":{"exit_code":4,"duration_seconds":0.1}}', 4],
    ['{"stdout":"a","stderr":"","exitCode":0}', 0],
    ['<returncode>1</returncode>\n<output>\nx\n</output>', 1],
    ['Process exited with code 3221225477', 3_221_225_477],
  ])('is read in its usual spellings: %j', (text, code) => {
    expect(exitOf(text)).toBe(code)
  })

  it.each([
    ['function f() {\n  return 0\n}\nprocess.exit(1)'],
    ['a\nb\nc\nd\nThe manual says: exit code 2 means that usage was wrong, see below\ne\nf'],
    ['if (code) exit 1'],
    ['status 200'],
    ['{"id": 1, "code": 5}'],
  ])('is not read from other text: %j', (text) => {
    expect(exitOf(text)).toBeNull()
  })

  it('decides the status, whatever the output contains', () => {
    expect(outcomeOf('Error: ignored\nExit code: 0', false).status).toBe('success')
    expect(outcomeOf('Exit code 1', false)).toMatchObject({ status: 'error', error: null })
  })
})

describe('the status without an exit code', () => {
  it.each([
    ['0 errors'],
    ['no errors found'],
    ['Found 0 errors. Watching for file changes.'],
    ['{"error": null, "items": [1]}'],
    ['error: none'],
    ['Errors: 0, failures: 0'],
    ['built without any errors'],
    ['fix: handle the error of the parser better (#12)'],
    ['src/error-line.ts'],
    ['throw new Error("x")'],
    ['docs say that it failed in 2019'],
    [''],
  ])('is success for: %j', (text) => {
    expect(outcomeOf(text, false).status).toBe('success')
  })

  it.each([
    ['Error: cannot open x'],
    ['a\nTypeError: x is not a function\n    at y'],
    ['Traceback (most recent call last):\n  File "a.py"'],
    ['src/a.ts(3,1): error TS2304: Cannot find name'],
    ['src/a.c:3:1: error: expected'],
    ['error[E0382]: borrow of moved value'],
    ['fatal: not a git repository'],
    ['npm ERR! missing script'],
    ['bash: foo: command not found'],
    ['cat: a.ts: No such file or directory'],
    ['make: *** [all] Error 2'],
    ['panic: runtime error'],
    ['java.lang.IllegalStateException: x'],
    ['2026-01-01 10:00:00 ERROR could not connect'],
    ['{"error": "no such user"}'],
    ['{"success": false}'],
    ['Failed to fetch'],
    ['<tool_use_error>x</tool_use_error>'],
  ])('is an error for: %j', (text) => {
    expect(outcomeOf(text, false)).toMatchObject({ status: 'error' })
  })

  it('has the error line, cut and well formed', () => {
    const { error } = outcomeOf(`ok\nError: ${'😀'.repeat(200)}\nmore`, false)
    expect(error?.length).toBeLessThanOrEqual(200)
    expect(error?.isWellFormed()).toBe(true)
  })

  it('finds the error line of a call that is known to have failed', () => {
    expect(outcomeOf('String to replace not found in file.', true).error).toBe(
      'String to replace not found in file.',
    )
    expect(outcomeOf('The user said no', true).error).toBe('The user said no')
    expect(outcomeOf('Exit code 1\nwarning: a\nthe build failed here', true).error).toBe(
      'the build failed here',
    )
  })

  it('reads the end of a long output', () => {
    expect(outcomeOf(`${'line\n'.repeat(50_000)}Error: late`, false).error).toBe('Error: late')
  })
})
