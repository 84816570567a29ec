import { expect, it } from 'vitest'
import type { Decision } from '../../domain/decision.ts'
import type { ContextInputs } from '../project/records.ts'
import { readySummaryEnd } from './make-view.ts'

const compact = { kind: 'compact', reason: 'turns' } as Decision

/** `summarizedTo`: end of the newest summary; `line`: of the view; `coveredTo`: end of the memory. */
const lineWith = (summarizedTo: number, line: number, coveredTo: number) =>
  readySummaryEnd(
    {
      policy: { run: { mode: 'background', waitMs: 0 } },
      ...{ writer: {}, view: { line }, log: { head: 20 }, coveredTo },
      derived: { summaryBefore: async () => ({ covers: { from: 0, to: summarizedTo } }) },
    } as unknown as ContextInputs,
    compact,
  )

it('is the end of a summary that covers more than the view and the memory do', async () => {
  expect(await lineWith(10, 4, 0)).toBe(10)
  expect(await lineWith(10, 10, 0)).toBe(0)
  expect(await lineWith(10, 4, 9)).toBe(10)
  expect(await lineWith(10, 4, 10)).toBe(0)
})
