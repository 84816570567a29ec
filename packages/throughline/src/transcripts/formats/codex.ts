/**
 * Sessions of the Codex CLI: JSONL that begins with the session, then a record for each item to or from the
 * model; the first versions have bare items. Event records repeat the items for the screen; only their
 * usage is read, which follows its answer, and which user messages were typed. Turns that were rolled back stay in the log, in order.
 *
 * The file of an agent or a fork begins with a copy of the history that it continues, with that session's
 * first record. The model saw the copy, so it stays, and belongs to the conversation of the file.
 */
import { codexItems } from '../formats-data.ts'
import { metaOf } from '../json/json-access.ts'
import { type JsonNode, noNode } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { UniqueNames } from '../names.ts'
import { readRecords, type TranscriptRecord } from '../records.ts'
import { timeOf } from '../times.ts'
import {
  conversationItem,
  messageItem,
  problemItem,
  type TranscriptItem,
  type TranscriptMessage,
  type TranscriptProblem,
  usageIn,
} from '../transcript.ts'
import { responsesItem } from './responses-item.ts'

export async function* readCodex(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const rollout = new Rollout(input.name ?? 'session')
  for await (const record of readRecords(input))
    if (record.kind === 'problem') yield* [...rollout.release(), record]
    else yield* rollout.take(record)
  yield* rollout.release()
}

class Rollout {
  readonly #fallbackId: string
  readonly #ids = new UniqueNames()
  #conversationId: string | null = null
  /** The ids of the session and of the histories that it continues. */
  #sessionIds = new Set<string>()
  #model: string | null = null
  /** The user messages are from the agent that started this one; a copied history has a person's too. */
  #isFromAgent = false
  /** The message that waits for its event: the usage of an answer, or that the user typed it. */
  #waiting: TranscriptMessage | null = null

  constructor(fallbackId: string) {
    this.#fallbackId = fallbackId
  }

  take(record: TranscriptRecord): readonly TranscriptItem[] {
    const { value, line } = record
    const payload = value.field('payload')
    switch (value.text('type')) {
      case 'session_meta':
        return payload.isObject ? this.#begin(payload) : [noPayload(line)]
      case 'response_item':
        return payload.isObject ? this.#item(record, payload) : [noPayload(line)]
      case 'compacted':
        return this.#compacted(payload, line)
      case 'turn_context':
        this.#model = payload.filled('model') ?? this.#model
        return []
      case 'event_msg':
        return this.#event(payload)
      case null:
        // The first record of an old file; others without a type are its states.
        return value.filled('id') === null ? [] : this.#begin(value)
      default:
        return codexItems.includes(value.text('type') ?? '') ? this.#item(record, value) : []
    }
  }

  release(): readonly TranscriptItem[] {
    const waiting = this.#waiting
    this.#waiting = null
    return waiting === null ? [] : [waiting]
  }

  #begin(session: JsonNode): readonly TranscriptItem[] {
    const id = session.filled('id') ?? session.filled('session_id')
    // A copied session, or the same session resumed.
    if (id !== null && this.#sessionIds.has(id)) {
      for (const ancestor of ancestorIds(session)) this.#sessionIds.add(ancestor)
      if (id !== this.#conversationId) this.#isFromAgent = false
      return []
    }
    const conversationId = this.#ids.take(id ?? this.#fallbackId)
    this.#conversationId = conversationId
    this.#sessionIds = new Set(ancestorIds(session))
    if (id !== null) this.#sessionIds.add(id)
    this.#model = null
    this.#isFromAgent = isAgent(session) || spawnOf(session) !== null
    return [...this.release(), codexConversation(session, conversationId)]
  }

  /** Without a session record, the first item starts the conversation. */
  #startedConversation(): { readonly id: string; readonly items: readonly TranscriptItem[] } {
    const items = this.#conversationId === null ? this.#begin(noNode) : []
    return { id: this.#conversationId ?? this.#fallbackId, items }
  }

  #item(record: TranscriptRecord, item: JsonNode): readonly TranscriptItem[] {
    const { value, text, line } = record
    // The state of the files, not a message.
    if (item.text('type') === 'ghost_snapshot') return []
    const parsed = responsesItem(item)
    if (parsed === null) return [problemItem(line, 'the record holds no message of a known role')]
    const { id, items } = this.#startedConversation()
    const isAssistant = parsed.role === 'assistant'
    const createdAt = timeOf(value.get('timestamp'))
    const origin = this.#isFromAgent && parsed.role === 'user' ? 'agent' : undefined
    const message = messageItem(
      { ...parsed, origin, createdAt, key: `line:${line}`, raw: text },
      { conversationId: id, line, model: isAssistant ? this.#model : null },
    )
    const before = [...items, ...this.release()]
    if (!isAssistant && parsed.role !== 'user') return [...before, message]
    this.#waiting = message
    return before
  }

  #event(payload: JsonNode): readonly TranscriptItem[] {
    const type = payload.text('type')
    const waiting = this.#waiting
    if (waiting === null || (type === 'token_count') === (waiting.message.role === 'user'))
      return []
    if (type === 'user_message') return this.#typed(waiting, payload.text('message') ?? '')
    const usage =
      type === 'token_count'
        ? usageIn(payload.field('info').field('last_token_usage'), 'codex')
        : null
    if (usage === null) return []
    this.#waiting = null
    return [{ ...waiting, usage }]
  }

  /** The event repeats what the user sent; other user messages are text of the client. */
  #typed(waiting: TranscriptMessage, sent: string): readonly TranscriptItem[] {
    const { message } = waiting
    if (typeof message.content === 'string' || message.origin !== undefined) return []
    const content = message.content.map((part) => {
      const isSent = part.type === 'text' && part.text.trim() !== '' && sent.includes(part.text)
      // In front of the request, editors add what is open in them.
      return isSent && !part.text.includes(editorRequest)
        ? { ...part, origin: 'person' as const }
        : part
    })
    this.#waiting = null
    return [{ ...waiting, message: { ...message, content } }]
  }

  #compacted(payload: JsonNode, line: number): readonly TranscriptItem[] {
    const { id, items } = this.#startedConversation()
    const about = { summary: payload.filled('message'), tokensBefore: null, trigger: null, line }
    const compaction = { kind: 'compaction', conversationId: id, ...about } as const
    return [...items, ...this.release(), compaction]
  }
}

const editorRequest = '## My request for Codex:'

function noPayload(line: number): TranscriptProblem {
  return problemItem(line, 'the record holds nothing under "payload"')
}

function codexConversation(session: JsonNode, id: string): TranscriptItem {
  const parent = spawnOf(session) ?? (isAgent(session) ? session.filled('parent_thread_id') : null)
  const instructions = session.field('base_instructions').filled('text')
  const meta = metaOf({
    cwd: session.filled('cwd'),
    gitBranch: session.field('git').filled('branch'),
    version: session.filled('cli_version'),
    forkedFrom: parent === null ? session.filled('forked_from_id') : null,
    agent: session.filled('agent_nickname') ?? session.filled('agent_role'),
    system: instructions ?? session.filled('instructions'),
  })
  return conversationItem(id, {
    // The file does not say which call of the parent began it.
    parent: parent === null ? null : { conversationId: parent, callId: null },
    meta,
  })
}

function isAgent(session: JsonNode): boolean {
  return session.filled('thread_source') === 'subagent'
}

function spawnOf(session: JsonNode): string | null {
  const spawn = session.field('source').field('subagent').field('thread_spawn')
  return spawn.filled('parent_thread_id')
}

/** Sessions whose history may be copied into this file. */
function ancestorIds(session: JsonNode): readonly string[] {
  return [
    session.filled('forked_from_id'),
    session.filled('parent_thread_id'),
    spawnOf(session),
  ].filter((id) => id !== null)
}
