import { expect, it } from 'vitest'
import type { Decision } from '../../domain/decision.ts'
import type { ContextInputs } from '../project/records.ts'
import { readyLine } from './make-view.ts'

const compact = { kind: 'compact', reason: 'turns' } as Decision

/** A summary tells the messages before a place; the view has a line, and a memory tells some too. */
const lineWith = (summarizedTo: number, line: number, coveredTo: number) =>
  readyLine(
    {
      policy: { run: { mode: 'background', waitMs: 0 } },
      ...{ writer: {}, view: { line }, log: { head: 20 }, coveredTo },
      derived: { summaryBefore: async () => ({ covers: { from: 0, to: summarizedTo } }) },
    } as unknown as ContextInputs,
    compact,
  )

it('is where a summary ends that tells more than the view and the memory do', async () => {
  expect(await lineWith(10, 4, 0)).toBe(10)
  expect(await lineWith(10, 10, 0)).toBe(0)
  expect(await lineWith(10, 4, 9)).toBe(10)
  expect(await lineWith(10, 4, 10)).toBe(0)
})
