/**
 * Two stores of conversations that show the newest messages: Throughline, and the minimum that any
 * program must do for the same result.
 */
import {
  type ConversationHandle,
  createThroughline,
  type MessageInput,
  type Tokenizer,
} from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { openBareLog } from './bare-log.ts'
import { messagesPerTurn, turnMessages } from './messages.ts'

/** Several chats of the same length: a single one would grow beyond its nominal size. */
interface Chats {
  readonly count: number
  readonly messages: number
}

interface Kept {
  /** Messages that the context shows. */
  readonly shown: number
  /** Whether those are all messages. */
  readonly isAll: boolean
  /** The part of the turn that the context took. */
  readonly contextMicroseconds: number
}

export interface ThroughlineKeeper {
  fill(chats: Chats): Promise<void>
  turn(chat: number, turn: number): Promise<Kept>
  tokenizer(): Promise<Tokenizer>
  close(): Promise<void>
}

/** Turns at the end of the fill that request a context, so that the view is in a steady state. */
const warmUpTurns = 100

const system = 'You are a careful assistant that reads files.'
const tools = [
  {
    name: 'read_file',
    description: 'Reads lines of a file.',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string' },
        from: { type: 'integer' },
        to: { type: 'integer' },
      },
    },
  },
]

export function throughlineKeeper(file: string, windowTokens: number): ThroughlineKeeper {
  const model = `window-${windowTokens}`
  const card = { id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
  const engine = createThroughline({ store: sqlite(file), models: [card] })
  const input = { model, system, tools }
  const turn = async (chat: ConversationHandle, messages: readonly MessageInput[]) => {
    await chat.append(messages)
    const started = performance.now()
    const context = await chat.context(input)
    const contextMicroseconds = (performance.now() - started) * 1_000
    const { messages: shown, omitted } = context
    return { shown: shown.length, isAll: omitted.length === 0, contextMicroseconds }
  }
  return {
    fill: async ({ count, messages }) => {
      const turns = Math.floor(messages / messagesPerTurn)
      const coldTurns = Math.max(0, turns - warmUpTurns)
      for (let chat = 0; chat < count; chat += 1) {
        const handle = engine.conversation(nameOf(chat))
        for (const batch of batches(coldTurns)) await handle.append(batch)
        for (let at = coldTurns; at < turns; at += 1) await turn(handle, turnMessages(-at))
      }
    },
    turn: (chat, at) => turn(engine.conversation(nameOf(chat)), turnMessages(at)),
    tokenizer: async () => (await engine.meter(model)).tokenizer,
    close: () => engine.close(),
  }
}

function nameOf(chat: number): string {
  return `chat-${chat}`
}

const turnsPerBatch = 333

function* batches(turns: number): Generator<readonly MessageInput[]> {
  for (let done = 0; done < turns; done += turnsPerBatch) {
    const length = Math.min(turnsPerBatch, turns - done)
    yield Array.from({ length }, (_, at) => turnMessages(-done - at)).flat()
  }
}

export interface MinimumKeeper {
  fill(chats: Chats): void
  /** Shows the given number of newest messages. */
  turn(chat: number, turn: number, shown: number): void
  close(): void
}

/** A bare log: hashes and counts the new messages once, reads and parses the shown ones. */
export function minimumKeeper(file: string, tokenizer: Tokenizer): MinimumKeeper {
  const { database, writeAt } = openBareLog(file)
  const newest = database.prepare(
    'SELECT body FROM messages WHERE place >= ? AND place < ? ORDER BY place',
  )
  const heads: number[] = []
  const write = (chat: number, messages: readonly MessageInput[]) => {
    for (const message of messages) {
      const head = heads[chat] ?? chat * placesPerChat
      writeAt(head, message)
      heads[chat] = head + 1
    }
  }
  return {
    fill: ({ count, messages }) => {
      database.exec('BEGIN')
      for (let chat = 0; chat < count; chat += 1)
        for (let turn = 0; turn < Math.floor(messages / messagesPerTurn); turn += 1)
          write(chat, turnMessages(-turn))
      database.exec('COMMIT')
    },
    turn: (chat, turn, shown) => {
      const messages = turnMessages(turn)
      database.exec('BEGIN IMMEDIATE')
      write(chat, messages)
      database.exec('COMMIT')
      for (const { content } of messages) tokenizer.count(JSON.stringify(content))
      const head = heads[chat] ?? 0
      for (const row of newest.all(head - shown, head)) JSON.parse(String(row['body']))
    },
    close: () => database.close(),
  }
}

const placesPerChat = 2 ** 32
