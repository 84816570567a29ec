import type { Seq } from './ids.ts'

/**
 * What is known of a conversation up to a place, folded from facts. Newer values are in force and
 * older ones superseded; it never passes through a model. Plain JSON.
 */
export interface Ledger {
  /** Facts of the messages before it are folded in. */
  readonly to: Seq
  /** Facts of some messages before it are not: the background adds them. Left out if complete. */
  readonly from?: Seq
  readonly entries: readonly LedgerEntry[]
}

/** A fact in force: its subject, its value, who stated it, and where. */
export interface LedgerEntry extends Pick<Fact, 'kind' | 'key' | 'label' | 'value'> {
  readonly status: 'current' | 'retracted'
  readonly trust: FactTrust
  /** The newest places that state it, or else name it, newest last. */
  readonly sources: readonly Seq[]
  readonly lastSeq: Seq
  readonly namedBy: FactTrust
  readonly uses: Readonly<Record<FactTrust, number>>
  /** Of a file: how often each operation was done. */
  readonly counts: Readonly<Record<string, number>>
}

export const emptyLedger: Ledger = { to: 0, entries: [] }

export const factKinds = [
  ...(['constraint', 'preference', 'correction', 'decision', 'task', 'question'] as const),
  ...(['plan', 'file', 'command', 'failure', 'use', 'address', 'symbol', 'hash', 'id'] as const),
  ...(['version', 'number', 'amount', 'date', 'name'] as const),
] as const

export type FactKind = (typeof factKinds)[number]

/** What a message states or names and may be needed again, extracted by rules. Plain JSON. */
export interface Fact {
  readonly kind: FactKind
  /** The same for the same thing. */
  readonly key: string
  readonly label: string
  /** What is stated; empty for a mere mention. */
  readonly value: string
  readonly uses: number
}

/** Whose statement it is: a tool's, also for files and documents, never outranks the user's. */
export type FactTrust = 'user' | 'assistant' | 'tool'

export interface MessageFacts {
  readonly seq: Seq
  readonly trust: FactTrust
  readonly facts: readonly Fact[]
  /** The message in a line, for the narrative; null where it has no content for one. */
  readonly digest: MessageLine | null
  /** How many secrets were removed before; left out if none. */
  readonly redacted?: number
}

/** A message in a line, by rules. A message digest is something else: a model's text of a long message. */
export interface MessageLine {
  /** A summary is the one that a client wrote when it compacted. */
  readonly by: FactTrust | 'summary'
  readonly text: string
  /** What the user's words were about, where they were typed into a dialog. */
  readonly about?: string
}

/** One tool result in a few facts: its subject and its outcome. */
export interface ToolSummary {
  readonly toolName: string
  /** Partial: nothing failed, but there was no result. */
  readonly status: 'success' | 'error' | 'partial'
  /** Each with its name before it: `File: /app.ts`. */
  readonly keyFacts: readonly string[]
  readonly metadata: Readonly<Record<string, string | number | boolean>>
}

/** What a tool did with a file. */
export type FileOperation = 'read' | 'create' | 'edit' | 'delete'

/** One use of a file: a call and its result that did not fail. */
export interface FileAccess {
  readonly path: string
  readonly operation: FileOperation
  readonly callId: string
  readonly seq: Seq
  readonly step: number
}

export interface FileReference {
  readonly path: string
  readonly operation: FileOperation
  readonly lastSeq: Seq
  readonly lastStep: number
  /** When the result came, in milliseconds since 1970, for people to read. */
  readonly lastTime: number
  /** Once changed, a file counts as changed, whatever was done with it later. */
  readonly modified: boolean
  readonly modifiedSeq: Seq | null
  /** Lines of the content that was last read or written. */
  readonly lineCount: number | null
  /** Its first characters, as last read or written. */
  readonly preview: string | null
}
