/**
 * Two stores of one conversation that show its newest messages: Throughline, and the minimum that
 * any program must do for the same result.
 */
import { createThroughline, type MessageInput, type Tokenizer } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { openBareLog } from './bare-log.ts'
import { linesFor, messagesPerTurn, turnMessages } from './messages.ts'

/** One cell of the table: how long the log is, how large its turns and the window are. */
export interface TurnCell {
  readonly messages: number
  readonly turnTokens: number
  readonly windowTokens: number
  readonly durability: 'full' | 'normal'
}

interface Kept {
  /** Messages that the context shows. */
  readonly shown: number
  readonly isCompaction: boolean
  /** The part of the turn that the context took. */
  readonly contextMicroseconds: number
}

export interface ThroughlineKeeper {
  /** Appends turns without a context. */
  fill(): Promise<void>
  turn(turn: number): Promise<Kept>
  /** Waits for work in the background, as while a model answers. */
  settled(): Promise<void>
  tokenizer(): Promise<Tokenizer>
  close(): Promise<void>
}

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

export function throughlineKeeper(file: string, cell: TurnCell): ThroughlineKeeper {
  const { windowTokens, durability } = cell
  const model = `window-${windowTokens}`
  const card = { id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' } as const
  const engine = createThroughline({ store: sqlite(file, { durability }), models: [card] })
  const chat = engine.conversation('bench')
  const lines = linesFor(cell.turnTokens)
  return {
    fill: async () => {
      for (const turns of batches(cell))
        await chat.append(turns.flatMap((turn) => turnMessages(-turn, lines)))
    },
    turn: async (turn) => {
      await chat.append(turnMessages(turn, lines))
      const started = performance.now()
      const { messages, decision } = await chat.context({ model, system, tools })
      const contextMicroseconds = (performance.now() - started) * 1_000
      return {
        shown: messages.length,
        isCompaction: decision.kind === 'compact',
        contextMicroseconds,
      }
    },
    settled: () => engine.settled(),
    tokenizer: async () => (await engine.meter(model)).tokenizer,
    close: () => engine.close(),
  }
}

const turnsPerBatch = 100

function* batches({ messages }: TurnCell): Generator<readonly number[]> {
  const turns = Math.floor(messages / messagesPerTurn)
  for (let done = 0; done < turns; done += turnsPerBatch)
    yield Array.from({ length: Math.min(turnsPerBatch, turns - done) }, (_, at) => done + at)
}

export interface MinimumKeeper {
  fill(): void
  /** Shows the given number of newest messages. */
  turn(turn: number, shown: number): void
  close(): void
}

/** A bare log: hashes and counts the new messages once, reads and parses the shown ones. */
export function minimumKeeper(file: string, cell: TurnCell, tokenizer: Tokenizer): MinimumKeeper {
  const { database, writeAt } = openBareLog(file, cell.durability)
  const newest = database.prepare('SELECT body FROM messages WHERE place >= ? ORDER BY place')
  const lines = linesFor(cell.turnTokens)
  let head = 0
  const write = (messages: readonly MessageInput[]) => {
    database.exec('BEGIN IMMEDIATE')
    for (const message of messages) {
      writeAt(head, message)
      head += 1
    }
    database.exec('COMMIT')
  }
  return {
    fill: () => {
      for (const turns of batches(cell)) write(turns.flatMap((turn) => turnMessages(-turn, lines)))
    },
    turn: (turn, shown) => {
      const messages = turnMessages(turn, lines)
      write(messages)
      for (const { content } of messages) tokenizer.count(JSON.stringify(content))
      for (const row of newest.all(head - shown)) JSON.parse(String(row['body']))
    },
    close: () => database.close(),
  }
}
