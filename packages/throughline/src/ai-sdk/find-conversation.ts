/**
 * The conversation that a prompt goes on from: the one that was named, or one of its
 * forks. A prompt that goes on from none gets a fork of its own, forked where it
 * parts from the nearest; nothing that was said is ever mixed with something else.
 *
 * Forks are found by their ids (`invoice-7~2`), so a new process finds them too.
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
  /** The first atom of the prompt that is new. */
  readonly newFrom: number
  /** The place that it will take. */
  readonly head: Seq
}

interface Candidate extends Found {
  readonly match: Match
}

export interface Finder {
  find(id: string, prompt: readonly Atom[]): Promise<Found>
  /** For a prompt whose beginning was made from a conversation: what came behind it. */
  behind(stamp: Stamp, prompt: readonly Atom[]): Promise<Found>
}

const rememberedMax = 1_000

export function createFinder({
  engine,
  history,
  changed,
}: Pick<Settings<never>, 'engine' | 'history' | 'changed'>): Finder {
  const logs = createKnownLogs()
  // Which fork a conversation was on last. Forgotten, it is found again by looking.
  const forks = new Map<string, string>()

  const candidate = async (id: string, prompt: readonly Atom[]): Promise<Candidate> => {
    const chat = engine.conversation(id)
    const { head, atoms } =
      history === 'whole' ? await logs.whole(chat) : await readEnd(chat, prompt.length)
    const match = history === 'whole' ? matchWhole(atoms, prompt) : matchRecent(atoms, prompt)
    return { chat, head, match, newFrom: match.newFrom }
  }

  const remember = (id: string, { chat, newFrom, head }: Found): Found => {
    keepNewest(forks, id, chat.id, rememberedMax)
    return { chat, newFrom, head }
  }

  const numbered = async (parting: Candidate, id: string, numbers: readonly number[]) => {
    if (changed === 'refuse') throw historyChanged(id, parting)
    return forkFrom(parting, id, Math.max(1, ...numbers) + 1)
  }

  return {
    async find(id, prompt) {
      const first = await candidate(forks.get(id) ?? id, prompt)
      if (first.match.kind === 'goes-on') return remember(id, first)
      const numbers = await forkNumbers(engine, id)
      const others = [id, ...numbers.map((number) => forkId(id, number))]
      const candidates: Candidate[] = [first]
      for (const other of others)
        if (other !== first.chat.id) candidates.push(await candidate(other, prompt))
      const found = nearest(candidates.filter(({ match }) => match.kind === 'goes-on'))
      if (found !== null) return remember(id, found)
      const parting = nearest(candidates) ?? first
      return remember(id, await numbered(parting, id, numbers))
    },
    async behind({ conversation, head: from }, prompt) {
      const chat = engine.conversation(conversation)
      const { head, atoms } = await readFrom(chat, from)
      const match = matchWhole(atoms, prompt)
      if (match.kind === 'goes-on') return { chat, head, newFrom: match.newFrom }
      const parting = { chat, head, match, newFrom: match.newFrom }
      return numbered(parting, conversation, await forkNumbers(engine, conversation))
    },
  }
}

function nearest(candidates: readonly Candidate[]): Candidate | null {
  return candidates.reduce<Candidate | null>(
    (best, next) => (best === null || next.newFrom > best.newFrom ? next : best),
    null,
  )
}

function forkId(id: string, number: number): string {
  return `${id}~${number}`
}

const pageSize = 100

/** Of the forks that there are. */
async function forkNumbers(
  engine: Settings<never>['engine'],
  id: string,
): Promise<readonly number[]> {
  const numbers: number[] = []
  const prefix = forkId(id, 0).slice(0, -1)
  for (let after = prefix; ; ) {
    const page = await engine.list({ after, limit: pageSize })
    const ours = page.filter((conversation) => conversation.id.startsWith(prefix))
    for (const conversation of ours) {
      const number = Number(conversation.id.slice(prefix.length))
      if (Number.isSafeInteger(number) && number > 1) numbers.push(number)
    }
    const last = page.at(-1)
    if (last === undefined || ours.length < page.length || page.length < pageSize) return numbers
    after = last.id
  }
}

async function forkFrom(
  { chat, head, match, newFrom }: Candidate,
  id: string,
  number: number,
): Promise<Found> {
  if (match.kind === 'goes-on') return { chat, head, newFrom }
  for (let attempt = 0; attempt < defaults.commitAttempts.value; attempt += 1) {
    const fork = await chat.history.fork(match.at, forkId(id, number + attempt))
    if (fork.ok) return { chat: fork.value, head: match.at, newFrom }
    // Somebody else may have taken the number meanwhile.
    if (fork.failure.kind !== 'exists') break
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" cannot be forked now`)
}

function historyChanged(id: string, { chat, match }: Candidate): ThroughlineError {
  const at = match.kind === 'parts' ? match.at : 0
  return new ThroughlineError(
    'HISTORY_CHANGED',
    `the prompt does not go on from conversation "${id}": it is another one from message #${at} on`,
    { details: { conversation: chat.id, at } },
  )
}

/**
 * The atoms of the conversations that this process is busy with. They are read from the
 * log, so that a new process knows as much; a chain hash tells whether what is remembered
 * is still its beginning, as long as nothing was edited that it does not name.
 */
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

const entriesMax = 64
// Some messages have no atoms: a look at the end takes these more.
const spareMessages = 64

export function createKnownLogs(): { whole(chat: ReadableHandle): Promise<KnownLog> } {
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
      keepNewest(entries, chat.id, { entry, rewrites }, entriesMax)
      return entry
    },
  }
}

/** The entry of a key, which is the newest then; of too many the oldest goes. */
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

/** At least the last so many atoms, where there are as many. */
async function readEnd(chat: ReadableHandle, atoms: number): Promise<KnownLog> {
  const head = (await chat.info())?.head ?? 0
  return readFrom(chat, Math.max(0, head - atoms - spareMessages))
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
