import { describe, expect, it } from 'vitest'
import { turnRules } from '../domain/turn-rules-data.ts'
import { pendingDecision } from './build-record.ts'
import { noEntity, noThought, turnOf } from './turns.test-support.ts'

const proposal = {
  ...noThought,
  decision: 'propose',
  goal: 'Plan the week',
  steps: ['Choose recipes', 'Write a list'],
  proposalMessage: 'I would cook:\n\n- **Pad Thai** on Monday\n- nothing on Tuesday',
  assumptions: ['Two people', 'No nuts'],
} as const
const before = pendingDecision(turnOf({ think: proposal }), 3, null, turnRules)
const after = (changed: Parameters<typeof turnOf>[0], rules = turnRules) =>
  pendingDecision(turnOf(changed), 4, before, rules)

describe('the pending decision', () => {
  it('S0-056 A-011 X0-8: is a proposal word for word, with goal, assumptions and plan', () => {
    expect(before).toEqual({
      kind: 'propose',
      turn: 3,
      goal: 'Plan the week',
      proposal: proposal.proposalMessage,
      assumptions: ['Two people', 'No nuts'],
      questions: [],
      partialPlan: ['Choose recipes', 'Write a list'],
      entityIds: [],
    })
  })

  it('S0-057: has questions and no proposal', () => {
    const think = {
      ...proposal,
      decision: 'clarify',
      clarificationQuestions: ['For how many?', 'Nuts?'],
    } as const
    expect(after({ think })).toMatchObject({
      kind: 'clarify',
      turn: 4,
      proposal: null,
      questions: ['For how many?', 'Nuts?'],
    })
  })

  it('S0-055: is null after plan_direct', () => {
    expect(after({ think: noThought })).toBeNull()
  })

  it('S0-058: stays after a turn without `think`', () => {
    expect(after({ think: null })).toBe(before)
    expect(pendingDecision(turnOf({ think: null }), 1, null, turnRules)).toBeNull()
  })

  it('X0-8: is the answer if `think` has no proposal', () => {
    for (const proposalMessage of [null, ' '])
      expect(
        after({ think: { ...proposal, proposalMessage }, finalResponse: 'Soup?' })?.proposal,
      ).toBe('Soup?')
    const think = { ...proposal, decision: 'clarify' } as const
    expect(after({ think, finalResponse: 'For how many?' })?.questions).toEqual(['For how many?'])
    expect(after({ think: { ...proposal, goal: '' } })?.goal).toBe('Save the recipes')
  })

  it('X0-8: has a limited size', () => {
    const text = 'a'.repeat(2_001)
    const think = {
      ...proposal,
      goal: text,
      proposalMessage: text,
      assumptions: ['b'.repeat(1_500), 'c'.repeat(600), 'd'],
    }
    const pending = after({ think })
    expect(pending?.proposal).toBe(`${'a'.repeat(1_999)}…`)
    expect(pending?.goal).toHaveLength(2_000)
    expect(pending?.assumptions).toEqual(['b'.repeat(1_500), `${'c'.repeat(499)}…`])
    expect(after({ think: { ...think, proposalMessage: text.slice(1) } })?.proposal).toHaveLength(
      2_000,
    )
    expect(after({ think }, { ...turnRules, proposalCharacters: 10 })?.proposal).toBe(
      `${'a'.repeat(9)}…`,
    )
  })

  it('A-011: has the ids of the pending entities of its turn', () => {
    const entities = [
      noEntity,
      noEntity,
      { ...noEntity, id: 'kept', source: 'db_write' },
      { ...noEntity, id: 'asked', source: 'db_read', state: 'pending' },
      { ...noEntity, id: 'confirmed', state: 'active' },
      { ...noEntity, id: 'broken', succeeded: false },
      { ...noEntity, id: 'gone', action: 'delete' },
    ] as const
    expect(after({ think: proposal, entities })?.entityIds).toEqual(['temp_recipe_1', 'asked'])
  })

  it('contains no secret', () => {
    const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`
    const think = { ...proposal, proposalMessage: `Use ${secret}`, assumptions: [secret] }
    expect(JSON.stringify(after({ think }))).not.toContain(secret)
  })
})
