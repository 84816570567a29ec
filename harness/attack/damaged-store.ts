/** Fills every table of a store, damages copies of it, and makes every API call on them. */

import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
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
    await chat.compactNextRequest()
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

/** Everything that could be read; null if a read failed. */
export type Contents = readonly (readonly [Conversation, readonly Message[]])[] | null

interface Probed {
  /** Errors without a code, with the call that threw them. */
  readonly raw: readonly string[]
  readonly contents: Contents
}

/** Makes all calls, read-only ones first. Coded errors are allowed. */
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
    ['compact', () => chat.compactNextRequest()],
    ['context after that', () => chat.context({ model, next })],
    ['fork', () => chat.history.fork(2, `${chat.id}-fork`)],
    ['edit', () => chat.history.edit('#0', { role: 'user', content: 'Edited now.' })],
    ['remove', () => chat.history.remove('#3')],
    ['purgeMessage', () => chat.history.purgeMessage('#0', { forks: 'purge' })],
    ['purge', () => chat.history.purge({ forks: 'purge' })],
  ]
}

/** A way to damage a file: bytes, pages, or a column of a table by SQL. */
export interface Damage {
  readonly name: string
  /** Writes the damaged file; false if SQLite does not allow the change. */
  apply(intact: string, damaged: string): boolean
}

const pageBytes = 4_096

export function pageDamages(chance: Chance, count: number): readonly Damage[] {
  const kinds = Object.keys(pageKinds)
  return chance.times(count, (index) => {
    const kind = kinds[index % kinds.length] ?? 'flips'
    const draws = chance.times(4, () => chance.below(2 ** 31))
    return {
      name: `${kind} ${draws.join(' ')}`,
      apply: (intact, damaged) => {
        writeFileSync(damaged, pageKinds[kind]?.(readFileSync(intact), draws) ?? '')
        return true
      },
    }
  })
}

type Draws = readonly number[]

const pageKinds: Readonly<Record<string, (bytes: Buffer, draws: Draws) => Buffer>> = {
  flips: (bytes, draws) => {
    for (const draw of draws) {
      const at = draw % bytes.length
      bytes[at] = (bytes[at] ?? 0) ^ (1 << (draw % 8))
    }
    return bytes
  },
  'one flip': (bytes, [draw = 0]) => {
    const at = draw % bytes.length
    bytes[at] = (bytes[at] ?? 0) ^ (1 << (draw % 8))
    return bytes
  },
  zeroes: (bytes, [page = 0]) => {
    const at = pageAt(bytes, page)
    return bytes.fill(0, at, at + pageBytes)
  },
  ones: (bytes, [page = 0]) => {
    const at = pageAt(bytes, page)
    return bytes.fill(0xff, at, at + pageBytes)
  },
  run: (bytes, [draw = 0, length = 0]) => {
    const at = draw % bytes.length
    return bytes.fill(0, at, at + 1 + (length % 64))
  },
  copied: (bytes, [from = 0, to = 0]) => {
    bytes.copy(bytes, pageAt(bytes, to), pageAt(bytes, from), pageAt(bytes, from) + pageBytes)
    return bytes
  },
  cut: (bytes, [draw = 0]) => bytes.subarray(0, draw % bytes.length),
}

function pageAt(bytes: Buffer, draw: number): number {
  return (draw % Math.floor(bytes.length / pageBytes)) * pageBytes
}

/** Values that the column did not have: of another type, out of range, or simply different. */
const values = [
  ...['NULL', '-1', '7', '9000000000000000', "'x'", "'{}'", "'[null]'"],
  ...[`'[{"kind":"removed"}]'`, "x'00'"],
]

/** Damages one column at a time of rows in the middle of a table. */
export function columnDamages(intact: string): readonly Damage[] {
  const database = new DatabaseSync(intact, { readOnly: true })
  try {
    const columns = database
      .prepare(
        `SELECT m.name AS tableName, p.name AS columnName FROM sqlite_schema m, pragma_table_info(m.name) p
         WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' AND m.name NOT LIKE 'recall%'
         ORDER BY m.name, p.cid`,
      )
      .all()
    return columns.flatMap(({ tableName, columnName }) =>
      values.map((value) => columnDamage(`${tableName}`, `${columnName}`, value)),
    )
  } finally {
    database.close()
  }
}

function columnDamage(table: string, column: string, value: string): Damage {
  const sql = `UPDATE ${table} SET ${column} = ${value} WHERE ${column} IS NOT ${value}`
  return {
    name: sql,
    apply: (intact, damaged) => {
      copyFileSync(intact, damaged)
      const database = new DatabaseSync(damaged, { enableForeignKeyConstraints: false })
      try {
        // All rows if possible; a single row if the column must be unique.
        try {
          database.exec(sql)
        } catch {
          database.exec(`${sql} AND ${column} = (SELECT max(${column}) FROM ${table})`)
        }
        return Number(database.prepare('SELECT changes() AS rows').get()?.['rows']) > 0
      } catch {
        return false
      } finally {
        database.close()
      }
    },
  }
}
