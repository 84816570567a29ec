/** A store with something in every table, and every call of the API on a damaged copy of it. */
import {
  type Conversation,
  type ConversationHandle,
  isThroughlineError,
  type Message,
  type Throughline,
} from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { historyEngine, historyModels } from '../history/history-engine.ts'
import { plantCanaries } from '../history/planted-canaries.ts'
import type { Chance } from '../kernel/chance.ts'

const [model] = historyModels

export async function fillStore(file: string, chance: Chance): Promise<void> {
  const tl = openEngine(file)
  try {
    await plantCanaries({ tl, store: sqlite(file), chance, id: 'main' }, 6)
    const chat = tl.conversation('main')
    await chat.append([
      { role: 'user', content: 'With a key.', key: 'k-1', createdAt: 1_600_000_000_000 },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'nobody', output: 'an orphan' }] },
    ])
    await chat.update({ titleFrom: 0, meta: { of: 'main' } })
    await tl.begin('titled', { title: 'A title of a caller', parent: { conversationId: 'main' } })
    await tl.conversation('titled').append({ role: 'user', content: 'hello' })
    await chat.history.edit('#1', { role: await roleOf(chat, 1), content: 'Edited.' })
    await chat.history.remove('#2')
    await chat.history.fork(4, 'forked')
    await tl.conversation('forked').append({ role: 'user', content: 'on' })
    await chat.context({ model })
    await chat.compact()
    await chat.context({ model })
    await chat.recall('plan supplier pages')
    await tl.settled()
    await tl.conversation('gone').append({ role: 'user', content: 'gone' })
    await tl.conversation('gone').history.purge()
  } finally {
    await tl.close()
  }
}

function openEngine(file: string): Throughline {
  let now = 1_700_000_000_000
  const store = sqlite(file, { durability: 'normal', busyTimeoutMs: 100 })
  return historyEngine({ store, policy: 'balanced', now: () => (now += 1_000), writes: true })
}

async function roleOf(chat: ConversationHandle, seq: number): Promise<Message['role']> {
  const [message] = await Array.fromAsync(chat.messages({ from: seq, to: seq + 1 }))
  return message?.role ?? 'user'
}

/** Everything that can be read without an error; null where something could not. */
export type Contents = readonly (readonly [Conversation, readonly Message[]])[] | null

export interface Probed {
  /** Errors without a code, by the call that threw them. */
  readonly raw: readonly string[]
  readonly contents: Contents
}

/** All calls, first those that only look; errors with a code are what is promised. */
export async function probe(file: string): Promise<Probed> {
  const raw: string[] = []
  let contents: Contents = null
  const ask = async (name: string, call: () => unknown) => {
    try {
      await call()
    } catch (error) {
      if (!isThroughlineError(error))
        raw.push(`${name}: ${error instanceof Error ? error.stack : error}`)
    }
  }
  let tl: Throughline | null = null
  await ask('open', () => {
    tl = openEngine(file)
  })
  if (tl === null) return { raw, contents }
  const engine: Throughline = tl
  await ask('read', async () => {
    contents = await contentsOf(engine)
  })
  for (const id of ['main', 'forked'])
    for (const [name, call] of calls(engine.conversation(id), engine))
      await ask(`${name} of ${id}`, call)
  await ask('settled', () => engine.settled())
  await ask('close', () => engine.close())
  return { raw, contents }
}

export async function readContents(file: string): Promise<Contents> {
  const tl = openEngine(file)
  try {
    return await contentsOf(tl)
  } finally {
    await tl.close()
  }
}

async function contentsOf(tl: Throughline): Promise<Contents> {
  const contents: [Conversation, readonly Message[]][] = []
  for (const conversation of await tl.list())
    contents.push([
      conversation,
      await Array.fromAsync(tl.conversation(conversation.id).messages()),
    ])
  return contents
}

function calls(
  chat: ConversationHandle,
  tl: Throughline,
): readonly (readonly [name: string, call: () => Promise<unknown>])[] {
  const next = { role: 'user', content: 'Who asks the supplier for the pages?' } as const
  return [
    ['info', () => chat.info()],
    ['turns', () => chat.turns()],
    ['status', () => chat.status()],
    ['receipts', () => chat.receipts()],
    ['summaries', () => chat.summaries()],
    ['events', () => chat.events()],
    ['original', () => chat.original(0)],
    ['versions', () => chat.history.versions()],
    ['purges', () => tl.purges()],
    ['expand', () => chat.expand('#0-#5')],
    ['recall', () => chat.recall('plan supplier')],
    ['preview', () => chat.preview({ model, next })],
    ['context', () => chat.context({ model, next })],
    ['append', () => chat.append({ role: 'user', content: 'And now?' }, { key: 'k-1' })],
    ['pin', () => chat.pin('#0')],
    ['update', () => chat.update({ titleFrom: 0 })],
    ['undo', () => chat.history.undo()],
    ['compact', () => chat.compact()],
    ['context after that', () => chat.context({ model, next })],
    ['fork', () => chat.history.fork(2, `${chat.id}-fork`)],
    ['edit', () => chat.history.edit('#0', { role: 'user', content: 'Edited now.' })],
    ['remove', () => chat.history.remove('#3')],
    ['purgeMessage', () => chat.history.purgeMessage('#0', { forks: 'purge' })],
    ['purge', () => chat.history.purge({ forks: 'purge' })],
  ]
}
