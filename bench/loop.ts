/**
 * How long operations block the event loop: on a very long conversation, and with very large
 * messages. A server that holds many conversations answers no request while it is blocked.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConversationHandle, createThroughline, ThroughlineError } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { busyRows } from './loop/busy.ts'
import { delayRecorder } from './loop/event-loop.ts'
import { largeTexts } from './loop/large-texts.ts'
import { fillLong, loopModel as model, loopModels as models } from './loop/long-log.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { shippedSizes } from './shipped-sizes.ts'
import { turnMessages } from './turn/messages.ts'

export async function measureLoop(options: BenchOptions): Promise<readonly BenchRow[]> {
  if (options.dataDir !== null)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'bench loop generates its own messages: leave out --data',
    )
  const rows: BenchRow[] = []
  for (const messages of options.sizes ?? shippedSizes.loop) {
    rows.push(...(await longRows(messages)))
    rows.push(...(await busyRows({ messages, conversations: 50, characters })))
  }
  rows.push(...(await largeRows(characters)))
  return rows
}

/** Of a large message. */
const characters = 1_000_000

/** Changes of a long conversation, at its start and at its end. */
export async function longRows(size: number): Promise<readonly BenchRow[]> {
  return withEngine(async (chat) => {
    await fillLong(chat, size)
    const { delays, rows } = delayRecorder({ source: 'a long conversation', size, n: 1 })
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

/** One message of this many characters at a time, of several kinds. */
export async function largeRows(size: number): Promise<readonly BenchRow[]> {
  const rows: BenchRow[] = []
  for (const [name, textOf] of Object.entries(largeTexts))
    rows.push(
      ...(await withEngine(async (chat) => {
        const own = delayRecorder({ source: `a large message: ${name}`, size, n: 1 })
        await chat.append(turnMessages(0))
        const content = textOf(size)
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
