/**
 * Sessions of the Codex CLI: JSONL that begins with what the session is, then one record for
 * each item that went to the model or came from it. Files of the first versions hold the
 * items bare, without a record around them.
 *
 * Records of events tell the same once more, for the screen; of them only the figures of
 * usage are read, which follow on the answer that they belong to. Turns that were rolled
 * back stay in the log, in the order in which they happened.
 *
 * The file of an agent or a fork begins with a copy of the history that it went on from,
 * whose own beginning stands in it too. The copy is what the model saw, so it stays, and
 * all of it belongs to the one conversation that the file begins with.
 */

import type { JsonObject, JsonValue } from '../../index.ts'
import {
  countOf,
  fieldOf,
  filledTextOf,
  isJsonObject,
  metaOf,
  textOf,
} from '../json/json-access.ts'
import { textsAt } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { UniqueNames } from '../names.ts'
import { readRecords, type TranscriptRecord } from '../records.ts'
import { timeOf } from '../times.ts'
import {
  conversationItem,
  messageItem,
  problemItem,
  type ReportedUsage,
  type TranscriptConversation,
  type TranscriptItem,
  type TranscriptMessage,
  type TranscriptProblem,
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
  /** Ids that belong to the session: its own, and those of the histories that it goes on from. */
  #own = new Set<string>()
  #model: string | null = null
  /** The newest answer, which waits for its usage. */
  #answer: TranscriptMessage | null = null

  constructor(fallbackId: string) {
    this.#fallbackId = fallbackId
  }

  take(record: TranscriptRecord): readonly TranscriptItem[] {
    const { value, line } = record
    const payload = fieldOf(value, 'payload')
    switch (textOf(value, 'type')) {
      case 'session_meta':
        return isJsonObject(payload) ? this.#begin(payload) : [noPayload(line)]
      case 'response_item':
        return isJsonObject(payload) ? this.#item(record, payload, true) : [noPayload(line)]
      case 'compacted':
        return this.#compacted(payload, line)
      case 'turn_context':
        this.#model = filledTextOf(payload, 'model') ?? this.#model
        return []
      case 'event_msg':
        return this.#event(payload)
      case null:
        // The first record of an old file; others without a type are states of it.
        return filledTextOf(value, 'id') === null ? [] : this.#begin(value)
      default:
        return bareItems.includes(fieldOf(value, 'type')) ? this.#item(record, value, false) : []
    }
  }

  /** What waits, if anything does. */
  release(): readonly TranscriptItem[] {
    const answer = this.#answer
    this.#answer = null
    return answer === null ? [] : [answer]
  }

  #begin(session: JsonObject): readonly TranscriptItem[] {
    const id = filledTextOf(session, 'id') ?? filledTextOf(session, 'session_id')
    // A copy of it, or the same session resumed.
    if (id !== null && this.#own.has(id)) {
      for (const forebear of forebearsOf(session)) this.#own.add(forebear)
      return []
    }
    const conversationId = this.#ids.take(id ?? this.#fallbackId)
    this.#conversationId = conversationId
    this.#own = new Set(forebearsOf(session))
    if (id !== null) this.#own.add(id)
    this.#model = null
    return [...this.release(), codexConversation(session, conversationId)]
  }

  /** Where the beginning of a file is missing, the conversation begins with its first item. */
  #begun(): { readonly id: string; readonly items: readonly TranscriptItem[] } {
    const items = this.#conversationId === null ? this.#begin({}) : []
    return { id: this.#conversationId ?? this.#fallbackId, items }
  }

  #item(record: TranscriptRecord, item: JsonObject, wrapped: boolean): readonly TranscriptItem[] {
    const { value, text, line } = record
    // The state of the files at that time: nothing that anybody said.
    if (textOf(item, 'type') === 'ghost_snapshot') return []
    const exact = () => (wrapped ? (textsAt(text, ['payload']).get('payload') ?? 'null') : text)
    const spoken = responsesItem(item, exact)
    if (spoken === null) return [problemItem(line, 'the record holds no message of a known role')]
    const { id, items } = this.#begun()
    const assistant = spoken.role === 'assistant'
    const createdAt = timeOf(fieldOf(value, 'timestamp'))
    const message = messageItem(
      { ...spoken, createdAt, key: `line:${line}`, raw: text },
      { conversationId: id, line, model: assistant ? this.#model : null },
    )
    const before = [...items, ...this.release()]
    if (!assistant) return [...before, message]
    this.#answer = message
    return before
  }

  #event(payload: JsonValue | undefined): readonly TranscriptItem[] {
    if (textOf(payload, 'type') !== 'token_count' || this.#answer === null) return []
    const usage = usageOf(fieldOf(fieldOf(payload, 'info'), 'last_token_usage'))
    if (usage === null) return []
    const answer = { ...this.#answer, usage }
    this.#answer = null
    return [answer]
  }

  #compacted(payload: JsonValue | undefined, line: number): readonly TranscriptItem[] {
    const { id, items } = this.#begun()
    const summary = filledTextOf(payload, 'message')
    const figures = { tokensBefore: null, trigger: null, line }
    const compaction = { kind: 'compaction', conversationId: id, summary, ...figures } as const
    return [...items, ...this.release(), compaction]
  }
}

function noPayload(line: number): TranscriptProblem {
  return problemItem(line, 'the record holds nothing under "payload"')
}

const bareItems: readonly unknown[] = [
  ...['message', 'reasoning', 'function_call', 'function_call_output', 'custom_tool_call'],
  ...['custom_tool_call_output', 'local_shell_call', 'web_search_call'],
]

function usageOf(usage: JsonValue | undefined): ReportedUsage | null {
  const inputTokens = countOf(usage, 'input_tokens')
  if (inputTokens === null || inputTokens === 0) return null
  return {
    inputTokens,
    outputTokens: countOf(usage, 'output_tokens'),
    cacheReadTokens: countOf(usage, 'cached_input_tokens'),
    cacheWriteTokens: null,
  }
}

/** What the first record of a Codex file says of its session, and of those that it goes on from. */
function codexConversation(session: JsonObject, id: string): TranscriptConversation {
  const parent = parentOf(session)
  return conversationItem(id, {
    // Which call of the parent began it is not written down.
    parent: parent === null ? null : { conversationId: parent, callId: null },
    meta: sessionMeta(session),
  })
}

function sessionMeta(session: JsonObject): JsonObject | undefined {
  const told = filledTextOf(fieldOf(session, 'base_instructions'), 'text')
  return metaOf({
    cwd: filledTextOf(session, 'cwd'),
    gitBranch: filledTextOf(fieldOf(session, 'git'), 'branch'),
    version: filledTextOf(session, 'cli_version'),
    forkedFrom: parentOf(session) === null ? filledTextOf(session, 'forked_from_id') : null,
    agent: filledTextOf(session, 'agent_nickname') ?? filledTextOf(session, 'agent_role'),
    system: told ?? filledTextOf(session, 'instructions'),
  })
}

/** The session whose agent this one is. */
function parentOf(session: JsonObject): string | null {
  const spawned = spawnOf(session)
  if (spawned !== null) return spawned
  const agent = filledTextOf(session, 'thread_source') === 'subagent'
  return agent ? filledTextOf(session, 'parent_thread_id') : null
}

function spawnOf(session: JsonObject): string | null {
  const agent: JsonValue | undefined = fieldOf(fieldOf(session, 'source'), 'subagent')
  return filledTextOf(fieldOf(agent, 'thread_spawn'), 'parent_thread_id')
}

/** Sessions whose history may stand at the beginning of this one's file. */
function forebearsOf(session: JsonObject): readonly string[] {
  return [
    filledTextOf(session, 'forked_from_id'),
    filledTextOf(session, 'parent_thread_id'),
    spawnOf(session),
  ].filter((id) => id !== null)
}
