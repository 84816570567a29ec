/** Rows to nouns and back: the only place that knows both spellings. */
import type { Conversation } from '../../domain/conversation.ts'
import type { EngineEvent, EventBody } from '../../domain/event.ts'
import { type ConversationId, messageId, type Seq, type TenantId } from '../../domain/ids.ts'
import type { Mark, Message } from '../../domain/message.ts'
import { decodeBody } from '../../domain/message-body.ts'
import type { PlacedEntry } from '../../domain/placement.ts'
import { clientKey } from '../../domain/sealed-message.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Row } from './connection.ts'
import { controlOf, pinsOf } from './derived-rows.ts'

/** A conversation with the number that stands for it in other tables. */
export interface ConversationRow {
  readonly pk: number
  readonly eventCount: number
  /** The conversation that holds the messages before `at`, and the first so many turns. */
  readonly fork: { readonly pk: number; readonly at: number; readonly turns: number } | null
  readonly conversation: Conversation
}

export const conversationColumns = `pk, tenant, id, title, meta, head, chain, version, events,
  parent_id, parent_call, fork_pk, fork_id, fork_at, created_at, pins, pinned_to,
  compaction, rewrites, fork_turns, title_seq`

export function conversationRow(row: Row): ConversationRow {
  const forked = row['fork_pk'] !== null
  return {
    pk: Number(row['pk']),
    eventCount: Number(row['events']),
    fork: forked
      ? {
          pk: Number(row['fork_pk']),
          at: Number(row['fork_at']),
          turns: Number(row['fork_turns']),
        }
      : null,
    conversation: {
      id: row['id'] as ConversationId,
      tenant: row['tenant'] as TenantId,
      title: row['title'] as string | null,
      titleFrom: titleSeqOf(row['title_seq']),
      meta: parsed(row['meta']),
      head: Number(row['head']),
      chain: hex(row['chain']),
      version: Number(row['version']),
      rewrites: Number(row['rewrites']),
      pins: pinsOf(row['pins']),
      pinnedTo: Number(row['pinned_to']),
      compaction: controlOf(row['compaction']),
      parent:
        row['parent_id'] === null
          ? null
          : {
              conversationId: row['parent_id'] as ConversationId,
              callId: row['parent_call'] as string | null,
            },
      forkedFrom: forked
        ? { conversationId: row['fork_id'] as ConversationId, at: Number(row['fork_at']) }
        : null,
      createdAt: Number(row['created_at']),
    },
  }
}

/** The place that a title was made from; null for one of a caller, and as long as it is not known. */
function titleSeqOf(cell: Row[string] | undefined): Seq | null {
  return cell === null || Number(cell) === unknownTitleSeq ? null : Number(cell)
}

/** Of a title from before places of titles were kept: where it is from is looked up when it matters. */
export const unknownTitleSeq = -1

export const messageColumns =
  'seq, created_at, key, content_hash, canonical_hash, chain_hash, marks, body'

export function messageOf(row: Row, conversationId: ConversationId): Message {
  const seq = Number(row['seq'])
  return {
    id: messageId(conversationId, seq),
    conversationId,
    seq,
    ...read(`message ${seq} of "${conversationId}"`, () => decodeBody(row['body'] as string)),
    createdAt: Number(row['created_at']),
    key: row['key'] === null ? null : clientKey(row['key'] as string),
    hashes: {
      content: hex(row['content_hash']),
      canonical: hex(row['canonical_hash']),
      chain: hex(row['chain_hash']),
    },
    marks: marksOf(row['marks']),
  }
}

/** What we wrote ourselves reads back, unless somebody changed it. */
function read<Value>(what: string, action: () => Value): Value {
  try {
    return action()
  } catch (cause) {
    throw new ThroughlineError('STORE_CORRUPT', `${what} was changed from outside`, { cause })
  }
}

export function marksOf(text: Row[string] | undefined): readonly Mark[] {
  return parsed<readonly Mark[]>(text) ?? []
}

export function answeredOf(text: Row[string] | undefined): PlacedEntry['answered'] {
  return parsed<PlacedEntry['answered']>(text) ?? []
}

/** None is null: most messages have no marks, and answer no call. */
export function listCell(items: readonly object[]): string | null {
  return items.length === 0 ? null : JSON.stringify(items)
}

export function eventOf(row: Row): EngineEvent {
  const body = read('an event', () => JSON.parse(row['body'] as string) as EventBody)
  return { ...body, number: Number(row['number']), at: Number(row['at']) }
}

export function hex(bytes: Row[string] | undefined): string {
  const { buffer, byteOffset, byteLength } = bytesOf(bytes)
  return Buffer.from(buffer, byteOffset, byteLength).toString('hex')
}

/** Some drivers hand out a Buffer; ours is the plain kind. */
export function bytesOf(value: Row[string] | undefined): Uint8Array {
  const { buffer, byteOffset, byteLength } = value as Uint8Array
  return new Uint8Array(buffer, byteOffset, byteLength)
}

export function unhex(text: string): Uint8Array {
  return Buffer.from(text, 'hex')
}

function parsed<Value>(text: Row[string] | undefined): Value | null {
  return typeof text === 'string' ? read('a row', () => JSON.parse(text) as Value) : null
}
