import { beforeAll, describe, expect, it } from 'vitest'
import { checkObserved } from './check-observed.ts'
import { observeRun } from './observe-run.ts'
import type { Observed } from './observed.ts'
import { type PlannedRun, plannedRun } from './planned-run.ts'
import { planted } from './planted.ts'

/** A model that always lies: all that it says is refused, and the breaker opens. */
const run: PlannedRun = { ...plannedRun('lies', 1, 1), models: 1, chance: 1, policy: 'balanced' }

describe('the harness finds', () => {
  let observed: Observed
  beforeAll(async () => {
    observed = await observeRun(run)
  })

  it('nothing in a sound run', () => {
    expect(checkObserved(observed)).toEqual([])
  })

  it.each(planted)('$bug', ({ check, says, plant }) => {
    const found = checkObserved(plant(observed)).filter((finding) => finding.check === check)
    expect(found.map(({ detail }) => detail).join('\n')).toContain(says)
  })
})
