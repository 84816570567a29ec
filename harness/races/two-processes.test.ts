import { expect, it } from 'vitest'
import { findingLine } from '../kernel/finding.ts'
import { runTwoProcesses } from './two-processes.ts'

it('lets one of two processes win each range, and loses nothing', async () => {
  const { findings, summaries, messages } = await runTwoProcesses(10)
  expect(findings.map(findingLine)).toEqual([])
  expect(summaries).toBeGreaterThan(1)
  expect(messages).toBeGreaterThanOrEqual(40)
})
