/**
 * The conversation that a prompt continues: the named one or one of its forks. A prompt that continues
 * none gets a new fork where it parts from the nearest. Forks are found by their ids
 * (`invoice-7~2`), so a new process finds them too.
 */
import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults-data.ts'
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { ThroughlineError } from '../errors.ts'
import { type Atom, atomsOf, type LogAtom, type Match, matchRecent, matchWhole } from './match.ts'
import type { Settings } from './options.ts'
import type { Stamp } from './read-prompt.ts'

export interface Found {
  readonly chat: ConversationHandle
  /** The first atom of the prompt that is new, and the seq that it will get. */
  readonly newFrom: number
  readonly head: Seq
}

type Candidate = Found & Match
type Parting = Found & Extract<Match, { readonly kind: 'parts' }>

export interface Finder {
  find(id: string, prompt: readonly Atom[]): Promise<Found>
  /** For a prompt whose beginning was made from a conversation: what followed it. */
  behind(stamp: Stamp, prompt: readonly Atom[]): Promise<Found>
}

const rememberedMax = 1_000

export function createFinder({
  engine,
  history,
  changed,
}: Pick<Settings<never>, 'engine' | 'history' | 'changed'>): Finder {
  const logs = createKnownLogs()
  // The last fork of each conversation; only a cache.
  const forks = new Map<string, string>()

  const candidate = async (id: string, prompt: readonly Atom[]): Promise<Candidate> => {
    const chat = engine.conversation(id)
    if (history === 'whole') {
      const { head, atoms } = await logs.whole(chat)
      return { chat, head, ...matchWhole(atoms, prompt) }
    }
    const end = (await chat.info())?.head ?? 0
    const from = Math.max(0, end - prompt.length - spareMessages)
    const { head, atoms } = await readFrom(chat, from)
    return { chat, head, ...matchRecent(atoms, prompt) }
  }

  const remember = (id: string, found: Found): Found => {
    keepNewest(forks, id, found.chat.id, rememberedMax)
    return found
  }

  const forked = async (parting: Parting, id: string, numbers: readonly number[]) => {
    const { chat, at } = parting
    if (changed === 'fork') return forkFrom(parting, id, Math.max(1, ...numbers) + 1)
    throw new ThroughlineError(
      'HISTORY_CHANGED',
      `the prompt does not go on from conversation "${id}": it is another one from message #${at} on`,
      { details: { conversation: chat.id, at } },
    )
  }

  return {
    async find(id, prompt) {
      const first = await candidate(forks.get(id) ?? id, prompt)
      if (first.kind === 'goes-on') return remember(id, first)
      const numbers = await forkNumbers(engine, id)
      const others = [id, ...numbers.map((number) => forkId(id, number))]
      const candidates: Candidate[] = [first]
      for (const other of others)
        if (other !== first.chat.id) candidates.push(await candidate(other, prompt))
      candidates.sort((one, other) => other.newFrom - one.newFrom)
      const found = candidates.find(({ kind }) => kind === 'goes-on')
      if (found !== undefined) return remember(id, found)
      const parting = candidates.find((each) => each.kind === 'parts') ?? first
      return remember(id, await forked(parting, id, numbers))
    },
    async behind({ conversation, head: from }, prompt) {
      const chat = engine.conversation(conversation)
      const { head, atoms } = await readFrom(chat, from)
      const found: Candidate = { chat, head, ...matchWhole(atoms, prompt) }
      if (found.kind === 'goes-on') return found
      return forked(found, conversation, await forkNumbers(engine, conversation))
    },
  }
}

async function forkFrom({ chat, at, newFrom }: Parting, id: string, free: number): Promise<Found> {
  for (let attempt = 0; attempt < defaults.commitAttempts.value; attempt += 1) {
    const fork = await chat.history.fork(at, forkId(id, free + attempt))
    if (fork.ok) return { chat: fork.value, head: at, newFrom }
    // Another process may have taken the number meanwhile.
    if (fork.failure.kind !== 'exists') break
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" cannot be forked now`)
}

function forkId(id: string, number: number): string {
  return `${id}~${number}`
}

const pageSize = 100

async function forkNumbers(engine: Settings<never>['engine'], id: string) {
  const numbers: number[] = []
  const prefix = `${id}~`
  for (let after = prefix; ; ) {
    const page = await engine.list({ after, limit: pageSize })
    const ours = page.filter((conversation) => conversation.id.startsWith(prefix))
    const found = ours.map((conversation) => Number(conversation.id.slice(prefix.length)))
    numbers.push(...found.filter((number) => Number.isSafeInteger(number) && number > 1))
    const last = page.at(-1)
    if (last === undefined || ours.length < page.length || page.length < pageSize) return numbers
    after = last.id
  }
}

/**
 * Atoms of recently used conversations. They are read from the log, so a new process knows as much; a
 * chain hash tells whether the cached part is still the log's beginning.
 */
interface KnownLog {
  head: Seq
  chain: string
  readonly atoms: LogAtom[]
}

type ReadableHandle = Pick<ConversationHandle, 'id' | 'info' | 'messages'>

const entriesMax = 64
// Messages to read more than asked for, since some have no atoms.
const spareMessages = 64

export function createKnownLogs(): { whole(chat: ReadableHandle): Promise<KnownLog> } {
  const entries = new Map<string, { readonly log: KnownLog; readonly rewrites: number }>()
  return {
    async whole(chat) {
      const info = await chat.info()
      if (info === null) return { head: 0, chain: '', atoms: [] }
      const { head, rewrites } = info
      const known = entries.get(chat.id)
      const same = known?.rewrites === rewrites ? await extended(known.log, chat, head) : null
      const log = same ?? (await readFrom(chat, 0))
      keepNewest(entries, chat.id, { log, rewrites }, entriesMax)
      return log
    },
  }
}

/** Moves the entry to the end; above the limit the oldest is dropped. */
export function keepNewest<Value>(
  entries: Map<string, Value>,
  key: string,
  value: Value,
  sizeMax: number,
): void {
  entries.delete(key)
  entries.set(key, value)
  if (entries.size > sizeMax) entries.delete(entries.keys().next().value ?? key)
}

async function readFrom(chat: ReadableHandle, from: Seq): Promise<KnownLog> {
  const log: KnownLog = { head: from, chain: '', atoms: [] }
  for await (const message of chat.messages({ from })) add(log, message)
  return log
}

/** Null where the log is not the cached one. */
async function extended(known: KnownLog, chat: ReadableHandle, head: Seq) {
  if (known.head > head) return null
  // The last known message is read again: its chain hash covers all before it.
  const from = Math.max(0, known.head - 1)
  for await (const message of chat.messages({ from, to: head })) {
    // Another call may add the same ones meanwhile.
    if (message.seq >= known.head) add(known, message)
    else if (message.seq === known.head - 1 && message.hashes.chain !== known.chain) return null
  }
  return known
}

function add(log: KnownLog, message: Message): void {
  const cut = message.status === 'incomplete'
  for (const atom of atomsOf(message, cut)) log.atoms.push({ ...atom, seq: message.seq, cut })
  log.head = message.seq + 1
  log.chain = message.hashes.chain
}
