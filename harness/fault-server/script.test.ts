import { describe, expect, it } from 'vitest'
import { faultFor, modelFaults } from './faults.ts'
import type { ModelQuestion } from './responder.ts'
import type { FaultPlan } from './settings.ts'

const question: ModelQuestion = {
  number: 0,
  api: 'openai-chat',
  model: 'any-model',
  stream: false,
  system: '',
  messages: [],
  schema: null,
  toolNames: [],
  maxOutputTokens: null,
}

function drawn(plan: FaultPlan, count = 1000) {
  return Array.from({ length: count }, (_, number) => faultFor(plan, question, number))
}

describe('chance', () => {
  it('is the same for the same seed, and different for another seed', () => {
    const faults = drawn({ seed: 'a', chance: 0.5 })
    expect(drawn({ seed: 'a', chance: 0.5 })).toEqual(faults)
    expect(drawn({ seed: 'b', chance: 0.5 })).not.toEqual(faults)
  })

  it('matches the given chance', () => {
    const failed = drawn({ seed: 'a', chance: 0.3 }).filter((fault) => fault !== null).length
    expect(failed).toBeGreaterThan(250)
    expect(failed).toBeLessThan(350)
    expect(new Set(drawn({ seed: 'a', chance: 0 }))).toEqual(new Set([null]))
    expect(drawn({ seed: 'a', chance: 1 })).not.toContain(null)
  })

  it('reaches every fault, or the named ones', () => {
    expect(new Set(drawn({ seed: 'a', chance: 1 }))).toEqual(new Set(modelFaults))
    const among = ['empty', 'echo'] as const
    expect(new Set(drawn({ seed: 'a', chance: 1, among }))).toEqual(new Set(among))
  })
})
