import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { policies } from '../policies/presets.ts'
import { memory } from '../stores/memory.ts'
import { scriptedModel } from '../testing/scripted-model.ts'
import { createThroughline } from '../throughline.ts'
import {
  type AfterReplyInput,
  afterReply,
  auditLine,
  rememberedTurns,
  stepResult,
  turnMemory,
} from './index.ts'

const long = `Done! I saved the recipes **Rice Bowl** and **Miso Soup**. ${'They are on the list now. '.repeat(20)}`

const direct = (input: Partial<AfterReplyInput> = {}): AfterReplyInput => ({
  userMessage: 'Save both, please.',
  finalResponse: 'Saved.',
  router: { goal: 'save the recipes', complexity: 'low' },
  think: { goal: 'save the recipes', decision: 'plan_direct' },
  ...input,
})

/** Answers each question with a sentence that its source allows. */
const truthful = () =>
  scriptedModel(({ system }) =>
    JSON.stringify({
      summary: /theme/i.test(system ?? '')
        ? 'Saving recipes for the week.'
        : 'Saved recipes: Rice Bowl, Miso Soup.',
    }),
  )

function engine(summarizer?: ReturnType<typeof scriptedModel>) {
  const store = memory()
  const tl = createThroughline({ store, policy: 'turn-memory', summarizer })
  return { tl, chat: tl.conversation('kitchen-7') }
}

describe('the memory step after a reply', () => {
  it('S0-007 S0-059: changes only derived state, in one commit', async () => {
    const { chat } = engine()
    await chat.append([
      { role: 'user', content: 'Save both, please.' },
      { role: 'assistant', content: 'Saved.' },
    ])
    const before = await chat.info()
    const events = await chat.events()
    const outcome = await afterReply(chat, direct())
    const after = await chat.info()
    expect(outcome).toMatchObject({ changed: true, calls: 0, costUsd: 0 })
    expect(after?.head).toBe(before?.head)
    expect(after?.chain).toBe(before?.chain)
    expect(after?.version).toBe((before?.version ?? 0) + 1)
    expect((await chat.events({ after: events.length })).map(({ kind }) => kind)).toEqual([
      'turn-remembered',
    ])
  })

  it('A-014: changes nothing if there was no answer', async () => {
    const { chat } = engine()
    await chat.append({ role: 'user', content: 'Save both, please.' })
    const before = await chat.info()
    for (const finalResponse of [null, undefined, '', ' \n '])
      expect(await afterReply(chat, direct({ finalResponse }))).toMatchObject({
        changed: false,
        why: 'no-response',
        memory: { turn: 0 },
      })
    expect(await chat.info()).toEqual(before)
  })

  it('S0-024 X0-1: asks a model about an answer of 401 characters, not of 400', async () => {
    const model = truthful()
    const { chat } = engine(model)
    const response = `Saved recipes: Rice Bowl, Miso Soup. ${'a'.repeat(400)}`
    await afterReply(chat, direct({ finalResponse: response.slice(0, 400) }))
    expect(model.asked).toHaveLength(0)
    const { record } = await afterReply(chat, direct({ finalResponse: response.slice(0, 401) }))
    expect(model.asked).toHaveLength(1)
    expect(record?.digest).toEqual({
      text: 'Saved recipes: Rice Bowl, Miso Soup.',
      by: 'scripted/model',
    })
  })

  it('A-014 S0-002: writes a digest by rules that is not longer than the answer', async () => {
    const policy = { ...policies['turn-memory'], advanced: { turns: { responseCharacters: 40 } } }
    const chat = createThroughline({ policy }).conversation('kitchen-7')
    for (const characters of [41, 300, 301, 310, 331, 332, 333, 400]) {
      const finalResponse = 'Rice and '.repeat(50).slice(0, characters)
      const { record } = await afterReply(chat, direct({ finalResponse }))
      expect(record?.digest?.text.length).toBeLessThanOrEqual(characters)
    }
  })

  it('S0-027 X0-8: asks no model about a proposal, and keeps it word for word', async () => {
    const model = truthful()
    const { chat } = engine(model)
    const proposalMessage = `I would save Rice Bowl first. ${'Then the others. '.repeat(30)}`
    const { record, memory: known } = await afterReply(
      chat,
      direct({
        finalResponse: long,
        think: { goal: 'save the recipes', decision: 'propose', proposalMessage },
      }),
    )
    expect(model.asked).toHaveLength(0)
    expect(record?.digest?.text).toBe('Proposed a plan and awaiting user confirmation.')
    expect(known.pending).toMatchObject({ kind: 'propose', proposal: proposalMessage, turn: 1 })
  })

  it('S0-055 S0-058: keeps the pending decision until a turn with plan_direct', async () => {
    const { chat } = engine()
    await afterReply(
      chat,
      direct({ think: { decision: 'clarify', clarificationQuestions: ['Which?'] } }),
    )
    expect((await turnMemory(chat)).pending?.questions).toEqual(['Which?'])
    await afterReply(chat, direct({ think: null }))
    expect((await turnMemory(chat)).pending?.turn).toBe(1)
    await afterReply(chat, direct())
    expect((await turnMemory(chat)).pending).toBeNull()
  })

  it('S0-023 X0-11: asks at most three questions in parallel, each when it is due', async () => {
    let open = 0
    let most = 0
    const model = scriptedModel(async ({ system }) => {
      open += 1
      most = Math.max(most, open)
      // Rounds of the event loop instead of time: parallel calls start during them.
      for (let round = 0; round < 5; round += 1) await setImmediate()
      open -= 1
      const isTheme = /theme/i.test(system ?? '')
      return JSON.stringify({
        summary: isTheme ? 'Saving recipes.' : 'Saved recipes: Rice Bowl, Miso Soup.',
      })
    })
    const { chat } = engine(model)
    const big = direct({ finalResponse: long, router: { goal: 'save', complexity: 'high' } })
    const kinds = async () => {
      const outcome = await afterReply(chat, big)
      return outcome.changed ? outcome.asked.map(({ kind }) => kind) : []
    }
    expect(await kinds()).toEqual(['response', 'theme'])
    expect(await kinds()).toEqual(['response', 'theme'])
    expect(await kinds()).toEqual(['response', 'theme'])
    expect(await kinds()).toEqual(['response', 'turn', 'theme'])
    expect(model.asked).toHaveLength(9)
    expect(most).toBe(3)
  })

  it('S0-033 S0-041 S0-064: keeps three turns in full, and compresses the one before them', async () => {
    const { chat } = engine()
    for (let turn = 1; turn <= 5; turn += 1)
      await afterReply(
        chat,
        direct({ userMessage: `Question ${turn}`, finalResponse: `Answer ${turn}.` }),
      )
    const known = await turnMemory(chat)
    expect(known.recentTurns.map(({ turn }) => turn)).toEqual([3, 4, 5])
    expect(known.recentTurns[0]).toMatchObject({ user: 'Question 3', assistant: 'Answer 3.' })
    expect(known.history.map(({ from, to }) => [from, to])).toEqual([
      [1, 2],
      [2, 3],
    ])
    expect((await rememberedTurns(chat)).map(({ user }) => user)).toContain('Question 1')
  })

  it('X0-9: falls back to rules if models fail, and keeps the theme', async () => {
    let fails = false
    const model = scriptedModel(() => {
      if (fails) throw new Error('away')
      return JSON.stringify({ summary: 'Saving recipes for the week.' })
    })
    const { chat } = engine(model)
    const high = { goal: 'save', complexity: 'high' } as const
    await afterReply(
      chat,
      direct({ router: high, userMessage: 'Please go on saving recipes, for the week' }),
    )
    fails = true
    const { record } = await afterReply(chat, direct({ router: high, finalResponse: long }))
    expect(record?.knows.theme).toEqual({
      text: 'Saving recipes for the week.',
      by: 'scripted/model',
      turn: 1,
    })
    expect(record?.digest?.by).toBe('rules')
    expect(record?.digest?.text).toContain('Rice Bowl')
  })

  it('X0-9: asks again after refused answers, and not after failures', async () => {
    const refused = scriptedModel(() => JSON.stringify({ summary: 'Saved it for Grace Hopper.' }))
    const failure = { cause: 'refused', status: 404, retryAfterMs: null, message: 'gone' } as const
    const failing = scriptedModel(() => ({ kind: 'failed', failure }))
    for (const [model, calls] of [
      [refused, 4],
      [failing, 2],
    ] as const) {
      const { chat } = engine(model)
      for (let turn = 0; turn < 4; turn += 1) {
        const finalResponse = `${long}${turn}`
        await chat.append({ role: 'user', content: `Save both, ${turn}.` })
        await chat.append({ role: 'assistant', content: finalResponse })
        if (turn < 3)
          await afterReply(chat, direct({ userMessage: `Save both, ${turn}.`, finalResponse }))
      }
      const last = await afterReply(
        chat,
        direct({ userMessage: 'Save both, 3.', finalResponse: 'Ok.' }),
      )
      expect(last).toMatchObject({ asked: [{ kind: 'turn', by: 'rules' }] })
      expect(model.asked).toHaveLength(calls)
    }
  })

  it('X0-9: takes the first request as theme if a short reply has none, and says why', async () => {
    const model = scriptedModel(() => JSON.stringify({ summary: 'Recipes for Grace Hopper.' }))
    const { chat } = engine(model)
    const userMessage = 'Save both recipes of the week, please.'
    await afterReply(chat, direct({ userMessage }))
    const router = { goal: 'Ok, which two?', complexity: 'high' } as const
    const reply = { userMessage: 'Ok, which two?', router, think: null }
    const outcome = await afterReply(chat, direct(reply))
    expect(outcome.memory.theme).toEqual({ text: userMessage, by: 'rules', turn: 2 })
    expect(outcome).toMatchObject({
      asked: [{ kind: 'theme', by: 'rules', refusals: ['unknown names: Grace Hopper'] }],
    })
    expect(model.asked[0]?.messages[0]?.content).toContain(userMessage)
  })

  it('S0-019 B0-1: stores complete step results by turn and step', async () => {
    const { chat } = engine()
    const step = (name: string) => ({
      description: name,
      result: { rows: [name, 'x'.repeat(5_000)] },
    })
    for (let turn = 1; turn <= 3; turn += 1)
      await afterReply(chat, direct({ steps: [step(`a${turn}`), step(`b${turn}`)] }))
    expect((await stepResult(chat, { turn: 1, step: 0 }))?.result).toEqual(step('a1').result)
    expect((await stepResult(chat, { turn: 3, step: 0 }))?.description).toBe('a3')
    expect(await stepResult(chat, { turn: 3, step: 2 })).toBeNull()
    const known = await turnMemory(chat)
    expect(known.steps.map(({ description }) => description)).toEqual(['b2', 'a3', 'b3'])
    expect(known.stepDigests.map(({ description }) => description)).toEqual(['a1', 'b1', 'a2'])
  })

  it('S0-052 S0-054 X0-5: keeps a generated entity pending until it is saved', async () => {
    const { chat } = engine()
    const generated = {
      id: 'temp_1',
      type: 'recipe',
      label: 'Rice Bowl',
      source: 'generate',
    } as const
    await afterReply(chat, direct({ entities: [generated] }))
    expect((await turnMemory(chat)).activeEntities).toEqual([])
    const saved = { ...generated, id: 17, formerId: 'temp_1', source: 'db_write' } as const
    const outcome = await afterReply(chat, direct({ entities: [saved] }))
    expect(outcome.memory.activeEntities.map(({ id, aliases }) => [id, aliases])).toEqual([
      ['17', ['temp_1']],
    ])
    expect(outcome.memory.entities).toHaveLength(1)
    expect(outcome).toMatchObject({ entities: { promoted: ['17'], created: ['17'] } })
  })

  it('changes nothing in a retry with the same key', async () => {
    const { chat } = engine()
    const first = await afterReply(chat, direct(), { key: 'turn-1' })
    const again = await afterReply(chat, direct(), { key: 'turn-1' })
    expect(again).toMatchObject({ changed: false, why: 'repeated', record: first.record })
    expect((await turnMemory(chat)).turn).toBe(1)
  })

  it('leaves later user messages to the next turn', async () => {
    const { chat } = engine()
    await chat.append([
      { role: 'user', content: 'Save both.' },
      { role: 'assistant', content: 'Saved.' },
      { role: 'user', content: 'And the third?' },
    ])
    const { record } = await afterReply(chat, direct())
    expect(record?.messages).toEqual({ from: 0, to: 2 })
    const next = await afterReply(chat, direct(), { head: 3 })
    expect(next.record?.messages).toEqual({ from: 2, to: 3 })
    await chat.append({ role: 'user', content: 'And the fourth?' })
    const last = await afterReply(chat, direct())
    expect(last.record?.messages).toEqual({ from: 3, to: 3 })
  })

  it('remembers two concurrent turns, one after the other', async () => {
    const { chat } = engine(truthful())
    await Promise.all([1, 2, 3].map(() => afterReply(chat, direct({ finalResponse: long }))))
    expect((await rememberedTurns(chat)).map(({ turn }) => turn)).toEqual([3, 2, 1])
  })

  it('changes nothing if the caller aborts', async () => {
    const stop = new AbortController()
    const model = scriptedModel(async () => {
      stop.abort(new Error('enough'))
      return '{}'
    })
    const { chat } = engine(model)
    const waiting = afterReply(chat, direct({ finalResponse: long }), { signal: stop.signal })
    await expect(waiting).rejects.toThrow('enough')
    expect((await turnMemory(chat)).turn).toBe(0)
  })

  it('refuses invalid input with an error code, and remembers nothing', async () => {
    const { chat, tl } = engine()
    const wrong: readonly (readonly [unknown, string])[] = [
      [null, 'afterReply must be an object'],
      [{ ...direct(), userMesage: '' }, 'has no field "userMesage"'],
      [{ ...direct(), userMessage: 7 }, 'userMessage must be text, got 7'],
      [
        direct({ entities: [{ id: '', type: 'a', label: 'b', source: 'db_read' }] }),
        'entities[0].id',
      ],
      [{ ...direct(), think: { decision: 'go' } }, 'think.decision must be one of plan_direct'],
      [direct({ steps: [{ description: 'a', result: 1n }] }), 'steps[0].result must be plain JSON'],
    ]
    for (const [input, message] of wrong)
      await expect(afterReply(chat, input as AfterReplyInput)).rejects.toMatchObject({
        code: 'TURN_INVALID',
        message: expect.stringContaining(message),
      })
    await expect(afterReply({} as never, direct())).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
    expect(await tl.list()).toEqual([])
  })

  it('writes an audit line without a model', async () => {
    const { chat } = engine()
    const { record } = await afterReply(
      chat,
      direct({
        steps: [
          { description: 'save', result: [1, 2] },
          { description: 'tell', status: 'failed', error: { code: 'MAIL', message: 'refused' } },
        ],
        entities: [
          { id: 1, type: 'recipe', label: 'Rice Bowl', source: 'db_write', action: 'create' },
        ],
      }),
    )
    if (record === null) throw new Error('a turn was remembered')
    expect(auditLine(record)).toBe(
      'turn 1: created 1, updated 0, deleted 0, artifacts 0 generated 0 saved, errors 1 (MAIL), steps 1/2',
    )
  })
})

describe('the messages of a turn', () => {
  const say = (text: string) => ({ role: 'user', content: text }) as const
  const answer = (text: string) => ({ role: 'assistant', content: text }) as const

  it('missed turns are remembered from the log with the next one', async () => {
    const model = truthful()
    const { chat } = engine(model)
    for (let turn = 1; turn <= 5; turn += 1)
      await chat.append([say(`Old question ${turn}`), answer(`Old answer ${turn}.`)])
    await chat.append([say('Save both, please.'), answer('Saved.')])
    const { record, memory: known } = await afterReply(chat, direct())
    expect(record).toMatchObject({ turn: 6, messages: { from: 10, to: 12 } })
    expect(known.recentTurns.map(({ user }) => user)).toEqual([
      'Old question 4',
      'Old question 5',
      'Save both, please.',
    ])
    const lines = known.history.map(({ text }) => text).join('\n')
    for (const turn of [1, 2]) expect(lines).toContain(`Old question ${turn}`)
    // A model is asked only about the last turn that leaves.
    expect(model.asked).toHaveLength(1)
  })

  it('missed turns between two calls are remembered, with unanswered messages', async () => {
    const { chat } = engine()
    await chat.append([say('Save both, please.'), answer('Saved.')])
    await afterReply(chat, direct())
    await chat.append([say('One more thing.'), answer('Yes?'), say('It is for Sunday.')])
    await chat.append([answer('Fine.'), say('Save it.'), answer('Saved.')])
    const { memory: known } = await afterReply(chat, direct({ userMessage: 'Save it.' }))
    expect(known.recentTurns.map(({ user, messages }) => [user, messages.to])).toEqual([
      ['One more thing.', 4],
      ['It is for Sunday.', 6],
      ['Save it.', 8],
    ])
    expect(known.history.map(({ from, to }) => [from, to])).toEqual([[1, 2]])
  })

  it('a user message belongs to its turn before the reply is appended, and is purged with it', async () => {
    const { chat } = engine()
    await chat.append(say('My door code is CANARY.'))
    await afterReply(
      chat,
      direct({ userMessage: 'My door code is CANARY.', finalResponse: 'Noted.' }),
    )
    await chat.append(answer('Noted.'))
    await chat.history.purgeMessage('#0')
    expect(JSON.stringify(await rememberedTurns(chat))).not.toContain('CANARY')
  })

  it('a turn that is passed together with the next one is remembered once', async () => {
    const { chat } = engine(truthful())
    await chat.append([say('First.'), answer(long)])
    const first = afterReply(chat, direct({ userMessage: 'First.', finalResponse: long }))
    await chat.append([say('Second.'), answer('Fine.')])
    const second = afterReply(chat, direct({ userMessage: 'Second.', finalResponse: 'Fine.' }))
    await Promise.all([first, second])
    expect((await rememberedTurns(chat)).map(({ user }) => user)).toEqual(['Second.', 'First.'])
  })

  it('a repeated user message is not taken for the turn itself', async () => {
    const { chat } = engine()
    await chat.append([say('Go on.'), answer('Saved.'), say('Go on.')])
    const { record } = await afterReply(chat, direct({ userMessage: 'Go on.' }))
    expect(record).toMatchObject({ turn: 1, messages: { from: 0, to: 2 } })
    await chat.append(answer('Saved again.'))
    const next = await afterReply(chat, direct({ userMessage: 'Go on.' }))
    expect(next.record).toMatchObject({ turn: 2, messages: { from: 2, to: 4 } })
  })

  it('a key of another turn is refused', async () => {
    const { chat } = engine()
    await afterReply(chat, direct(), { key: 'turn-1' })
    await expect(
      afterReply(chat, direct({ finalResponse: 'Not saved.' }), { key: 'turn-1' }),
    ).rejects.toMatchObject({ code: 'KEY_CONFLICT' })
  })

  it('values that JSON would lose are refused', async () => {
    const { chat } = engine()
    for (const result of [new Error('disk full'), new Map([[1, 2]]), { deep: [new Set([1])] }])
      await expect(
        afterReply(chat, direct({ steps: [{ description: 'save', result }] })),
      ).rejects.toMatchObject({ code: 'TURN_INVALID' })
  })
})
