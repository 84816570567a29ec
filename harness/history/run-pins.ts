/**
 * Pins under attack: conversations of hostile messages, pinned and unpinned at random, compacted
 * again and again, with a model that lies or with none. Behind each context its pins are looked at.
 */
import type { Finding } from '../kernel/finding.ts'
import { type ChainOptions, playChain } from './pin-chain.ts'
import { attackedPolicy } from './pin-policies.ts'

export interface PinRuns extends Partial<ChainOptions> {
  readonly seed: number
  /** Chains from this number up to, not including, that one. */
  readonly from: number
  readonly to: number
}

const thorough: ChainOptions = { compactions: 20, planted: {}, until: null }

const figureNames = [
  'chains',
  'contexts',
  'compactions',
  'pins looked at',
  'of them blocks',
  'pins of what was shown whole',
  'contexts with lies',
  'requests to the liar',
] as const

export type PinFigures = Record<(typeof figureNames)[number], number>

export interface PinReport {
  readonly findings: readonly Finding[]
  readonly figures: PinFigures
}

export async function runPins({ seed, from, to, ...asked }: PinRuns): Promise<PinReport> {
  const options: ChainOptions = { ...thorough, ...asked }
  const findings: Finding[] = []
  const figures = Object.fromEntries(figureNames.map((name) => [name, 0])) as PinFigures
  for (let number = from; number < to; number += 1) {
    const policy = attackedPolicy(number)
    const found = await playChain(`pins ${seed} ${number}`, policy, options, figures)
    findings.push(
      ...found.map(({ rule, detail }) => ({ rule, detail: `chain ${number}: ${detail}` })),
    )
    figures.chains += 1
    if (found.some(({ rule }) => rule === options.until)) break
  }
  return { findings, figures }
}
