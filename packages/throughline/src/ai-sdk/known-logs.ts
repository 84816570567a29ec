/**
 * The atoms of the conversations that this process is busy with. They are read from the
 * log, so that a new process knows as much; a chain hash tells whether what is remembered
 * is still its beginning, as long as nothing was edited that it does not name.
 */
import type { ConversationHandle } from '../conversation/handle.ts'
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { atomsOf } from './atoms.ts'
import type { LogAtom } from './match.ts'

interface KnownLog {
  readonly head: Seq
  readonly atoms: readonly LogAtom[]
}

interface Entry {
  head: Seq
  chain: string
  readonly atoms: LogAtom[]
}

type ReadableHandle = Pick<ConversationHandle, 'id' | 'info' | 'messages'>

export interface KnownLogs {
  whole(chat: ReadableHandle): Promise<KnownLog>
  /** At least the last so many atoms, where there are as many. */
  end(chat: ReadableHandle, atoms: number): Promise<KnownLog>
  /** What stands from a place on. */
  since(chat: ReadableHandle, from: Seq): Promise<KnownLog>
}

const entriesMax = 64
// Some messages have no atoms: a look at the end takes these more.
const spareMessages = 64

export function createKnownLogs(): KnownLogs {
  const entries = new Map<string, { readonly entry: Entry; readonly rewrites: number }>()
  return {
    async whole(chat) {
      const info = await chat.info()
      if (info === null) return { head: 0, atoms: [] }
      const { head, rewrites } = info
      const known = entries.get(chat.id)
      const isSame = known?.rewrites === rewrites
      const entry =
        (isSame ? await extended(known.entry, chat, head) : null) ?? (await readFrom(chat, 0))
      entries.delete(chat.id)
      entries.set(chat.id, { entry, rewrites })
      if (entries.size > entriesMax) entries.delete(entries.keys().next().value ?? chat.id)
      return { head: entry.head, atoms: entry.atoms }
    },
    async end(chat, atoms) {
      const head = (await chat.info())?.head ?? 0
      return readFrom(chat, Math.max(0, head - atoms - spareMessages))
    },
    since: readFrom,
  }
}

async function readFrom(chat: ReadableHandle, from: Seq): Promise<Entry> {
  const entry: Entry = { head: from, chain: '', atoms: [] }
  for await (const message of chat.messages({ from })) add(entry, message)
  return entry
}

/** Null where the log is another one than the one that is remembered. */
async function extended(known: Entry, chat: ReadableHandle, head: Seq): Promise<Entry | null> {
  if (known.head > head) return null
  // The last that is known is read again: its chain stands for all before it.
  const from = Math.max(0, known.head - 1)
  for await (const message of chat.messages({ from, to: head })) {
    // Another call may add the same ones meanwhile.
    if (message.seq >= known.head) add(known, message)
    else if (message.seq === known.head - 1 && message.hashes.chain !== known.chain) return null
  }
  return known
}

function add(entry: Entry, message: Message): void {
  const cut = message.status === 'incomplete'
  for (const atom of atomsOf(message, cut)) entry.atoms.push({ ...atom, seq: message.seq, cut })
  entry.head = message.seq + 1
  entry.chain = message.hashes.chain
}
