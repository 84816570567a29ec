import { afterEach, describe, expect, it, vi } from 'vitest'
import type { MessageInput } from '../domain/message.ts'
import type { ReadQuery, RowQuery, Store, TenantStore } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import { fakeClock } from '../testing/fake-clock.ts'
import { createThroughline } from '../throughline.ts'

const models = [{ id: 'small', contextWindowTokens: 4_096, tokenizer: 'o200k_base' }] as const

interface Watched {
  readonly store: Store
  readonly reads: ReadQuery[]
  readonly states: RowQuery[]
}

/** A store that records its queries. */
function watched(inner: Store = memory()): Watched {
  const reads: ReadQuery[] = []
  const states: RowQuery[] = []
  const store: Store = {
    ...inner,
    tenant: (id): TenantStore => {
      const tenant = inner.tenant(id)
      return {
        ...tenant,
        read: (query) => {
          reads.push(query)
          return tenant.read(query)
        },
        load: (query) => {
          const [view] = query.rows ?? []
          if (view?.kind === 'view') states.push(view)
          return tenant.load(query)
        },
      }
    },
  }
  return { store, reads, states }
}

const spanOf = (query: ReadQuery | undefined) =>
  query !== undefined && 'span' in query ? query.span : null

const open = (store: Store) =>
  createThroughline({ store, models, clock: fakeClock() }).conversation('c')

const userMessage = (content: string): MessageInput => ({ role: 'user', content })
const textsOf = (context: {
  readonly messages: readonly { readonly parts: readonly object[] }[]
}) => JSON.stringify(context.messages.map(({ parts }) => parts))

// Background work reads too, and begins with a timer.
const withoutBackground = () => vi.useFakeTimers({ toFake: ['setTimeout'] })

afterEach(() => {
  vi.useRealTimers()
})

describe('the tail of a conversation', () => {
  it('is read once, and then only newer messages of others', async () => {
    const { store, reads } = watched()
    const [chat, other] = [open(store), open(store)]
    for (let index = 0; index < 5; index += 1) {
      await chat.append(userMessage(`message ${index}`))
      await chat.context({ model: 'small' })
    }
    expect(reads.map(spanOf)).toEqual([{ from: 0, to: 1 }])
    await other.append(userMessage('theirs'))
    await chat.append(userMessage('ours'))
    await chat.context({ model: 'small' })
    expect(spanOf(reads.at(-1))).toEqual({ from: 5, to: 7 })
  })

  it('also serves a compaction, and the messages that it keeps before the line', async () => {
    withoutBackground()
    const { store, reads } = watched()
    const chat = open(store)
    await chat.append(userMessage(`the task ${'word '.repeat(30)}`))
    for (let index = 0; index < 60; index += 1) {
      await chat.append({ role: 'assistant', content: `${index} ${'word '.repeat(100)}` })
      await chat.context({ model: 'small' })
    }
    expect((await chat.context({ model: 'small' })).epoch).toBeGreaterThan(3)
    expect(reads.map(spanOf)).toEqual([{ from: 0, to: 2 }])
  })

  it('equals what the store would return, in every field', async () => {
    const { store } = watched()
    const chat = open(store)
    await chat.append(userMessage('first'))
    for (const key of ['a', 'b']) {
      await chat.context({ model: 'small' })
      await chat.append([userMessage(`one ${key}`), { ...userMessage('two'), meta: { own: 1 } }], {
        key,
      })
      // A retry writes nothing, and adds nothing to the cache.
      await chat.append([userMessage(`one ${key}`), { ...userMessage('two'), meta: { own: 1 } }], {
        key,
      })
    }
    const fresh = open(store)
    const shown = await chat.context({ model: 'small' })
    expect(shown.messages).toEqual((await fresh.context({ model: 'small' })).messages)
    expect(shown.messages).toHaveLength(5)
  })

  it('has messages that another process appended', async () => {
    const { store } = watched()
    const [chat, other] = [open(store), open(store)]
    await chat.append(userMessage('ours'))
    await chat.context({ model: 'small' })
    await other.append([userMessage('theirs'), userMessage('and more')])
    expect(textsOf(await chat.context({ model: 'small' }))).toMatch(/ours.*theirs.*and more/)
  })

  it('is not that of the conversation that had the id before', async () => {
    const { store } = watched()
    const [chat, other] = [open(store), open(store)]
    await chat.append([userMessage('old one'), userMessage('old two')])
    await chat.context({ model: 'small' })
    await other.history.purge()
    await other.append([userMessage('new one'), userMessage('new two'), userMessage('new three')])
    const shown = textsOf(await chat.context({ model: 'small' }))
    expect(shown).toContain('new one')
    expect(shown).not.toContain('old')
  })

  it('cannot be changed by its readers', async () => {
    const { store } = watched()
    const chat = open(store)
    await chat.append(userMessage('as it was'))
    await chat.context({ model: 'small' })
    await chat.append(userMessage('and on'))
    const { messages } = await chat.context({ model: 'small' })
    const part = messages[0]?.parts[0] as { text: string }
    expect(() => {
      part.text = 'changed'
    }).toThrow(TypeError)
    expect(textsOf(await chat.context({ model: 'small' }))).toContain('as it was')
  })
})

describe('a view', () => {
  const long = Array.from({ length: 60 }, (_, index) =>
    userMessage(`${index} ${'word '.repeat(100)}`),
  )

  it('is read again only when the version has moved', async () => {
    const { store, states } = watched()
    const chat = open(store)
    await chat.append(long)
    const { epoch } = await chat.context({ model: 'small' })
    // Its own commit is cached.
    expect((await chat.context({ model: 'small' })).epoch).toBe(epoch)
    expect(states.at(-1)?.unlessVersion).toBe(1)
    await chat.pin(0)
    await chat.context({ model: 'small' })
    expect(states.at(-1)?.unlessVersion).toBe(1)
    await chat.context({ model: 'small' })
    expect(states.at(-1)?.unlessVersion).toBe(3)
  })

  it('that another process made is seen', async () => {
    const { store } = watched()
    const [chat, other] = [open(store), open(store)]
    await chat.append(long)
    await chat.context({ model: 'small' })
    await chat.context({ model: 'small' })
    await other.pin(0)
    const theirs = await other.context({ model: 'small' })
    const ours = await chat.context({ model: 'small' })
    expect(ours.epoch).toBe(theirs.epoch)
    expect(textsOf(ours)).toBe(textsOf(theirs))
  })

  it('is not that of the conversation that had the id before', async () => {
    const { store } = watched()
    const [chat, other] = [open(store), open(store)]
    await chat.append(long)
    for (let times = 0; times < 3; times += 1) await chat.context({ model: 'small' })
    await other.history.purge()
    await other.append([userMessage('new one'), ...long])
    await other.context({ model: 'small' })
    const theirs = await other.context({ model: 'small' })
    expect(textsOf(await chat.context({ model: 'small' }))).toBe(textsOf(theirs))
  })
})
