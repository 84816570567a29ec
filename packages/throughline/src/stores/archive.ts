/** All rows of conversations as records that do not depend on a database: a copy has the same records. */
import type { ConversationId, TenantId } from '../domain/ids.ts'

/** A conversation in a list, with a text that changes when its rows do. */
export interface ArchivedConversation {
  readonly tenant: TenantId
  readonly id: ConversationId
  /** Identifies it in this archive. */
  readonly serial: number
  readonly stamp: string
}

/** A value of a record; bytes are in hexadecimal digits. */
type RecordCell = string | number | null

/** The name of a table, then the cells of one row. */
export type ArchiveRecord = readonly [table: RecordTable, ...cells: readonly RecordCell[]]

type RecordTable = 'conversation' | 'message' | 'call' | 'file' | 'event' | 'row'

/** The conversations of a database, to copy them to another one. See `sqliteArchive`. */
export interface Archive {
  /** All conversations, each after the one that it was forked from. */
  list(): Promise<readonly ArchivedConversation[]>
  /** The records of a conversation, all of one state; the first is the conversation. */
  read(conversation: ArchivedConversation): AsyncIterable<ArchiveRecord>
  /** Writes a conversation, in place of one with the same id, and returns its serial here. */
  write(
    conversation: Pick<ArchivedConversation, 'tenant' | 'id'>,
    records: AsyncIterable<ArchiveRecord>,
  ): Promise<number>
  /** Removes a conversation that the source does not have any more. */
  remove(conversation: Pick<ArchivedConversation, 'tenant' | 'id'>): Promise<void>
  purges(): Promise<readonly ArchivePurge[]>
  /** Adds those that are missing. */
  addPurges(purges: readonly ArchivePurge[]): Promise<void>
  /** Lets other processes read and not write, until the function that it returns is called. */
  lock(): Promise<() => Promise<void>>
  close(): Promise<void>
}

/** The record of a purge: tenant, number, hash of the subject, what, place, messages and time. */
export type ArchivePurge = readonly [
  tenant: string,
  number: number,
  subject: string,
  what: string,
  seq: number | null,
  messages: number,
  at: number,
]
