/** What the published designs count by, as the policies of their names count: on both sides of each figure. */
import { describe, expect, it } from 'vitest'
import { noSize } from '../../domain/context.ts'
import { completeCard } from '../../domain/model-card.ts'
import type { MessageClass, PolicyName } from '../../domain/policy.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { sha256 } from '../../system.ts'
import { type Builder, build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { rankMessages } from '../classify/classify.ts'
import { historyLimits } from '../history/history-limits.ts'
import { createMeter } from '../measure/measure.ts'
import { planBudget } from '../measure/plan-budget.ts'
import { type DecideInput, decide } from './decide.ts'

const nothing = { system: noSize, tools: noSize, pins: noSize }
const tokenizer = { id: 'characters/1', exact: true, count: (text: string) => text.length }

function planOf(name: PolicyName, contextWindowTokens: number) {
  const card = completeCard({ id: 'house-model', contextWindowTokens })
  return planBudget(createMeter({ card, tokenizer }), readPolicy(name), nothing, null)
}

const limitsOf = (name: PolicyName, windowTokens: number) =>
  historyLimits({ policy: readPolicy(name) }, { plan: planOf(name, windowTokens) })

describe('ratio-chain', () => {
  const plan = planOf('ratio-chain', 100_000)
  /** Forty messages after a compaction, with four fifths of the window. */
  const decided = (tokens: number, given: Partial<DecideInput> = {}) =>
    decide({
      ...{
        policy: readPolicy('ratio-chain'),
        mode: 'on',
        writer: null,
        suspended: false,
        requestedCompaction: null,
        plan,
      },
      ...{ head: 100, coveredTo: 0, state: { armed: true, compactedAt: 60 } },
      ...{ view: { line: 54, beganTokens: 10_000 }, size: { tokens, wire: tokens }, turnsSince: 4 },
      ...given,
    })

  it('S1-016: compacts at 0.8 of the window', () => {
    expect(decided(79_999)).toMatchObject({ kind: 'continue', reason: 'below' })
    expect(decided(80_000)).toMatchObject({ kind: 'compact', reason: 'tokenRatio' })
  })

  it('S1-017: is armed again below 0.7 of it, or after four messages', () => {
    const afterCompaction = (messages: number) => ({
      state: { armed: false, compactedAt: 100 - messages },
    })
    expect(decided(69_999, afterCompaction(3)).armed).toBe(true)
    expect(decided(70_000, afterCompaction(3)).armed).toBe(false)
    expect(decided(70_000, afterCompaction(4)).armed).toBe(true)
  })

  it('S1-018: needs twelve messages', () => {
    const shown = (messages: number) => ({ view: { line: 100 - messages, beganTokens: 10_000 } })
    expect(decided(80_000, shown(11)).reason).toBe('minimum')
    expect(decided(80_000, shown(12)).kind).toBe('compact')
  })

  it('waits for four messages after a compaction', () => {
    const afterCompaction = (messages: number) => ({
      state: { armed: true, compactedAt: 100 - messages },
    })
    expect(decided(80_000, afterCompaction(3)).reason).toBe('cooldown')
    expect(decided(80_000, afterCompaction(4)).kind).toBe('compact')
  })

  it('has a summary of a tenth of what is free, and of 2,000 tokens at most', () => {
    expect(limitsOf('ratio-chain', 200_000).summaryTokens).toBe(2_000)
    const { freeTokens } = planOf('ratio-chain', 10_000)
    expect(limitsOf('ratio-chain', 10_000).summaryTokens).toBe(Math.floor(freeTokens / 10))
  })
})

describe('rule-digest', () => {
  const classified = (conversation: Builder) =>
    rankMessages(sealMessages([...conversation], sha256), readPolicy('rule-digest').trim, 1)
      .classified

  it('P2-002: knows what each message is worth', () => {
    let conversation = build()
      .says('told')
      .system('You are Ada.')
      .user('# AGENTS.md instructions\nTabs.')
    conversation = conversation.user('Old question').says('Old answer')
    conversation = conversation.calls('bash').result('stale')
    for (let turn = 0; turn < 6; turn += 1)
      conversation = conversation
        .user(`Question ${turn}`)
        .calls('bash')
        .result('x')
        .says('So it is.')
    conversation = conversation.calls('edit_file', { path: 'a.ts' }).result('done')
    conversation = conversation
      .calls('read_file', { path: 'b.ts' })
      .result('text')
      .user('Now do it.')
    const worth = Object.fromEntries(
      classified(conversation).map((found): readonly [MessageClass, number] => [
        found.class,
        found.priority,
      ]),
    )
    expect(worth).toEqual({
      ...{ system: 100, instructions: 90, task: 80, 'modified-file': 70, 'recent-turn': 60 },
      ...{
        'recent-file': 50,
        'old-user-text': 40,
        'old-reply': 40,
        'stale-output': 30,
        summarized: 20,
      },
    })
  })

  it('P0-010 P2-004: takes five turns for recent', () => {
    let conversation = build().says('told')
    for (let turn = 0; turn < 9; turn += 1) conversation = conversation.user(`${turn}`).says('Yes.')
    const old = classified(conversation).filter((found) => found.class === 'old-user-text')
    expect(old).toHaveLength(3)
  })

  it('S2-014 S2-056: has a digest of a tenth of what is free, and of 500 tokens at most', () => {
    expect(limitsOf('rule-digest', 200_000).summaryTokens).toBe(500)
    const { freeTokens } = planOf('rule-digest', 4_000)
    expect(limitsOf('rule-digest', 4_000).summaryTokens).toBe(Math.floor(freeTokens / 10))
  })
})

describe('summaries in plain text', () => {
  it('have 500 tokens at most', () => {
    expect(limitsOf('rolling-rows', 200_000).summaryTokens).toBe(500)
  })

  it('have two fifths of a target of 1,000 tokens, which 200 words never need', () => {
    expect(limitsOf('running-rag', 200_000).summaryTokens).toBe(400)
  })
})
