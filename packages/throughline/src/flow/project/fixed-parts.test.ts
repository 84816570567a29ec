import { describe, expect, it } from 'vitest'
import { noSize } from '../../domain/context.ts'
import { completeCard } from '../../domain/model-card.ts'
import { turnRules } from '../../domain/turn-rules-data.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { memoryContent } from '../../turns/memory-blocks.ts'
import { buildMemory } from '../../turns/turn-context.ts'
import { recordsOf } from '../../turns/turn-records.test-support.ts'
import { measureSupplied } from '../assemble/fixed-texts.ts'
import { createMeter } from '../measure/measure.ts'
import { planBudget } from '../measure/plan-budget.ts'
import { degradations, degrade } from './fixed-parts.ts'
import type { ContextInputs, FixedParts } from './records.ts'

const count = (text: string) => Math.ceil(text.length / 4)
const tokenizer = { id: 'fours/1', exact: true, count }
const card = completeCard({ id: 'house-model', contextWindowTokens: 10_000 })
const meter = createMeter({ card, tokenizer })
const policy = { ...readPolicy('turn-memory'), derivedRole: 'system-message' } as const
const sizes = { system: noSize, tools: noSize, pins: noSize }
const plan = planBudget(meter, policy, sizes, null)
const words = (tokens: number) => 'abc '.repeat(tokens)

function supplied(user: string, coveredTo = 4) {
  const memory = buildMemory(
    recordsOf(2, {}, () => ({ user })),
    [],
    turnRules,
  )
  return measureSupplied(
    {
      request: { profile: 'Ada', retrieved: [{ id: 'a', title: null, text: 'Found.' }] },
      extension: { coveredTo, ...memoryContent(memory, 'full', turnRules) },
      ...{ coveredTo, policy, meter },
    },
    plan,
    sizes,
  )
}

const input = { policy } as ContextInputs
const held = {
  supplied: await supplied('Hello'),
  offered: { recall: 'recall', expand: null },
} as FixedParts

describe('what is supplied beside the messages', () => {
  it('A-015: has what is remembered in at most half of what is free', async () => {
    const { extension, size, profile, retrieved } = await supplied(words(9_000))
    expect(extension.size.tokens).toBeLessThanOrEqual(plan.freeTokens / 2)
    expect(extension.size.wire).toBeLessThanOrEqual(plan.limitTokens / 2)
    expect(extension.size.tokens).toBeGreaterThan(plan.freeTokens / 4)
    const others = meter.messages([...profile.messages, ...retrieved.messages])
    expect(size.tokens).toBe(others + extension.size.tokens)
  })

  it('describes messages only if it is described itself', async () => {
    expect((await supplied('Hello')).extension.coveredTo).toBe(4)
    const none = await measureSupplied(
      { request: { profile: '', retrieved: [] }, extension: null, coveredTo: 4, policy, meter },
      plan,
      sizes,
    )
    expect(none.extension.coveredTo).toBe(0)
  })

  it('goes in this order where nothing fits: texts, role, memory', () => {
    const left = (degraded: Parameters<typeof degrade>[2]) => {
      const { input: variant, fixed: less } = degrade(input, held, degraded)
      const { profile, retrieved, extension, size } = less.supplied
      const messages = [...profile.messages, ...retrieved.messages, ...extension.messages]
      expect(size.tokens).toBe(meter.messages(messages))
      return [
        messages.map(({ slot }) => slot).join(),
        variant.policy.derivedRole,
        less.offered === null,
        extension.coveredTo,
        extension.omitted.length,
      ]
    }
    expect(degradations(held)).toEqual([null, 'texts', 'texts and role', 'texts, role and memory'])
    const { supplied: texts } = degrade(input, held, 'texts, role and memory').fixed
    expect(degradations({ supplied: texts })).toEqual([null, 'texts', 'texts and role'])
    expect(left(null)).toEqual(['profile,retrieved,turns', 'system-message', false, 4, 0])
    expect(left('texts')).toEqual(['turns', 'system-message', true, 4, 0])
    expect(left('texts and role')).toEqual(['turns', 'user-message', true, 4, 0])
    expect(left('texts, role and memory')).toEqual(['', 'user-message', true, 0, 1])
  })
})
