import type { Size } from './context.ts'
import type { EpochCause } from './decision.ts'
import type { Seq } from './ids.ts'
import type { Message } from './message.ts'
import type { Span } from './span.ts'
import type { SummaryRecord } from './summary.ts'

/**
 * What the contexts of a model show of a conversation, frozen for an epoch, so that every request
 * keeps the cached prefix. It is derived: without it the next request begins a new epoch. Plain JSON.
 */
export interface View {
  /** 1, 2, … per conversation and model. */
  readonly epoch: number
  readonly cause: EpochCause
  /** Messages before it are not shown one by one … */
  readonly line: Seq
  /** … but these are; ascending. */
  readonly keeps: readonly Seq[]
  /** Ascending by place. */
  readonly stubs: readonly StubbedMessage[]
  /** What stands for the messages before the line; null where nothing does. */
  readonly past: Past | null
  /** The message that was to come next when it was made, where that had to be shortened. */
  readonly next: {
    readonly seq: Seq
    /** Of its content: another message that came instead is shown whole. */
    readonly hash: string
    /** Null where it had to be left out. */
    readonly stub: StubbedMessage | null
  } | null
  /** Whether there was no room for the caller's texts, or not even for the policy's role or a turn memory. */
  readonly squeezed: 'texts' | 'texts and role' | 'texts, role and memory' | null
  /** What the view was made for (policy, window, pins): another basis, another epoch. */
  readonly basis: string
  /** The epoch that its inserts belong to, where it stood before and was restored; its own where left out. */
  readonly insertsOf?: number
  /** The tokens of the request that began the epoch: it ends when enough has come on top. */
  readonly beganTokens: number
}

/** Which messages a view shows, and what stands for the others. */
export type ShownView = Pick<View, 'line' | 'keeps' | 'stubs' | 'past'>

/** A view that goes on under another epoch: what was recalled for its messages stays with it. */
export function withInserts(view: View): View {
  return { ...view, insertsOf: view.insertsOf ?? view.epoch }
}

/** A message as it is shown where it is too large to be shown whole. */
export interface StubbedMessage extends Pick<Message, 'seq' | 'role' | 'author' | 'parts'> {
  readonly size: Size
  /** Names what is shown of it. */
  readonly hash: string
  /** How it was asked for: the same message, asked for in the same way, gives the same stub. */
  readonly made: string
  readonly wholeTokens: number
}

/**
 * A view that is or was in force, named by the version of the commit that brought it: what
 * can be gone back to. Without the view itself, which may be large. Plain JSON.
 */
export interface ViewVersion {
  readonly version: number
  readonly model: string
  /** Null, as its cause is, where it ended a view: from there on everything was shown. */
  readonly epoch: number | null
  readonly cause: EpochCause | null
  readonly line: Seq
  /** Of the request that began its epoch. */
  readonly tokens: number
  readonly summaryId: string | null
  /** Of one that was restored, the version that it shows again; null for everything. */
  readonly of: number | null
  readonly at: number
  readonly current: boolean
}

/** What the row of a version says of its view. */
export function figuresOf(
  view: View | null,
): Pick<ViewVersion, 'epoch' | 'cause' | 'line' | 'tokens' | 'summaryId'> {
  return {
    epoch: view?.epoch ?? null,
    cause: view?.cause ?? null,
    line: view?.line ?? 0,
    tokens: view?.beganTokens ?? 0,
    summaryId: view?.past?.written?.id ?? null,
  }
}

/** What stands in a context for the messages before its line: rendered once, and frozen with the view. */
export interface Past {
  readonly summary: string
  readonly ledger: string
  /** Lines of files that work goes on with, word for word as they stand now. */
  readonly files: string
  /** The ledger is of the messages before it. */
  readonly ledgerTo: Seq
  readonly entriesShown: number
  /** What the summary goes on from, where it is told as lines of tools. */
  readonly digest: DigestedTo | null
  /** The summary by a model that it begins with; null where rules tell all of it. */
  readonly written: WrittenPast | null
  /** When there was one first, and when this one was made. */
  readonly createdAt: number
  readonly updatedAt: number
}

/** What of a summary's record the contexts of an epoch are asked for. */
export interface WrittenPast
  extends Pick<SummaryRecord, 'id' | 'version' | 'tokensUsed' | 'depth'> {
  /** Rules tell the messages from there on. */
  readonly to: Seq
  /** Nothing in it comes from tools, files or documents. */
  readonly withoutTools: boolean
}

export interface DigestedTo {
  readonly to: Seq
  readonly digest: RuleDigest
}

/**
 * Text of the log that was recalled for a message: it stands before that message for the rest
 * of the epoch, so that each request goes on from the one before. Plain JSON.
 */
export interface Insert {
  readonly epoch: number
  /** The place of the message that it was recalled for … */
  readonly before: Seq
  /** … and the hash of its content: before another one that came instead it does not stand. */
  readonly of: string
  readonly text: string
  /** The epoch began with it; others came while it lasted. */
  readonly opens: boolean
  /** The messages that it tells, ascending. */
  readonly sources: readonly Span[]
}

/**
 * The digest by rules of messages that are not shown any more: the newest as lines, everything
 * before them as counters. However long a conversation gets, it does not grow. Plain JSON.
 */
export interface RuleDigest {
  /** How often something was folded in. */
  readonly version: number
  /** Everything ever told: those in the counters and those in lines. */
  readonly items: number
  readonly messages: number
  /** Tokens that models had for it; rules need none. */
  readonly tokensUsed: number
  /** Oldest first, and each with a line at least. */
  readonly updates: readonly DigestUpdate[]
  readonly condensed: readonly DigestCount[]
}

/** What was folded in at once. */
export interface DigestUpdate {
  readonly version: number
  readonly lines: readonly DigestLine[]
}

export interface DigestLine {
  readonly by: DigestVoice
  /** Of the tool; empty for people's words. */
  readonly tool: string
  readonly failed: boolean
  /** What it is about, for the counters. */
  readonly subject: string
  readonly text: string
}

type DigestVoice = 'user' | 'assistant' | 'tool'

/** Lines of one voice and tool that are counted, and no longer told one by one. */
export interface DigestCount {
  readonly by: DigestVoice
  readonly tool: string
  readonly count: number
  readonly failed: number
  /** What it began with: of a user, the task. */
  readonly first: string
  /** Newest last. */
  readonly newest: readonly string[]
}
