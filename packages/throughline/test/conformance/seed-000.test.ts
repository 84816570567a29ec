/** The input after a reply, its effects, and the data that the step does not change. */
import { createThroughline, ThroughlineError } from 'throughline'
import { scriptedModel } from 'throughline/testing'
import { type AfterReplyInput, afterReply, rememberedTurns, turnMemory } from 'throughline/turns'
import { describe, expect, it } from 'vitest'

const whole = {
  finalResponse: 'I could save Rice Bowl and Miso Soup. Shall I?',
  userMessage: 'What about my recipes?',
  router: { agent: 'kitchen', goal: 'look after the recipes', complexity: 'high' },
  think: {
    goal: 'save the recipes',
    decision: 'propose',
    steps: ['save Rice Bowl', { description: 'save Miso Soup' }],
    proposalMessage: 'Save both recipes.',
    assumptions: ['both are wanted'],
    clarificationQuestions: ['Under which name?'],
  },
  steps: [
    {
      description: 'read the recipes',
      subdomain: 'recipes',
      result: [{ id: 17 }, { id: 18 }],
      entityIds: [17, 18],
    },
  ],
  entities: [
    { id: 17, type: 'recipe', label: 'Rice Bowl', source: 'db_read' },
    { id: 'temp_1', type: 'recipe', label: 'Miso Soup', source: 'generate' },
  ],
  entityUpdates: [{ id: 'temp_1', state: 'active' }],
} as const satisfies AfterReplyInput

function kitchen(summarizer?: ReturnType<typeof scriptedModel>) {
  const tl = createThroughline({ policy: 'turn-memory', summarizer })
  return tl.conversation('kitchen-7')
}

describe('what goes in', () => {
  it('S0-008 S0-009 S0-010 S0-011 S0-012 S0-013 A-008 A-010: is kept, each where it belongs', async () => {
    const { record } = await afterReply(kitchen(), whole)
    expect(record).toMatchObject({
      user: whole.userMessage,
      assistant: whole.finalResponse,
      routing: whole.router,
      decision: 'propose',
      entitiesMentioned: ['17', 'temp_1'],
      steps: [
        {
          ...{ turn: 1, step: 0, description: 'read the recipes', subdomain: 'recipes' },
          ...{ status: 'done', entityIds: ['17', '18'], recordCount: 2 },
        },
      ],
      knows: {
        pending: {
          ...{ kind: 'propose', turn: 1, goal: 'save the recipes', proposal: 'Save both recipes.' },
          ...{ assumptions: ['both are wanted'], questions: ['Under which name?'] },
          ...{ partialPlan: ['save Rice Bowl', 'save Miso Soup'], entityIds: ['temp_1'] },
        },
      },
    })
  })

  it('S0-014: is merged into the known memory, which the caller does not pass', async () => {
    const chat = kitchen()
    await afterReply(chat, whole)
    const { record } = await afterReply(chat, { userMessage: 'And?', finalResponse: 'Nothing.' })
    const [, first] = await rememberedTurns(chat)
    expect(record?.knows.entities.map(({ id }) => id)).toEqual(['17', 'temp_1'])
    expect(record?.knows.pending).toEqual(first?.knows.pending)
    expect(record?.knows.theme).toEqual(first?.knows.theme)
  })

  it('A-010: has three decisions and three complexities, and no others', async () => {
    const refused = (input: unknown) =>
      afterReply(kitchen(), input as AfterReplyInput).then(
        () => null,
        (error: unknown) => (error instanceof ThroughlineError ? error.code : error),
      )
    for (const decision of ['plan_direct', 'propose', 'clarify'])
      expect(await refused({ ...whole, think: { decision } })).toBeNull()
    for (const complexity of ['low', 'medium', 'high'])
      expect(await refused({ ...whole, router: { goal: 'a', complexity } })).toBeNull()
    expect(await refused({ ...whole, think: { decision: 'execute' } })).toBe('TURN_INVALID')
    expect(await refused({ ...whole, router: { goal: 'a', complexity: 'huge' } })).toBe(
      'TURN_INVALID',
    )
  })
})

describe('its effects', () => {
  it('S0-003 S0-004 S0-015 S0-016 S0-017 S0-018 S0-019 S0-020 S0-022: is a memory with all its parts', async () => {
    const chat = kitchen()
    for (let turn = 1; turn <= 4; turn += 1) await afterReply(chat, whole)
    const memory = await turnMemory(chat)
    expect(Object.keys(memory).sort()).toEqual([
      ...['activeEntities', 'entities', 'history', 'pending', 'recentTurns'],
      ...['stepDigests', 'steps', 'theme', 'to', 'turn'],
    ])
    expect(memory.recentTurns.map(({ turn, user }) => [turn, user])).toEqual(
      [2, 3, 4].map((turn) => [turn, whole.userMessage]),
    )
    expect(memory.history).toMatchObject([{ from: 1, to: 2 }])
    expect(memory.theme).toMatchObject({ text: 'save the recipes', turn: 4 })
    expect(memory.activeEntities.map(({ id }) => id)).toEqual(['17'])
    expect(memory.entities.map(({ id }) => id)).toEqual(['17', 'temp_1'])
    expect(memory.pending).toMatchObject({ kind: 'propose', turn: 4 })
    expect(memory.steps.map(({ turn }) => turn)).toEqual([2, 3, 4])
  })
})

describe('the step', () => {
  /** Says that all is done, and what else there is to do. */
  const eager = () =>
    scriptedModel(() =>
      JSON.stringify({
        summary: 'Everything was saved.',
        decision: 'plan_direct',
        response: 'Dear user, all is done!',
        tool_calls: [{ name: 'delete_everything', arguments: {} }],
      }),
    )
  const long = `${whole.finalResponse} ${'There is more to say of it. '.repeat(20)}`

  it('S0-007 S0-059: says nothing to anybody: the transcript is as it was, to the byte', async () => {
    const chat = kitchen(eager())
    await chat.append([
      { role: 'user', content: whole.userMessage },
      { role: 'assistant', content: long },
    ])
    const before = await Array.fromAsync(chat.messages())
    for (let turn = 1; turn <= 5; turn += 1)
      await afterReply(chat, { ...whole, think: null, finalResponse: long })
    expect(await Array.fromAsync(chat.messages())).toEqual(before)
    const remembered = JSON.stringify(await rememberedTurns(chat))
    expect(remembered).not.toContain('Dear user')
  })

  it('S0-060 S0-062: changes neither the decision nor the routing of its input', async () => {
    const chat = kitchen(eager())
    const { record, memory } = await afterReply(chat, { ...whole, finalResponse: long })
    expect(record).toMatchObject({ decision: 'propose', routing: whole.router })
    expect(memory.pending?.kind).toBe('propose')
    const bare = await afterReply(chat, { userMessage: 'And?', finalResponse: 'Done.' })
    expect(bare.record).toMatchObject({ decision: null, routing: null })
  })

  it('S0-061: does nothing that was planned, and offers no model a tool', async () => {
    const model = eager()
    let calls = 0
    const act = () => {
      calls += 1
    }
    const { record } = await afterReply(kitchen(model), {
      ...whole,
      think: { decision: 'plan_direct', steps: ['delete Rice Bowl', 'delete Miso Soup'] },
      finalResponse: long,
      steps: [{ description: 'delete Rice Bowl', result: { act, toString: act } }],
    })
    expect(model.asked.length).toBeGreaterThan(0)
    for (const request of model.asked)
      expect(Object.keys(request).sort()).toEqual([
        'maxOutputTokens',
        'messages',
        'schema',
        'system',
        'temperature',
      ])
    expect(record?.audit).toMatchObject({ deleted: [], stepsDone: 1, stepsTotal: 2 })
    expect(record?.knows.entities.map(({ id }) => id)).toEqual(['17', 'temp_1'])
    expect(calls).toBe(0)
  })
})

describe('an entity that turns no longer mention', () => {
  const draft = { id: 'temp_1', type: 'recipe', label: 'Rice Bowl', source: 'generate' } as const
  const row = { id: 'r-17', type: 'recipe', label: 'Miso Soup', source: 'db_read' } as const

  it('S0-053 X0-3: is inactive after three turns as a draft and after five otherwise, and a mentioned one is not', async () => {
    const chat = kitchen()
    const states: string[] = []
    for (let turn = 0; turn <= 7; turn += 1) {
      const { memory } = await afterReply(chat, {
        userMessage: 'Go on with the Green Curry.',
        finalResponse: 'Yes.',
        router: { goal: 'go on', complexity: 'low' },
        think: { decision: 'plan_direct' },
        entities: turn === 0 ? [draft, row, { ...draft, id: 'temp_2', label: 'Green Curry' }] : [],
      })
      const state = (id: string) =>
        memory.entities.find((each) => each.id === id)?.state ?? 'removed'
      states.push(`${state('temp_1')} ${state('r-17')} ${state('temp_2')}`)
    }
    expect(states).toEqual([
      'pending active pending',
      'pending active pending',
      'pending active pending',
      'inactive active pending',
      'inactive active pending',
      'removed inactive pending',
      'removed inactive pending',
      'removed removed pending',
    ])
  })
})
