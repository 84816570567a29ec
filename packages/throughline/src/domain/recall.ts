/**
 * The tools `recall` and `expand`, as models see them. They are recognized by their descriptions,
 * because the caller may choose other names.
 */
import type { ToolSchema } from './context.ts'
import type { Seq } from './ids.ts'
import type { Message, Origin } from './message.ts'
import { recallToolDescriptions, recallToolParameters } from './recall-tools-data.ts'
import type { Span } from './span.ts'

/** The tools with which a model finds, and opens, what is not shown. */
export type RecallToolKind = 'recall' | 'expand'

/** Their names; `recall` and `expand` by default. */
export type RecallToolNames = Readonly<Record<RecallToolKind, string>>

const kinds: readonly RecallToolKind[] = ['recall', 'expand']

export function recallToolsNamed(names: RecallToolNames): readonly ToolSchema[] {
  return kinds.map((kind) => ({
    name: names[kind],
    description: recallToolDescriptions[kind],
    parameters: recallToolParameters[kind],
  }))
}

/** The tools in a request, by their names there. */
export type OfferedTools = Readonly<Record<RecallToolKind, string | null>>

/** Null where it offers neither. */
export function offeredTools(tools: readonly ToolSchema[]): OfferedTools | null {
  const [recall = null, expand = null] = kinds.map(
    (kind) =>
      tools.find(({ description }) => description === recallToolDescriptions[kind])?.name ?? null,
  )
  return recall === null && expand === null ? null : { recall, expand }
}

/** What a search in the log has found, the best first. */
export interface Recalled {
  readonly query: string
  readonly pieces: readonly RecalledPiece[]
  /** Messages that are not indexed yet, as after a large import; null where all were searched. */
  readonly unsearched: Span | null
}

/** A passage that a search has found. */
export interface RecalledPiece {
  readonly anchor: string
  readonly span: Span
  /** The time of the message, in milliseconds since 1970; null for an entry of the ledger. */
  readonly at: number | null
  readonly text: string
  readonly score: number
  /** Whose words it contains; empty for an entry of the ledger and for a summary of ours. */
  readonly origins: readonly Origin[]
  readonly kind: 'messages' | 'summary' | 'entry'
  readonly foundBy: FoundBy
}

/** Why a search found a passage. */
export interface FoundBy {
  /** Words of the query that it contains, or that its speaker, tool or date matches. */
  readonly words: readonly string[]
  /** Words of the query that are parts of names in it: paths, identifiers, hashes. */
  readonly names: readonly string[]
  /** Anchors of the nearest messages that match, if the passage is only beside them. */
  readonly neighbours: readonly string[]
  /** How similar its meaning is to the query, from -1 to 1; null without an embedder. */
  readonly meaning: number | null
}

/** A page of what an anchor names. */
export interface Expanded {
  /** The messages of the page, whole, and the calls that they answer. */
  readonly messages: readonly Message[]
  /** What the page shows of them, in order, word for word: all pages joined are the messages. */
  readonly pieces: readonly ExpandedPiece[]
  /** The page as a model reads it: speaker, time, place and text, set apart as data. */
  readonly text: string
  /** The anchor of the next page; null after the last. */
  readonly next: string | null
}

/** A part of one message on a page. */
export interface ExpandedPiece {
  readonly seq: Seq
  /** The character of the message's text that it begins with. */
  readonly character: number
  readonly text: string
}
