import type { Size } from './context.ts'
import type { EpochCause } from './decision.ts'
import type { Seq } from './ids.ts'
import type { Message } from './message.ts'
import type { Span } from './span.ts'
import type { SummaryRecord } from './summary.ts'

/**
 * The part of a conversation that one model sees. It is frozen for an epoch, so that every request
 * keeps the cached prefix. It is derived: without it the next request begins a new epoch. Plain
 * JSON.
 */
export interface View {
  readonly epoch: number
  readonly cause: EpochCause
  /** Messages before it are not shown one by one … */
  readonly line: Seq
  /** … but these are; ascending. */
  readonly keeps: readonly Seq[]
  readonly stubs: readonly StubbedMessage[]
  /** The history block for the messages before the line; null where there is none. */
  readonly history: HistoryBlocks | null
  /** The next message when it was made, if that had to be shortened. */
  readonly next: {
    readonly seq: Seq
    /** Of its content: another message is shown whole. */
    readonly hash: string
    /** Null where it had to be omitted. */
    readonly stub: StubbedMessage | null
  } | null
  /** What is left out because nothing else fits: caller's texts, then role, then turn memory. */
  readonly degraded: 'texts' | 'texts and role' | 'texts, role and memory' | null
  /** Identifies what the view was made for: policy, window, pins. A new basis begins an epoch. */
  readonly basis: string
  /** The epoch of its inserts, if it was restored; by default its own. */
  readonly insertsOf?: number
  /** Tokens of the epoch's first request: the epoch ends when enough tokens were added. */
  readonly beganTokens: number
}

/** Which messages a view shows, and what replaces the others. */
export type ShownView = Pick<View, 'line' | 'keeps' | 'stubs' | 'history'>

/** For a view that gets another epoch: what was recalled for its messages stays. */
export function withInserts(view: View): View {
  return { ...view, insertsOf: view.insertsOf ?? view.epoch }
}

/** A message that is too large to be shown whole, as it is shown. */
export interface StubbedMessage extends Pick<Message, 'seq' | 'role' | 'author' | 'parts'> {
  readonly size: Size
  /** Identifies the shown parts. */
  readonly hash: string
  /** The same message, requested in the same way, gives the same stub. */
  readonly made: string
  readonly wholeTokens: number
}

/**
 * A view that is or was in force and can be restored, identified by the version of its commit. The
 * view itself is left out, because it may be large. Plain JSON.
 */
export interface ViewVersion {
  readonly version: number
  readonly model: string
  /** Null, like its cause, where it ended a view: from then on everything was shown. */
  readonly epoch: number | null
  readonly cause: EpochCause | null
  readonly line: Seq
  readonly tokens: number
  readonly summaryId: string | null
  /** For a restored view: the version that it shows again; null where it shows everything. */
  readonly of: number | null
  readonly at: number
  readonly current: boolean
}

export function figuresOf(view: View | null) {
  return {
    epoch: view?.epoch ?? null,
    cause: view?.cause ?? null,
    line: view?.line ?? 0,
    tokens: view?.beganTokens ?? 0,
    summaryId: view?.history?.written?.id ?? null,
  }
}

/** The history block for the messages before a line: rendered once, and frozen with the view. */
export interface HistoryBlocks {
  /** The user's own words, an anchor before each: all of what is quoted, oldest first. */
  readonly requests: string
  /** Whether some of the user's messages before the line are quoted in part, or not at all. */
  readonly requestsCut: boolean
  /** The digest by rules, after the model's summary if there is one (`written`). */
  readonly summary: string
  /** How many messages the rules describe in the summary; null where that is not counted. */
  readonly described: number | null
  readonly ledger: string
  /** Current lines of the files in work, verbatim. */
  readonly files: string
  /** The ledger covers the messages before it. */
  readonly ledgerTo: Seq
  /** How many entries the ledger has, and how many of them are in the text. */
  readonly entries: number
  readonly entriesShown: number
  /** The digest that the summary extends, where its style is tool lines. */
  readonly digest: DigestedTo | null
  /** The model's summary at its start; null where rules wrote all of it. */
  readonly written: ShownSummary | null
  /** When the first one was made, and when this one. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** The fields of a summary's record that contexts of an epoch need. */
export interface ShownSummary
  extends Pick<SummaryRecord, 'id' | 'version' | 'tokensUsed' | 'depth'> {
  readonly by: 'model' | 'person'
  /** Rules describe the messages from there on. */
  readonly to: Seq
  /** Nothing in it comes from tools, files or documents. */
  readonly withoutTools: boolean
}

export interface DigestedTo {
  readonly to: Seq
  readonly digest: RuleDigest
}

/**
 * Text of the log that was recalled for a message. It stays before that message for the rest of the
 * epoch, so that each request keeps the cached prefix. Plain JSON.
 */
export interface Insert {
  readonly epoch: number
  /** The place of the message that it was recalled for … */
  readonly before: Seq
  /** … and the hash of its content: it is not shown before another message. */
  readonly of: string
  readonly text: string
  /** The epoch began with it; others were added later. */
  readonly opens: boolean
  readonly sources: readonly Span[]
}

/**
 * The digest of hidden messages by rules (no LLM): the newest as lines, all others as counters. It
 * does not grow with the conversation. Plain JSON.
 */
export interface RuleDigest {
  /** How often messages were folded in. */
  readonly version: number
  /** All items ever folded in, in counters and in lines. */
  readonly items: number
  readonly messages: number
  /** Tokens that models used for it; 0 for rules. */
  readonly tokensUsed: number
  /** Nothing in it comes from tools, files or documents. */
  readonly withoutTools?: boolean
  readonly updates: readonly DigestUpdate[]
  readonly condensed: readonly DigestCount[]
}

/** Lines that were folded in together. */
interface DigestUpdate {
  readonly version: number
  readonly lines: readonly DigestLine[]
}

export interface DigestLine {
  readonly by: DigestVoice
  /** The tool's name; empty for messages of people. */
  readonly tool: string
  readonly failed: boolean
  readonly subject: string
  readonly text: string
}

type DigestVoice = 'user' | 'assistant' | 'tool'

/** Lines of one voice and tool that are only counted. */
export interface DigestCount {
  readonly by: DigestVoice
  readonly tool: string
  readonly count: number
  readonly failed: number
  /** The first line: for a user, the task. */
  readonly first: string
  readonly newest: readonly string[]
}
