import { describe, expect, it } from 'vitest'
import { defaults } from '../defaults-data.ts'
import type { MessageInput } from '../domain/message.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import { build } from '../testing/build.ts'
import { drawContext } from '../testing/draw-context.test-support.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { truthfulSummary } from '../testing/truthful-summary.test-support.ts'
import { createThroughline } from '../throughline.ts'

const models = [
  { id: 'small', contextWindowTokens: 2_048, tokenizer: 'o200k_base' },
  { id: 'large', contextWindowTokens: 131_072, tokenizer: 'o200k_base' },
] as const

function begin(options = {}) {
  const store = memory()
  const tl = createThroughline({ store, models, clock: fakeClock(), ...options })
  return { tl, store, chat: tl.conversation('c') }
}

type Chat = ReturnType<typeof begin>['chat']

const exchange = (index: number): readonly MessageInput[] => [
  { role: 'user', content: `Turn ${index}: look at src/part-${index}.ts. ${'word '.repeat(60)}` },
  { role: 'assistant', content: `Part ${index} holds. ${'word '.repeat(60)}` },
]

async function talk(chat: Chat, from: number, to: number): Promise<void> {
  for (let index = from; index < to; index += 1) {
    await chat.append(exchange(index))
    await chat.context({ model: 'small' })
  }
}

const shown = async (chat: Chat, model = 'large') => drawContext(await chat.context({ model }))

describe('a message that was removed', () => {
  it('is not shown, and everything else is as if it were not there', async () => {
    const { chat } = begin()
    await chat.append(build().user('Hello').says('Hi!').user('Who?').says('Ada.').messages)
    await chat.history.remove({ from: 1, to: 3 })
    expect(await shown(chat)).toMatchInlineSnapshot(`
      "user            #0    Hello
      assistant       #3    Ada.
      current user          [No new message. Continue.]"
    `)
    expect(await chat.context({ model: 'large' })).toMatchObject({ omitted: [], tokens: 25 })
  })

  it('opens no turn, and costs nothing', async () => {
    const { chat } = begin()
    await chat.append(build().user('Hello').says('Hi!').user('Who?').says('Ada.').messages)
    const before = await chat.context({ model: 'large' })
    await chat.history.remove(2)
    expect(await chat.turns()).toMatchObject([{ span: { from: 0, to: 4 } }])
    expect((await chat.context({ model: 'large' })).tokens).toBeLessThan(before.tokens - 3)
  })

  it('repairs a call without its result, and a result without its call', async () => {
    const { chat } = begin()
    const script = build().user('Go').calls('read').result('text').says('Done').user('And?')
    await chat.append(script.messages)
    await chat.history.remove(2)
    const without = await chat.context({ model: 'large' })
    expect(without.repairs).toEqual([{ kind: 'call-without-result', seq: 1 }])
    await chat.history.remove(1)
    expect((await chat.context({ model: 'large' })).repairs).toEqual([])
    const { chat: other } = begin()
    await other.append(script.messages)
    await other.history.remove(1)
    const changed = await other.context({ model: 'large' })
    expect(changed.repairs).toEqual([{ kind: 'result-without-call', seq: 2 }])
  })

  it('is no pin, and cannot be one', async () => {
    const { chat } = begin()
    await chat.append(build().user('Hello').says('Hi!').messages)
    await chat.pin(0)
    await chat.history.remove(0)
    expect((await chat.info())?.pins).toEqual([])
    expect(await chat.pin(0)).toEqual({ ok: false, failure: { kind: 'not-found' } })
  })

  it('is opened as what it is', async () => {
    const { chat } = begin()
    await chat.append(build().user('Hello').says('Hi!').messages)
    await chat.history.remove('#1')
    const expanded = await chat.expand('#0-#1')
    expect(expanded?.messages[1]).toMatchObject({ parts: [], marks: [{ kind: 'removed' }] })
  })

  it.each(['balanced', 'rule-digest', 'coding'] as const)(
    'is told by nobody, by the rules of %s',
    async (policy) => {
      const { chat } = begin({ policy })
      await talk(chat, 0, 4)
      await chat.append([
        ...build().user('Look at src/gone.ts').calls('read', { path: 'src/gone.ts' }).messages,
        {
          role: 'tool',
          author: 'gone',
          content: [{ type: 'tool-result', callId: 'call-0', output: 'src/gone.ts is gone' }],
        },
      ])
      await talk(chat, 5, 11)
      const text = async () => JSON.stringify((await chat.context({ model: 'small' })).messages)
      expect(await text()).toContain('gone')
      await chat.history.remove({ from: 8, to: 11 })
      expect(await text()).not.toContain('gone')
      await talk(chat, 11, 17)
      expect(await text()).not.toContain('gone')
    },
  )
})

describe('the request after an edit', () => {
  const broken = async (chat: Chat, model: string) => (await chat.context({ model })).brokenBy

  it('names history-changed, whether everything was shown or not', async () => {
    const { chat } = begin()
    await talk(chat, 0, 12)
    await chat.context({ model: 'large' })
    await chat.history.edit(2, { role: 'user', content: 'Turn 1: look at another one.' })
    expect(await broken(chat, 'large')).toBe('history-changed')
    expect(await broken(chat, 'small')).toBe('history-changed')
    expect(await broken(chat, 'small')).toBeNull()
  })

  it('names it also where a call still waits', async () => {
    const { chat } = begin()
    await chat.append(build().user('Go').says('Yes').user('On').calls('read').messages)
    await chat.context({ model: 'large' })
    await chat.history.edit(1, { role: 'assistant', content: 'No' })
    expect(await broken(chat, 'large')).toBe('history-changed')
  })

  it('continues its epoch if only later messages have changed', async () => {
    const { chat } = begin()
    await talk(chat, 0, 12)
    const { epoch, omitted } = await chat.context({ model: 'small' })
    expect(omitted.length).toBeGreaterThan(0)
    await chat.append(build().user('What now?').messages)
    await chat.context({ model: 'small' })
    await chat.history.edit('#24', { role: 'user', content: 'What then?' })
    const context = await chat.context({ model: 'small' })
    expect([context.epoch, context.brokenBy]).toEqual([epoch, 'history-changed'])
    expect(drawContext(context)).toContain('What then?')
  })

  it('shows what a chain does not name, such as what was thought', async () => {
    const { chat } = begin()
    const reply = (text: string): MessageInput => ({
      role: 'assistant',
      content: [
        { type: 'reasoning', text },
        { type: 'text', text: 'Yes.' },
      ],
    })
    await chat.append([...build().user('Go').messages, reply('first thought')])
    await chat.append({ role: 'user', content: 'On' })
    await chat.context({ model: 'large' })
    await chat.history.edit(1, reply('second thought'))
    const text = JSON.stringify(await chat.context({ model: 'large' }))
    expect([text.includes('second thought'), text.includes('first thought')]).toEqual([true, false])
  })
})

/** A store in which something happens before a command. */
function before(name: keyof TenantStore, happen: () => Promise<unknown>): Store {
  const store = memory()
  return {
    close: () => store.close(),
    tenant: (id) => {
      const tenant = store.tenant(id)
      return new Proxy(tenant, {
        get: (target, asked) => {
          const command = Reflect.get(target, asked) as (...given: unknown[]) => unknown
          return async (...given: unknown[]) => {
            if (asked === name) await happen()
            return command.apply(target, given)
          }
        },
      })
    },
  }
}

describe('work that is under way while messages change', () => {
  const gate = () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    return { asked: Promise.withResolvers<void>(), go: promise, open: resolve }
  }

  it('brings no summary of the old words, and is paid for', async () => {
    const { asked, go, open } = gate()
    const model: LanguageModel = {
      id: 'toy/writer',
      card: { id: 'toy/writer', contextWindowTokens: 32_000 },
      prices: { inputUsd: 1, outputUsd: 2 },
      generate: async ({ messages, schema }) => {
        asked.resolve()
        await go
        const question = messages.map(({ content }) => ({ role: 'user' as const, text: content }))
        const text = truthfulSummary({ messages: question, schema })
        const usage = { inputTokens: 100, outputTokens: 20 }
        return { kind: 'answered', text, finish: 'stop', usage, model: 'toy/writer' }
      },
    }
    const { tl, chat } = begin({ summarizer: model, policy: 'ratio-chain' })
    for (let index = 0; index < 14; index += 1) await chat.append(exchange(index))
    await chat.compactNextRequest()
    const context = chat.context({ model: 'small' })
    await asked.promise
    await chat.history.edit(0, { role: 'user', content: 'Look at another one.' })
    open()
    expect(JSON.stringify(await context)).not.toContain('part-0.ts')
    await tl.settled()
    const summaries = await chat.summaries()
    expect(JSON.stringify(summaries)).not.toContain('part-0.ts')
    const changed = (await chat.events()).filter(({ kind }) => kind.startsWith('summary-'))
    expect(changed.length).toBeGreaterThan(0)
  })

  it('reads again if the log changes between two reads', async () => {
    let chat: Chat | null = null
    let edits = 2
    const store = before('read', async () => {
      if (chat === null || edits === 0) return
      edits -= 1
      await chat.history.edit(0, { role: 'user', content: `Edited ${edits}` })
    })
    chat = begin({ store }).chat
    edits = 0
    await chat.append(build().user('Hello').says('Hi!').user('Who?').messages)
    const { chat: other } = begin({ store })
    edits = 1
    expect(await shown(other)).toContain('Edited 0')
  })

  it('continues after an edit, and stops if the conversation was replaced', async () => {
    const { chat } = begin()
    const most = defaults.pageMessages + 3
    await chat.append(Array.from({ length: most }, () => ({ role: 'user', content: 'x' }) as const))
    let read = 0
    for await (const { seq } of chat.messages()) {
      if (seq === 1) await chat.history.edit(0, { role: 'user', content: 'A' })
      read += 1
    }
    expect(read).toBe(most)
    const reading = async () => {
      for await (const { seq } of chat.messages()) {
        if (seq !== 1) continue
        await chat.history.purge()
        await chat.append(
          Array.from({ length: most }, () => ({ role: 'user', content: 'y' }) as const),
        )
      }
    }
    await expect(reading()).rejects.toMatchObject({ code: 'CONVERSATION_REPLACED' })
  })
})

describe('the input of a rewrite', () => {
  it('is checked', async () => {
    const { tl, chat } = begin()
    await chat.append({ role: 'user', content: 'a', key: 'k' })
    const { history } = chat
    const edited = { role: 'user', content: 'b' } as const
    await expect(history.edit('#0-#1', edited)).rejects.toMatchObject({ code: 'SPAN_INVALID' })
    await expect(history.edit('x', edited)).rejects.toMatchObject({ code: 'SPAN_INVALID' })
    await expect(history.edit(0, { ...edited, key: 'other' })).rejects.toMatchObject({
      code: 'MESSAGE_INVALID',
    })
    await expect(history.edit(0, { ...edited, role: 'nobody' as never })).rejects.toMatchObject({
      code: 'MESSAGE_INVALID',
    })
    await expect(history.purgeMessage(0, { forks: 'keep' as never })).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
    })
    await expect(tl.purges({ limit: -1 })).rejects.toMatchObject({ code: 'SPAN_INVALID' })
    await expect(tl.purges({ of: 'c' } as never)).rejects.toMatchObject({ code: 'CONFIG_INVALID' })
    expect((await history.edit(0, { ...edited, key: 'k' })).ok).toBe(true)
  })
})
