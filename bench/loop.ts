/**
 * How long operations block the event loop: on a very long conversation, and with very large
 * messages. A server that holds many conversations answers no request while it is blocked.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { type ConversationHandle, createThroughline, ThroughlineError } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import type { BenchOptions, BenchRow } from './report.ts'
import { rowWriter } from './row-writer.ts'
import { shippedSizes } from './shipped-sizes.ts'
import { messagesPerTurn, turnMessages } from './turn/messages.ts'

const model = 'window-8192'
const models = [{ id: model, contextWindowTokens: 8_192, tokenizer: 'o200k_base' }] as const

export async function measureLoop(options: BenchOptions): Promise<readonly BenchRow[]> {
  if (options.dataDir !== null)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'bench loop generates its own messages: leave out --data',
    )
  const rows: BenchRow[] = []
  for (const size of options.sizes ?? shippedSizes.loop) rows.push(...(await longRows(size)))
  rows.push(...(await largeRows(1_000_000)))
  return rows
}

/** Changes of a long conversation, at its start and at its end. */
export async function longRows(size: number): Promise<readonly BenchRow[]> {
  return withEngine(async (chat) => {
    for (let turn = 0; turn * messagesPerTurn < size; turn += turnsPerBatch) {
      const turns = Array.from({ length: turnsPerBatch }, (_, at) => turnMessages(turn + at, 3))
      await chat.append(turns.flat())
    }
    const { delays, rows } = recorder({ source: 'a long conversation', size, n: 1 })
    await delays('context', () => chat.context({ model }))
    await delays('append', () => chat.append(turnMessages(size, 3)))
    const edited = { role: 'user', content: 'Edited.' } as const
    await delays('edit at the start', () => chat.history.edit('#9', edited))
    await delays('remove a call', () => chat.history.remove('#13'))
    await delays('context afterwards', () => chat.context({ model }))
    await delays('purge a message', () => chat.history.purgeMessage('#15'))
    return rows()
  })
}

const turnsPerBatch = 500

/** One message of this many characters at a time, of several kinds. */
export async function largeRows(characters: number): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [name, line] of Object.entries(lines))
    rows.push(
      ...(await withEngine(async (chat) => {
        const own = recorder({ source: `a large message: ${name}`, size: characters, n: 1 })
        await chat.append(turnMessages(0))
        const content = textOf(line, characters)
        await own.delays('append', () => chat.append({ role: 'user', content }))
        await own.delays('context', () => chat.context({ model }))
        for (let turn = 1; turn < 40; turn += 1) await chat.append(turnMessages(turn))
        await own.delays('compact', async () => {
          await chat.compactNextRequest()
          return chat.context({ model })
        })
        await own.delays('recall', () => chat.recall('the value of line 77'))
        return own.rows()
      })),
    )
  return rows
}

const lines: Readonly<Record<string, (index: number) => string>> = {
  English: (index) => `The ${index}th visitor of the house said that the garden was quiet today.`,
  code: (index) => `  const value${index} = await readFile(paths[${index}], { encoding: 'utf8' })`,
  logs: (index) => `2026-03-05T10:${index % 60}:07Z INFO worker-${index} took ${index * 7} ms`,
  'lone surrogates': (index) => `\ud83d value ${index} \ude00 of a broken text`,
}

function textOf(line: (index: number) => string, characters: number): string {
  const all: string[] = []
  for (let length = 0; length < characters; length += (all.at(-1)?.length ?? 0) + 1)
    all.push(line(all.length))
  return all.join('\n')
}

async function withEngine<Value>(
  run: (chat: ConversationHandle) => Promise<Value>,
): Promise<Value> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-loop-'))
  const store = sqlite(join(folder, 'chat.db'), { durability: 'normal' })
  const engine = createThroughline({ store, models })
  try {
    return await run(engine.conversation('long'))
  } finally {
    await engine.close()
    rmSync(folder, { recursive: true })
  }
}

function recorder(row: Parameters<typeof rowWriter>[0]) {
  const write = rowWriter(row)
  const rows: BenchRow[] = []
  return {
    rows: () => rows,
    delays: async (name: string, run: () => Promise<unknown>) => {
      const histogram = monitorEventLoopDelay({ resolution: 1 })
      // Work that an earlier operation started does not count.
      await wait(settleMs)
      histogram.enable()
      await wait(2)
      const started = performance.now()
      await run()
      const elapsed = performance.now() - started
      await wait(2)
      histogram.disable()
      const ms = (nanoseconds: number) => nanoseconds / 1e6
      rows.push(
        write(name, elapsed, 'ms in all'),
        write(name, ms(histogram.percentile(99)), 'ms of delay, p99'),
        write(name, ms(histogram.max), 'ms of delay, maximum'),
      )
    },
  }
}

const settleMs = 50
