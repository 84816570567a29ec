/** Ways to have a conversation wait for a model that never answers. */
import type { Mutant } from '../mutants/mutant.ts'

const tests = ['harness/attack/hung-summarizer.test.ts']

export const mutants: readonly Mutant[] = [
  {
    name: 'hung-summarizer: every request waits for the same job',
    file: 'packages/throughline/src/conversation/summary-locks.ts',
    find: "if (waitMs !== null && slow.has(other)) return 'waited'",
    replace: '',
    tests,
  },
  {
    name: 'hung-summarizer: ten seconds are a moment',
    file: 'packages/throughline/src/policies/presets-data.ts',
    find: 'waitMs: 2_000',
    replace: 'waitMs: 10_000',
    tests,
  },
  {
    name: 'hung-summarizer: the breaker opens late',
    file: 'packages/throughline/src/domain/model-calls.ts',
    find: 'const ineffectiveAtMost = 2',
    replace: 'const ineffectiveAtMost = 20',
    tests,
  },
]
