/**
 * A busy server: many conversations append, compact, recall and index at the same time, some with large
 * messages, while a very long one is opened, edited and purged.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConversationHandle, createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import type { BenchRow } from '../report.ts'
import { turnMessages } from '../turn/messages.ts'
import { delayRecorder } from './event-loop.ts'
import { largeTexts } from './large-texts.ts'
import { fillLong, loopModel, loopModels } from './long-log.ts'

export interface BusySize {
  /** Of the long conversation. */
  readonly messages: number
  readonly conversations: number
  /** Of a large message. */
  readonly characters: number
}

export async function busyRows(size: BusySize): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-busy-'))
  const store = () => sqlite(join(folder, 'chat.db'), { durability: 'normal' })
  try {
    const before = createThroughline({ store: store(), models: loopModels })
    await fillLong(before.conversation('long'), size.messages)
    await before.close()
    const source = `${size.conversations} busy conversations`
    const recorder = delayRecorder({ source, size: size.messages, n: 1 })
    await recorder.delays('all together', async () => {
      const engine = createThroughline({ store: store(), models: loopModels })
      const long = changeLong(engine.conversation('long'))
      const others = Array.from({ length: size.conversations }, (_, index) =>
        work(engine.conversation(`conversation-${index}`), largeText(index, size)),
      )
      await Promise.all([long, ...others])
      await engine.settled()
      await engine.close()
    })
    return recorder.rows()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** For every fifth conversation. */
function largeText(index: number, { characters }: BusySize): string | null {
  const texts = Object.values(largeTexts)
  return index % 5 === 0 ? (texts[(index / 5) % texts.length]?.(characters) ?? null) : null
}

async function work(chat: ConversationHandle, large: string | null): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) {
    await chat.append(turnMessages(turn))
    if (turn === 1 && large !== null) await chat.append({ role: 'user', content: large })
    await chat.context({ model: loopModel })
  }
  await chat.compactNextRequest()
  await chat.context({ model: loopModel })
  await chat.recall('the value of line 77')
}

const turns = 12

async function changeLong(chat: ConversationHandle): Promise<void> {
  await chat.context({ model: loopModel })
  await chat.history.edit('#9', { role: 'user', content: 'Edited.' })
  await chat.history.purgeMessage('#15')
  await chat.context({ model: loopModel })
  await chat.recall('the value of line 77')
  await chat.history.purge()
}
