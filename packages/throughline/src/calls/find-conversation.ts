/**
 * Finds the conversation that a prompt continues: the named one or one of its forks. A prompt that continues
 * none gets a new fork, at the position where it diverges from the best match. Forks are found by their
 * ids (`invoice-7~2`), so a new process finds them too.
 */
import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults-data.ts'
import type { Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import { ThroughlineError } from '../errors.ts'
import { type Atom, atomsOf, type LogAtom, type Match, matchRecent, matchWhole } from './match.ts'
import type { Settings } from './options.ts'

export interface Found {
  readonly chat: ConversationHandle
  /** The index of the first new atom of the prompt. */
  readonly newFrom: number
  /** The seq that the first new message will get. */
  readonly head: Seq
}

type Candidate = Found & Match
type Divergence = Found & Extract<Match, { readonly kind: 'diverges' }>

/** The conversation that a message was rendered from, by its id. */
export interface Stamp {
  readonly conversation: string
  /** The end of the log when the message was rendered: the context shows no message from there on. */
  readonly head: Seq
}

export interface Finder {
  find(id: string, prompt: readonly Atom[]): Promise<Found>
  /** For a prompt that starts with stamped messages: compares the messages after them. */
  findAfter(stamp: Stamp, prompt: readonly Atom[]): Promise<Found>
}

const maxRemembered = 1_000

type FinderSettings = Pick<Settings<never>, 'engine' | 'history' | 'changed'>

export function createFinder({ engine, history, changed }: FinderSettings): Finder {
  const logs = createLogCache()
  // The fork that each conversation used last; only a cache.
  const lastForks = new Map<string, string>()

  const compare = async (id: string, prompt: readonly Atom[]): Promise<Candidate> => {
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
    keepNewest(lastForks, id, found.chat.id, maxRemembered)
    return found
  }

  const forkOrRefuse = async (divergence: Divergence, id: string, used: readonly number[]) => {
    const { chat, at } = divergence
    if (changed === 'fork') return forkFrom(divergence, id, Math.max(1, ...used) + 1)
    throw new ThroughlineError(
      'HISTORY_CHANGED',
      `the prompt does not continue conversation "${id}": it differs from message #${at} on`,
      { details: { conversation: chat.id, at } },
    )
  }

  return {
    async find(id, prompt) {
      const first = await compare(lastForks.get(id) ?? id, prompt)
      if (first.kind === 'continues') return remember(id, first)
      const numbers = await forkNumbers(engine, id)
      const others = [id, ...numbers.map((number) => forkId(id, number))]
      const candidates: Candidate[] = [first]
      for (const other of others)
        if (other !== first.chat.id) candidates.push(await compare(other, prompt))
      // The longest match first.
      candidates.sort((one, other) => other.newFrom - one.newFrom)
      const found = candidates.find(({ kind }) => kind === 'continues')
      if (found !== undefined) return remember(id, found)
      const divergence = candidates.find((each) => each.kind === 'diverges') ?? first
      return remember(id, await forkOrRefuse(divergence, id, numbers))
    },
    async findAfter({ conversation, head: from }, prompt) {
      const chat = engine.conversation(conversation)
      const { head, atoms } = await readFrom(chat, from)
      const found: Candidate = { chat, head, ...matchWhole(atoms, prompt) }
      if (found.kind === 'continues') return found
      return forkOrRefuse(found, conversation, await forkNumbers(engine, conversation))
    },
  }
}

async function forkFrom({ chat, at, newFrom }: Divergence, id: string, firstNumber: number) {
  for (let attempt = 0; attempt < defaults.commitAttempts; attempt += 1) {
    const fork = await chat.history.fork(at, forkId(id, firstNumber + attempt))
    if (fork.ok) return { chat: fork.value, head: at, newFrom }
    // Another process may have used the number in the meantime.
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
    const forks = page.filter((conversation) => conversation.id.startsWith(prefix))
    const found = forks.map((conversation) => Number(conversation.id.slice(prefix.length)))
    numbers.push(...found.filter((number) => Number.isSafeInteger(number) && number > 1))
    const last = page.at(-1)
    if (last === undefined || forks.length < page.length || page.length < pageSize) return numbers
    after = last.id
  }
}

/**
 * The atoms of a recently used conversation. They are read from the log, so a new process can rebuild them.
 * The chain hash shows whether the cached part is still the start of the log.
 */
interface CachedLog {
  head: Seq
  chain: string
  readonly atoms: LogAtom[]
}

type ReadableHandle = Pick<ConversationHandle, 'id' | 'info' | 'messages'>

const maxCachedLogs = 64
// Read this many more messages than the prompt has, because some have no atoms.
const spareMessages = 64

export function createLogCache(): { whole(chat: ReadableHandle): Promise<CachedLog> } {
  const entries = new Map<string, { readonly log: CachedLog; readonly rewrites: number }>()
  return {
    async whole(chat) {
      const info = await chat.info()
      if (info === null) return { head: 0, chain: '', atoms: [] }
      const { head, rewrites } = info
      const cached = entries.get(chat.id)
      const extended = cached?.rewrites === rewrites ? await extend(cached.log, chat, head) : null
      const log = extended ?? (await readFrom(chat, 0))
      keepNewest(entries, chat.id, { log, rewrites }, maxCachedLogs)
      return log
    },
  }
}

/** Moves the entry to the end; above the limit the oldest is dropped. */
export function keepNewest<Value>(
  entries: Map<string, Value>,
  key: string,
  value: Value,
  maxSize: number,
): void {
  entries.delete(key)
  entries.set(key, value)
  if (entries.size > maxSize) entries.delete(entries.keys().next().value ?? key)
}

async function readFrom(chat: ReadableHandle, from: Seq): Promise<CachedLog> {
  const log: CachedLog = { head: from, chain: '', atoms: [] }
  for await (const message of chat.messages({ from })) addMessage(log, message)
  return log
}

/** Adds the new messages to the cached log; null if the log does not start with it. */
async function extend(cached: CachedLog, chat: ReadableHandle, head: Seq) {
  if (cached.head > head) return null
  // The last cached message is read again: its chain hash covers all before it.
  const from = Math.max(0, cached.head - 1)
  for await (const message of chat.messages({ from, to: head })) {
    // Another call may have added the same messages in the meantime.
    if (message.seq >= cached.head) addMessage(cached, message)
    else if (message.seq === cached.head - 1 && message.hashes.chain !== cached.chain) return null
  }
  return cached
}

function addMessage(log: CachedLog, message: Message): void {
  const isCutOff = message.status === 'incomplete'
  for (const atom of atomsOf(message, isCutOff))
    log.atoms.push({ ...atom, seq: message.seq, isCutOff })
  log.head = message.seq + 1
  log.chain = message.hashes.chain
}
