/**
 * A `SessionStore` of the Claude Agent SDK. Each entry of a transcript is a message: its words are read for
 * search and ledger, and the entry itself is kept in the message's meta, from where it is given back.
 */
import { anthropicMessages } from '../adapters/http-adapters.ts'
import { fieldsOf, isFilled } from '../adapters/unknown-json.ts'
import type { TenantHandle } from '../conversation/tenant-handle.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { JsonObject } from '../domain/json.ts'
import type { MessageInput } from '../domain/message.ts'
import { describe } from '../domain/text.ts'
import { isThroughlineError } from '../errors.ts'
import { invalidOption } from '../flow/check/check-options.ts'

/** Fits `SessionKey`. */
interface ClaudeSessionKey {
  readonly projectKey: string
  readonly sessionId: string
  /** Of a subagent. */
  readonly subpath?: string
}

/** Fits `SessionStoreEntry`. */
interface ClaudeSessionEntry {
  type: string
  uuid?: string
  timestamp?: string
  [field: string]: unknown
}

/** Fits `SessionStore`. */
export interface ClaudeSessionStore {
  append(key: ClaudeSessionKey, entries: readonly ClaudeSessionEntry[]): Promise<void>
  load(key: ClaudeSessionKey): Promise<ClaudeSessionEntry[] | null>
  listSessions(projectKey: string): Promise<{ sessionId: string; mtime: number }[]>
  listSubkeys(key: Omit<ClaudeSessionKey, 'subpath'>): Promise<string[]>
  delete(key: ClaudeSessionKey): Promise<void>
}

/**
 * Stores the sessions of the Claude Agent SDK as conversations, whose words can be searched.
 *
 * @example
 * const sessionStore = claudeSessionStore(tl)
 * // query({ prompt, options: { sessionStore } })
 */
export function claudeSessionStore(
  engine: Pick<TenantHandle, 'conversation' | 'list'>,
): ClaudeSessionStore {
  if (typeof engine?.conversation !== 'function' || typeof engine.list !== 'function')
    throw invalidOption('claudeSessionStore: pass the result of createThroughline')
  // Calls for a session are stored in their order.
  const running = new Map<string, Promise<void>>()

  /** The conversations whose ids begin so, by the rest of their ids. */
  const conversationsOf = async (prefix: string) => {
    const found = new Map<string, Conversation>()
    for (let after = prefix; ; ) {
      const page = await engine.list({ after, limit: pageSize })
      const own = page.filter(({ id }) => id.startsWith(prefix))
      for (const each of own) found.set(each.id.slice(prefix.length), each)
      const last = page.at(-1)
      if (last === undefined || own.length < page.length || page.length < pageSize) return found
      after = last.id
    }
  }
  const timeOf = async ({ id, head, createdAt }: Conversation) => {
    const [last] = await Array.fromAsync(engine.conversation(id).messages({ from: head - 1 }))
    return Math.floor(last?.createdAt ?? createdAt)
  }
  const listSubkeys = async (key: Omit<ClaudeSessionKey, 'subpath'>) => {
    const { projectKey, sessionId } = key
    const found = await conversationsOf(`${claudeConversation({ projectKey, sessionId })}/`)
    return [...found.keys()].map((rest) => decodeURIComponent(rest))
  }

  return {
    append: (key, entries) => {
      const id = claudeConversation(key)
      const before = running.get(id) ?? Promise.resolve()
      const appended = before
        .catch(() => undefined)
        .then(() => appendEntries(engine, id, entries))
        .finally(() => {
          if (running.get(id) === appended) running.delete(id)
        })
      running.set(id, appended)
      return appended
    },
    load: async (key) => {
      const chat = engine.conversation(claudeConversation(key))
      if ((await chat.info()) === null) return null
      const entries: ClaudeSessionEntry[] = []
      for await (const { meta } of chat.messages()) {
        const entry = fieldsOf(fieldsOf(meta?.[metaKey])?.['entry'])
        // The entry was checked when it was appended.
        if (entry !== null) entries.push(entry as ClaudeSessionEntry)
      }
      return entries
    },
    listSessions: async (projectKey) => {
      const found = await conversationsOf(`${encodeURIComponent(projectKey)}/`)
      const sessions: { sessionId: string; mtime: number }[] = []
      for (const [rest, conversation] of found)
        if (!rest.includes('/'))
          sessions.push({ sessionId: decodeURIComponent(rest), mtime: await timeOf(conversation) })
      return sessions
    },
    listSubkeys,
    delete: async (key) => {
      const subkeys = key.subpath === undefined ? await listSubkeys(key) : []
      for (const each of [key, ...subkeys.map((subpath) => ({ ...key, subpath }))])
        await engine.conversation(claudeConversation(each)).history.purge()
    },
  }
}

const pageSize = 100
const metaKey = 'claude-agent'

/**
 * The id of the conversation with a session, to search it or to read its ledger.
 *
 * @example
 * const chat = tl.conversation(claudeConversation({ projectKey: 'shop', sessionId: '0f3a' }))
 * console.log((await chat.recall('which port did we choose?')).pieces)
 */
export function claudeConversation(key: ClaudeSessionKey): string {
  const { projectKey, sessionId, subpath } = key
  const pieces = [projectKey, sessionId, ...(subpath === undefined ? [] : [subpath])]
  if (!pieces.every(isFilled))
    throw invalidOption(
      `claudeConversation: a session key has no empty parts, got ${describe(key)}`,
    )
  return pieces.map((piece) => encodeURIComponent(piece)).join('/')
}

async function appendEntries(
  engine: Pick<TenantHandle, 'conversation'>,
  id: string,
  entries: readonly ClaudeSessionEntry[],
): Promise<void> {
  const chat = engine.conversation(id)
  const messages = entries.map(readEntry)
  try {
    await chat.append(messages)
  } catch (error) {
    if (!isKeyConflict(error)) throw error
    // An entry with a known uuid is a repetition, whatever else changed in it.
    for (const message of messages)
      await chat.append(message).catch((cause: unknown) => {
        if (!isKeyConflict(cause)) throw cause
      })
  }
}

function isKeyConflict(error: unknown): boolean {
  return isThroughlineError(error) && error.code === 'KEY_CONFLICT'
}

function readEntry(entry: ClaudeSessionEntry): MessageInput {
  // JSON, so that it can be stored; the SDK's entries are nothing else.
  const kept = JSON.parse(JSON.stringify(entry)) as JsonObject
  const { uuid, timestamp } = entry
  const at = isFilled(timestamp) ? Date.parse(timestamp) : Number.NaN
  return {
    ...readWords(entry),
    meta: { [metaKey]: { entry: kept } },
    ...(isFilled(uuid) ? { key: uuid } : {}),
    ...(Number.isNaN(at) ? {} : { createdAt: at }),
  }
}

/** The words of a person, the model or a tool; entries of other types, such as titles, have no words. */
function readWords({ type, message }: ClaudeSessionEntry): Pick<MessageInput, 'role' | 'content'> {
  const { role, content } = fieldsOf(message) ?? {}
  const spoken = role === 'user' || role === 'assistant' ? { role, content } : null
  if (spoken === null || (type !== 'user' && type !== 'assistant')) return noWords
  try {
    const [read] = anthropicMessages.read({
      messages: [spoken as { role: string; content: string }],
    }).messages
    return read ?? noWords
  } catch {
    // The entry is kept, even if its words have a form that we cannot read.
    return noWords
  }
}

const noWords = { role: 'system', content: [] } as const
