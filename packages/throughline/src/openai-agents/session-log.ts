/**
 * The history of a session as a log: what its items are now, and how they change. A change is one append, which
 * names the messages that it replaces; their content is then removed, here or by the next reader.
 */
import { atomsOf } from '../calls/match.ts'
import { readMessages } from '../calls/read-messages.ts'
import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults-data.ts'
import type { Seq } from '../domain/ids.ts'
import { fieldsIn, type JsonObject } from '../domain/json.ts'
import type { Message, MessageInput } from '../domain/message.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import { sha256 } from '../system.ts'

/** A change with an id that stays the same when the change is tried again. */
interface Operation {
  readonly id: string
  /** The change as JSON, to recognize another one under the same id. */
  readonly transaction: string
}

interface LoggedItem {
  readonly seq: Seq
  readonly message: Message
}

interface Loaded {
  readonly head: Seq
  readonly log: readonly Message[]
  /** Those that belong to the history now. */
  readonly items: readonly LoggedItem[]
  readonly operations: ReadonlyMap<string, string>
}

export function createSessionLog(chat: ConversationHandle) {
  // The end of the log after our last operation, and the one that the filter has appended to since. What another
  // process appends in the meantime is no item of ours, even if it is equal to one.
  let known: Seq | null = null
  let filteredTo: Seq = 0
  const readLog = createLogReader(chat)

  const loadAll = async (): Promise<Loaded> => {
    const log = await readLog()
    const notes = log.map(noteOf)
    const operations = new Map(
      notes.flatMap(({ operations: applied = {} }) => Object.entries(applied)),
    )
    const replaced = notes.flatMap(({ replaces }) => (replaces === undefined ? [] : [replaces]))
    const isReplaced = (seq: Seq) => replaced.some(({ from, to }) => seq >= from && seq < to)
    // A process may have ended between the two commits of a replacement.
    for (const { from, to } of replaced)
      if (log.slice(from, to).some(isPresent)) await removeSpan(from, to)
    const present = log
      .map((message) => ({ seq: message.seq, message }))
      .filter(({ seq, message }) => isPresent(message) && !isReplaced(seq))
    return { head: log.length, log, items: fromCompaction(present), operations }
  }

  const removeSpan = (from: Seq, to: Seq) => chat.history.remove(`#${from}-#${to - 1}`)

  const load = async (): Promise<readonly LoggedItem[]> => {
    const { head, items } = await loadAll()
    known = head
    return items
  }

  /** Appends if nothing was appended since `loaded`; false if something was. */
  const appendAfter = async ({ head }: Loaded, messages: readonly MessageInput[]) => {
    try {
      known = (await chat.append(messages, { head })).head
      return true
    } catch (error) {
      if (isThroughlineError(error) && error.code === 'LOG_MOVED') return false
      throw error
    }
  }

  /** Tries a change again with what the log has in the meantime. */
  const change = async (attempt: (loaded: Loaded) => Promise<boolean>): Promise<void> => {
    for (let tries = 0; tries < defaults.commitAttempts; tries += 1)
      if (await attempt(await loadAll())) return
    throw new ThroughlineError(
      'STORE_BUSY',
      `session "${chat.id}" is being changed by other calls; try again`,
    )
  }

  return {
    load,
    /** The filter has appended its input, which ends here in the log. */
    filtered: (head: Seq): void => {
      filteredTo = head
    },
    append: (messages: readonly MessageInput[], operation: Operation | null) =>
      change(async (loaded) => {
        if (isApplied(loaded, operation)) return true
        const recorded = loaded.items.filter(
          ({ seq }) => known !== null && seq >= known && seq < filteredTo,
        )
        const fresh = messages.slice(commonLength(recorded, messages))
        if (fresh.length > 0 || operation !== null)
          return appendAfter(
            loaded,
            operation === null ? fresh : withNote(fresh, operation, {}, {}),
          )
        known = loaded.head
        return true
      }),
    replaceSuffix: (
      expected: readonly MessageInput[],
      replacement: readonly MessageInput[],
      operation: Operation,
    ) =>
      change(async (loaded) => {
        if (isApplied(loaded, operation)) return true
        const { items, head, log } = loaded
        const start = items.length - expected.length
        const suffix = items.slice(Math.max(0, start))
        if (start < 0 || commonLength(suffix, expected) < expected.length)
          throw new ThroughlineError(
            'HISTORY_CHANGED',
            `session "${chat.id}": its last items are not those that the transaction expects`,
          )
        const from = suffix[0]?.seq ?? head
        const replaces = from < head ? { replaces: { from, to: head } } : {}
        const changed = withNote(replacement, operation, replaces, operationsIn(log.slice(from)))
        if (!(await appendAfter(loaded, changed))) return false
        if (from < head) await removeSpan(from, head)
        return true
      }),
    /** The item of a call that was approved with other arguments replaces the first one with its id. */
    replaceCall: async (callId: string, replacement: MessageInput): Promise<void> => {
      const calls = (await load()).filter(({ message: { parts } }) =>
        parts.some((part) => part.type === 'tool-call' && part.callId === callId),
      )
      for (const [index, { seq, message }] of calls.entries())
        if (index > 0) await chat.history.remove(`#${seq}`)
        else await chat.history.edit(`#${seq}`, withNotes(replacement, { ...noteOf(message) }))
    },
    /** A compaction of the provider replaces all before it; the log keeps the originals. */
    compacted: ([compaction, ...retained]: readonly MessageInput[]) =>
      change(async (loaded) => {
        if (compaction === undefined) return true
        const { items, head } = loaded
        const start = items.length - retained.length
        const isTail = start >= 0 && commonLength(items.slice(start), retained) === retained.length
        const from = isTail ? (items[start]?.seq ?? head) : head
        const messages = isTail ? [compaction] : [compaction, ...retained]
        const note = { compaction: true, retainedFrom: from }
        return appendAfter(loaded, [
          withNotes(messages[0] ?? compaction, note),
          ...messages.slice(1),
        ])
      }),
    pop: async (): Promise<Message | null> => {
      let popped: Message | null = null
      await change(async (loaded) => {
        const { seq, message } = loaded.items.at(-1) ?? {}
        popped = message ?? null
        if (seq === undefined || message === undefined) return true
        // The append decides which of two processes gets the item. Operations stay known after it.
        const [from, to] = [seq, seq + 1]
        const note = { operations: operationsIn([message]), replaces: { from, to } }
        if (!(await appendAfter(loaded, [withNotes(noteOnly, note)]))) return false
        await removeSpan(from, to)
        return true
      })
      return popped
    },
    clear: async (): Promise<void> => {
      const { head } = await loadAll()
      known = head
      if (head > 0) await removeSpan(0, head)
    },
  }
}

/** Reads only what is new, unless messages were edited or removed since. */
function createLogReader(chat: ConversationHandle): () => Promise<readonly Message[]> {
  let read: { readonly log: readonly Message[]; readonly state: string } = { log: [], state: '' }
  return async () => {
    const { createdAt = 0, rewrites = 0, head = 0 } = (await chat.info()) ?? {}
    const state = `${createdAt} ${rewrites}`
    const known = read.state === state ? read.log : []
    const newer = await Array.fromAsync(chat.messages({ from: known.length, to: head }))
    read = { log: [...known, ...newer], state }
    return read.log
  }
}

const noteKey = 'openai-agents'

interface Note {
  /** The operations that were applied, with the hashes of their transactions. */
  readonly operations?: Readonly<Record<string, string>>
  readonly replaces?: { readonly from: Seq; readonly to: Seq }
  readonly compaction?: boolean
  readonly retainedFrom?: Seq
}

/** Ours, in the meta of a message. */
function noteOf({ meta }: Pick<Message, 'meta'>): Note {
  return fieldsIn(fieldsIn(meta?.[noteKey])['note'])
}

function withNotes(message: MessageInput, note: JsonObject): MessageInput {
  const own = fieldsIn(message.meta?.[noteKey]) as JsonObject
  return { ...message, meta: { ...message.meta, [noteKey]: { ...own, note } } }
}

const noteOnly: MessageInput = { role: 'system', content: [] }

/** The first message has the note; a change without messages gets one that has nothing else. */
function withNote(
  messages: readonly MessageInput[],
  { id, transaction }: Operation,
  more: JsonObject,
  earlier: Note['operations'],
): readonly MessageInput[] {
  const [first = noteOnly, ...others] = messages
  const operations = { ...earlier, [id]: sha256(transaction) }
  return [withNotes(first, { ...more, operations }), ...others]
}

function operationsIn(messages: readonly Message[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...messages.map((message) => noteOf(message).operations))
}

function isApplied({ operations }: Loaded, operation: Operation | null): boolean {
  const applied = operation === null ? undefined : operations.get(operation.id)
  if (operation === null || applied === undefined) return false
  if (applied === sha256(operation.transaction)) return true
  throw new ThroughlineError(
    'KEY_CONFLICT',
    `session history operation "${operation.id}" was already applied with a different transaction`,
  )
}

/** Neither removed, nor a message that has only a note. */
function isPresent({ marks, parts, meta }: Message): boolean {
  if (marks.some(({ kind }) => kind === 'removed')) return false
  return parts.length > 0 || fieldsIn(meta?.[noteKey])['item'] !== undefined
}

/** The newest compaction of a provider, then what it retained, then what followed. */
function fromCompaction(items: readonly LoggedItem[]): readonly LoggedItem[] {
  const at = items.findLastIndex(({ message }) => noteOf(message).compaction === true)
  const compaction = items[at]
  if (compaction === undefined) return items
  const { retainedFrom = compaction.seq } = noteOf(compaction.message)
  return [compaction, ...items.filter(({ seq }) => seq >= retainedFrom && seq !== compaction.seq)]
}

/** How many messages at the beginning have the same meaning. */
function commonLength(logged: readonly LoggedItem[], messages: readonly MessageInput[]): number {
  const read = readMessages({ system: [], tools: [], messages })
  const keysOf = (atoms: readonly { readonly key: string }[]) => atoms.map(({ key }) => key).join()
  const differs = read.findIndex(({ input, atoms }, index) => {
    const message = logged[index]?.message
    if (message === undefined || message.role !== input.role) return true
    return keysOf(atomsOf(message, false)) !== keysOf(atoms)
  })
  return differs === -1 ? Math.min(read.length, logged.length) : differs
}
