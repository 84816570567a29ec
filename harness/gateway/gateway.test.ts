import { expect, it } from 'vitest'
import { runBytes } from './bytes.ts'
import { runCuts } from './cuts.ts'
import { runGatewayKills } from './kills.ts'

it('sends random requests in the same bytes', async () => {
  const { findings } = await runBytes({ requests: 200, seed: 1 })
  expect(findings).toEqual([])
})

it('loses no question when an answer is cut, and marks no half as complete', async () => {
  const { findings, figures } = await runCuts({ cuts: 60, seed: 1 })
  expect(findings).toEqual([])
  expect([figures.complete > 0, figures.incomplete > 5]).toEqual([true, true])
})

it('loses nothing acknowledged when it is killed', async () => {
  const { findings, figures } = await runGatewayKills({ kills: 3, seed: 1 })
  expect(findings).toEqual([])
  expect(figures.acknowledged).toBeGreaterThan(10)
})
