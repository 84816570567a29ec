import { describe, expect, it } from 'vitest'
import type { MessageInput } from '../domain/message.ts'
import { modifiedFiles } from '../flow/classify/track-files.ts'
import { meter, words } from '../flow/select/candidates.test-support.ts'
import { type Builder, build } from '../testing/build.ts'
import { budgetOf, classify, type TrimOptions, trackFiles, trim } from './trim.ts'

const trimTo = (messages: Iterable<MessageInput>, targetTokens: number, more = {}) =>
  trim([...messages], { targetTokens, meter, ...more } satisfies TrimOptions)

const step = (conversation: Builder, name: string, path: string, tokens = 300) =>
  conversation.calls(name, { path }).result(words(tokens))

/** #0 system, #1 instructions, #2 to #5 old, then ten reads, a change, and the task. */
function session(): Builder {
  let conversation = build()
    .system('You are Ada.')
    .user('# AGENTS.md\nUse tabs.')
    .user(`Old question ${words(50)}`)
    .says(`Old answer ${words(200)}`)
    .user('Read them.')
  for (let index = 0; index < 10; index += 1)
    conversation = step(conversation, 'read', `${index}.ts`)
  return step(conversation, 'edit', '3.ts').says('Done.').user('Now the tests.')
}

const tokensOf = (messages: Iterable<MessageInput>) => budgetOf([...messages], { meter })

describe('trim', () => {
  it('P1-005, P1-014: changes nothing if the messages fit, to the token', async () => {
    const messages = [...session()]
    const { currentTokens } = await tokensOf(messages)
    const trimmed = await trim(messages, { targetTokens: currentTokens, meter })
    expect(trimmed.messages).toBe(messages)
    expect(trimmed).toEqual({
      messages,
      dropped: [],
      stubbed: [],
      originalTokens: currentTokens,
      finalTokens: currentTokens,
      savedTokens: 0,
      withinBudget: true,
    })
    const less = await trim(messages, { targetTokens: currentTokens - 1, meter })
    expect(less.stubbed).not.toEqual([])
  })

  it.each([2_500, 1_500, 900, 500, 250])(
    'P1-005, P1-014, P2-008, B2-9: fits into %i tokens, as counted in the result',
    async (targetTokens) => {
      const messages = [...session()]
      const trimmed = await trimTo(messages, targetTokens)
      const { currentTokens } = await tokensOf(trimmed.messages)
      expect(trimmed.finalTokens).toBe(currentTokens)
      expect(trimmed).toMatchObject({
        withinBudget: true,
        originalTokens: (await tokensOf(messages)).currentTokens,
        savedTokens: trimmed.originalTokens - currentTokens,
      })
      expect(currentTokens).toBeLessThanOrEqual(targetTokens)
      // Not emptied more than necessary.
      expect(currentTokens).toBeGreaterThan(targetTokens * 0.7)
    },
  )

  it.each([2_500, 900, 250])(
    'P2-008, P2-012: into %i tokens, never without system, instructions and task, in order',
    async (targetTokens) => {
      const messages = [...session()]
      const trimmed = await trimTo(messages, targetTokens)
      for (const at of [0, 1, messages.length - 1]) expect(trimmed.messages).toContain(messages[at])
      const whole = trimmed.messages.map((message) => messages.indexOf(message))
      const places = whole.filter((at) => at !== -1)
      expect(places).toEqual(places.toSorted((left, right) => left - right))
      expect(trimmed.messages).toHaveLength(messages.length - trimmed.dropped.length)
    },
  )

  it('P2-011, P2-012: drops old history before recent turns, and tool output before text', async () => {
    const messages = [...session()]
    const little = await trimTo(messages, 3_000)
    expect(little.dropped).toEqual([])
    const classes = classify(messages)
    expect(new Set(little.stubbed.map((at) => classes[at]?.class))).toEqual(
      new Set(['stale-output']),
    )
    const much = await trimTo(messages, 600)
    expect(much.dropped).toEqual(expect.arrayContaining([2, 3]))
    expect(much.dropped).not.toContain(messages.length - 2)
  })

  it('P2-009: turns an omitted result into a stub, with its call', async () => {
    const trimmed = await trimTo(session(), 2_000)
    const text = JSON.stringify(trimmed.messages)
    expect(text).toMatch(/characters of 0\.ts \(1 line\) left out; see #6/)
    expect(trimmed.dropped).toEqual([])
  })

  it('B2-10, U-011: leaves no call without its result, and no result without its call', async () => {
    for (let targetTokens = 150; targetTokens < 3_500; targetTokens += 131) {
      const { messages } = await trimTo(session(), targetTokens)
      const idsOf = (type: string) =>
        messages.flatMap(({ content }) =>
          typeof content === 'string'
            ? []
            : content.flatMap((part) =>
                part.type === type && 'callId' in part ? [part.callId] : [],
              ),
        )
      expect(idsOf('tool-result')).toEqual(idsOf('tool-call'))
    }
  })

  it('returns no empty message, and counts as budgetOf does', async () => {
    let messages = build().user('Go')
    for (let turn = 0; turn < 10; turn += 1) {
      messages = messages.calls('read').calls('read').calls('read')
      messages = messages.result(words(60)).result(words(60)).result(words(60))
    }
    for (const targetTokens of [300, 500, 1_000]) {
      const trimmed = await trim([...messages], { targetTokens, meter })
      expect(trimmed.messages.filter(({ content }) => content.length === 0)).toEqual([])
      const { currentTokens } = await budgetOf(trimmed.messages, { meter })
      expect(currentTokens).toBe(trimmed.finalTokens)
    }
  })

  it('rejects invalid input with a code', async () => {
    const options = { targetTokens: 100, meter }
    const thrower = Object.defineProperty({ role: 'user' }, 'content', {
      get: () => {
        throw new Error('no')
      },
    })
    const sparse = Array(2) as never[]
    for (const bad of [sparse, [thrower as never]])
      await expect(trim(bad, options)).rejects.toMatchObject({ code: 'MESSAGE_INVALID' })
    for (const wrong of [{ meter: {} }, { model: 'gpt-4o', tokenizer: 'nope' }])
      await expect(trim([], { targetTokens: 5, ...wrong } as never)).rejects.toMatchObject({
        code: 'CONFIG_INVALID',
      })
    await expect(budgetOf([], { meter, system: 5 as never })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
  })

  it('P2-001, P2-012: returns equal results for equal input', async () => {
    for (const targetTokens of [2_500, 900, 250])
      expect(await trimTo(session(), targetTokens)).toEqual(await trimTo(session(), targetTokens))
    const conversation = step(step(build().user('Go.'), 'read', 'a.ts'), 'read', 'b.ts')
    const { messages } = await trimTo(conversation.says('Fine.').user('And?'), 420)
    expect(messages.map(drawn)).toMatchInlineSnapshot(`
      [
        "user "Go."",
        "assistant [{"type":"tool-call","callId":"call-0","name":"read","input":{"path":"a.ts"}}]",
        "tool [{"type":"tool-result","callId":"call-0","output":{"kind":"text","text":"abc abc abc abc abc abc abc abc abc abc abc abc abc abc \\n[… 1,124 characters of a.ts (1 line) left out; see #2 …]\\nabc abc abc abc abc "},"isError":false}]",
        "assistant [{"type":"tool-call","callId":"call-1","name":"read","input":{"path":"b.ts"}}]",
        "tool [{"type":"tool-result","callId":"call-1","output":"abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc abc ",
        "assistant "Fine."",
        "user "And?"",
      ]
    `)
  })

  it('X2-10: shortens summarized messages first', async () => {
    const conversation = build()
      .user('a')
      .says(words(300))
      .user('b')
      .calls('bash')
      .result(words(300))
      .says(words(300))
      .user('c')
      .says('d')
      .user('e')
    expect((await trimTo(conversation, 800)).stubbed).toEqual([4])
    expect((await trimTo(conversation, 800, { summarizedTo: 2 })).stubbed).toEqual([1])
  })

  it('X2-11: reports when the protected messages alone are too large, and changes none of them', async () => {
    const conversation = build().system(words(900)).user('a').says('b').user(words(200))
    const messages = [...conversation]
    for (const targetTokens of [100, 900]) {
      const trimmed = await trim(messages, { targetTokens, meter })
      expect(trimmed).toMatchObject({ withinBudget: false, stubbed: [], dropped: [1, 2] })
      expect(trimmed.messages).toEqual([messages[0], messages[3]])
      expect(trimmed.finalTokens).toBeGreaterThan(targetTokens)
    }
  })

  it('S1-097: shortens one extremely long message of a user', async () => {
    const { messages, withinBudget, stubbed } = await trimTo(build().user(words(90_000)), 500)
    expect([withinBudget, stubbed]).toEqual([true, [0]])
    expect(JSON.stringify(messages)).toContain('characters left out; see #0')
  })

  it('returns messages that can be trimmed again', async () => {
    const first = await trimTo(session(), 900)
    const again = await trim(first.messages, { targetTokens: 900, meter })
    expect(again.messages).toEqual(first.messages)
  })

  it('finds the model by its name, and accepts a policy', async () => {
    const options = { targetTokens: 1_000, model: 'gpt-4o', tokenizer: 'estimate' } as const
    expect(await trim([...session()], options)).toMatchObject({ withinBudget: true })
    const kept = {
      name: 'own',
      keepRecent: { messages: 8 },
      advanced: { trim: { order: 'age' } },
    } as const
    expect(await trim([...session()], { ...options, policy: kept })).toMatchObject({
      withinBudget: true,
    })
  })

  it.each([
    [{ targetTokens: 100 }, 'trim: pass a model or a meter'],
    [{ targetTokens: -1, meter }, 'trim: targetTokens must be a whole number from 0'],
    [{ targetTokens: 100, meter, tokens: 5 }, 'trim has no option "tokens"'],
  ])('refuses %o', async (options, message) => {
    await expect(trim([], options)).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining(message) as string,
    })
  })
})

function drawn({ role, content }: MessageInput): string {
  return `${role} ${JSON.stringify(content)}`.slice(0, 240)
}

describe('the budget of messages', () => {
  it.each([
    [100, 50, { availableTokens: 50, withinBudget: true, utilizationPercent: 50 }],
    [100, 100, { availableTokens: 0, withinBudget: true, utilizationPercent: 100 }],
    [100, 101, { availableTokens: 0, withinBudget: false, utilizationPercent: 101 }],
    [300, 100, { availableTokens: 200, withinBudget: true, utilizationPercent: 33 }],
    [0, 50, { availableTokens: 0, withinBudget: false, utilizationPercent: 100 }],
  ])('P1-004: of %i tokens where there are %i', async (maxInputTokens, tokens, figures) => {
    const frame = (await budgetOf([], { meter })).currentTokens
    const message = (await budgetOf([{ role: 'user', content: '' }], { meter })).currentTokens
    const messages = [{ role: 'user', content: 'abcd'.repeat(tokens - message) }] as const
    expect(frame).toBeLessThan(message)
    expect(await budgetOf(messages, { meter, maxInputTokens })).toEqual({
      maxInputTokens,
      currentTokens: tokens,
      ...figures,
    })
  })

  it('P1-004: is the window less the reserve and the margin of the policy', async () => {
    const policy = {
      name: 'own',
      reserve: { tokens: 4_096, ratioMax: 1 },
      advanced: { margin: { tokens: 0 } },
    }
    const { maxInputTokens } = await budgetOf([], { meter, policy })
    expect(maxInputTokens).toBe(100_000 - 4_096)
  })

  it('P1-004: counts system and tools', async () => {
    const bare = await budgetOf([], { meter })
    const tools = [{ name: 'read', description: words(50) }]
    const held = await budgetOf([], { meter, system: words(100), tools })
    expect(held.currentTokens).toBeGreaterThan(bare.currentTokens + 150)
  })
})

describe('classify and trackFiles', () => {
  it('P2-003, S2-065: return the class and the tokens of each message', () => {
    const messages = [...session()]
    const found = classify(messages, { meter })
    expect(found).toHaveLength(messages.length)
    expect(found[0]).toMatchObject({ class: 'system', message: messages[0], priority: 100 })
    expect(found[6]?.tokens).toBeGreaterThan(300)
    expect(classify(messages)[6]?.tokens).toBeNull()
    expect(classify(messages, { summarizedTo: 4 })[2]?.class).toBe('summarized')
  })

  it('P2-006: return the files that messages use', () => {
    const tracked = trackFiles([...session()])
    expect(tracked.files.size).toBe(10)
    expect(modifiedFiles(tracked).map(({ path }) => path)).toEqual(['3.ts'])
  })
})
