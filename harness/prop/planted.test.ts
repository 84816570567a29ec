import { fit } from 'throughline'
import { describe, expect, it } from 'vitest'
import {
  alwaysOverflows,
  cutInsideBatch,
  cutsCharacters,
  cutsThinking,
  dropsOmission,
  emptiesToBeSafe,
  forgetsTools,
  newestSlice,
} from './planted.ts'
import { type Case, randomCase } from './random-case.ts'
import { type Fit, runCase } from './run-case.ts'
import type { Rule } from './violation.ts'

/** Seed after seed, until a rule is broken in a window where the shipped `fit` keeps it. */
async function findsIn(seeds: number, planted: Fit, rule: Rule, first = 1): Promise<boolean> {
  for (let seed = first; seed < first + seeds; seed += 1) {
    const made = await randomCase(seed)
    const broken = await windowsBroken(made, planted, rule)
    if (broken.length === 0) continue
    const shipped = await windowsBroken({ ...made, windows: broken }, fit, rule)
    if (broken.some((window) => !shipped.includes(window))) return true
  }
  return false
}

async function windowsBroken(made: Case, fit: Fit, rule: Rule): Promise<readonly number[]> {
  const { findings } = await runCase(made, fit)
  const broken = findings.filter((finding) => finding.rule === rule)
  return [...new Set(broken.map(({ windowTokens }) => windowTokens))]
}

const seeds = 60

describe('the harness finds', () => {
  it('a slice of the newest messages', async () => {
    expect(await findsIn(seeds, newestSlice, 'listed')).toBe(true)
  })

  it('a cut inside a batch of calls', async () => {
    expect(await findsIn(seeds, cutInsideBatch, 'pairs')).toBe(true)
  })

  it('a budget that forgets the tools', async () => {
    expect(await findsIn(seeds, forgetsTools, 'budget')).toBe(true)
  })

  it('a refusal where there was room', async () => {
    expect(await findsIn(seeds, alwaysOverflows, 'overflow')).toBe(true)
  })

  it('a cut inside a character', async () => {
    expect(await findsIn(seeds, cutsCharacters, 'unicode')).toBe(true)
  })

  it('thinking that was shortened under its signature', async () => {
    expect(await findsIn(seeds, cutsThinking, 'sealed')).toBe(true)
  })

  it('a context emptied to be safe', async () => {
    // Most histories are so short that nothing was left out: this one is not.
    expect(await findsIn(seeds, emptiesToBeSafe, 'fill', 38)).toBe(true)
  })

  it('an omission that is not listed', async () => {
    expect(await findsIn(seeds, dropsOmission, 'listed')).toBe(true)
  })
})
