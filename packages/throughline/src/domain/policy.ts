/**
 * Policies: how a context is filled. Plain JSON. Ratios refer to what system, tools and pins leave,
 * unless a field says otherwise. Callers write policies in two tiers (`policies/policy-input.ts`);
 * the engine reads them flat and complete.
 */
import { ThroughlineError } from '../errors.ts'
import type { SlotKind } from './context.ts'
import type { Guards, Trigger } from './decision.ts'
import type { AskLimits } from './model-calls.ts'
import type { messageClasses, policyNames } from './policy-names-data.ts'
import { describe } from './text.ts'
import type { TurnRules } from './turn-memory.ts'

/** The name of a policy that we ship. */
export type PolicyName = (typeof policyNames)[number]

/** A policy as the engine reads it: flat, and complete. */
export interface Policy {
  readonly name: string
  /** Kept free for the reply, but at most that ratio of the window. */
  readonly reserve: { readonly tokens: number; readonly ratioMax: number }
  /** Kept free for what a provider adds and does not report; a ratio is of the window. */
  readonly margin: Amount
  /** When to compact: any one suffices. What does not fit is compacted in any case. */
  readonly triggers: readonly Trigger[]
  readonly guards: Guards
  /** A new epoch begins with about this much, and not with less if there is more to show. */
  readonly target: Amount
  readonly keepRecent: KeepRecent
  /** What an epoch begins with: messages up to the target, or only those of `keepRecent`. */
  readonly fill: 'target' | 'recent'
  /**
   * Users' text before the line stays word for word, up to this much, even beside a summary. With
   * `{ tokens: 0 }` only text that no summary covers stays, up to 15 %.
   */
  readonly userText: Amount
  /**
   * Users' messages are pinned as long as all pins have no more than this of what system and tools
   * leave, at most half of it; null: only `chat.pin` pins.
   */
  readonly pinUserMessages: Amount | null
  /** How the slot `summary` describes the messages before the line. */
  readonly narrative: Narrative
  /**
   * How models are asked to summarize, in order of preference. Without a model, and where none
   * writes a summary that passes the gate, `narrative` applies.
   */
  readonly summarizers: readonly Summarizer[]
  readonly run: Run
  /** Limits on model calls for one compaction, and in an hour. */
  readonly limits: AskLimits
  /**
   * What happens when models were asked and none wrote a summary. `rules`: as `narrative` says.
   * `no-change`: nothing is compacted as long as the request fits. `throw`: SUMMARY_FAILED.
   */
  readonly onFailure: 'rules' | 'no-change' | 'throw'
  /** What is recalled for each message of a user; null for nothing. */
  readonly recall: RecallRules | null
  readonly trim: TrimRules
  /** How much of a stubbed message stays. */
  readonly stub: { readonly tokens: Amount; readonly most: number }
  /** The parts of a context, in order; `share` is the most that a slot may have. */
  readonly slots: readonly Slot[]
  /**
   * The role of a summary and of notes about omissions. A summary that covers tool output or
   * documents is never in the system role; pins, profile, ledger, memory and retrieved text never
   * are.
   */
  readonly derivedRole: 'user-message' | 'system-message' | 'merged-into-system'
  /** What differs for some models: the first match applies. */
  readonly models: readonly ModelOverride[]
  /** The figures of a turn memory; our defaults where left out. */
  readonly turns?: TurnRules | undefined
}

type PublicSetting =
  | ('name' | 'triggers' | 'target' | 'keepRecent' | 'reserve')
  | ('summarizers' | 'run' | 'limits' | 'recall' | 'models')

/** A policy that we ship, in the form in which callers write their own; complete. */
export interface Preset extends Pick<Policy, PublicSetting> {
  /** Itself, so that a copy with a few changes keeps the rest. */
  readonly extends: PolicyName
  readonly advanced: Omit<Policy, PublicSetting | 'trim'> & {
    readonly trim: Omit<TrimRules, 'priorities'> & { readonly priorities: SetPriorities }
  }
}

/**
 * The newest messages, shortened last: at least 2, and no more than half of the target. An exchange
 * is an answered turn.
 */
export type KeepRecent =
  | { readonly messages: number }
  | { readonly turns: number }
  | { readonly exchanges: number }
  | { readonly tokens: number }

/**
 * `chronicle`: users' text, verbatim as far as `userText` allows, and actions and conclusions, in
 * order. `tool-lines`: a line for each result and message, older ones as counters; errors whole up
 * to a cap, or by their first line.
 */
export type Narrative =
  | { readonly style: 'chronicle' }
  | { readonly style: 'tool-lines'; readonly errorDetails: boolean }

/**
 * When models are asked. `blocking`: before the request that compacts. `background`: after it;
 * requests continue as they are until the summary is there. Only one that would not fit waits, at
 * most `waitMs` and once for a job, before rules write what no summary covers.
 */
export type Run =
  | { readonly mode: 'blocking' }
  | { readonly mode: 'background'; readonly waitMs: number }

/** A way to have a summary written. */
export type Summarizer = StructuredSummarizer | RunningSummarizer | DigestSummarizer

interface AskedModels {
  /** Ids of the models to ask, the best first; by default all. */
  readonly models?: readonly string[] | undefined
}

/** A story, key points, and lists of what was decided and is left to do. */
export interface StructuredSummarizer extends AskedModels {
  readonly style: 'structured'
  /** How often a summary is made from a summary before the chain is folded into a new root. */
  readonly depthMax: number
  /** The most of a conversation in one request, as long as few requests suffice. */
  readonly transcriptTokens: number
  /**
   * If set, what is longer than four times as much is first summarized in chunks of so many tokens,
   * several at once.
   */
  readonly chunkTokens?: number | undefined
}

/** Paragraphs that each summary updates: about a conversation, or one about documents. */
export interface RunningSummarizer extends AskedModels {
  readonly style: 'running'
  /** `rows`: under 300 words. `resources`: under 200, with documents by name and id. */
  readonly prompt: 'rows' | 'resources'
  /**
   * Longer text is first summarized in chunks of so many tokens, several at once, and their
   * summaries are merged. Null: one request after the other, each with as much text as fits.
   */
  readonly chunkTokens: number | null
}

/** Actions with files and tools, and the state of the task. */
export interface DigestSummarizer extends AskedModels {
  readonly style: 'digest'
  /** Your own, with `{context}` once, and optionally `{maxTokens}`; null for ours. */
  readonly prompt: string | null
}

/** How much hidden text is recalled before a message that needs it. */
export interface RecallRules {
  /** The most for one message … */
  readonly share: Amount
  /** … and in tokens, however large the share is. */
  readonly most: number
  /** An epoch that begins with such a message has up to so much, recalled text included. */
  readonly upTo: Amount
}

/** What is shortened first. */
export interface TrimRules {
  /**
   * `share`: each message gets at most a share of the room, by its kind; priorities apply only where
   * the request would not fit. `priority`: the lowest is shortened first, the oldest before others.
   * `age`: the oldest first.
   */
  readonly order: 'share' | 'priority' | 'age'
  readonly priorities: Readonly<Record<MessageClass, number>>
  /** From this priority on, a message is shortened only where the request would not fit. */
  readonly protectedFrom: number
  /** A result is recent for so many steps, and a message for so many turns. */
  readonly recentSteps: number
  readonly recentTurns: number
  /** Failed results stay as long as there is anything else to shorten. */
  readonly keepErrors: boolean
  readonly smallTokens: number
}

/** The configurable priorities; those of the other classes are fixed. */
export type SetPriorities = Readonly<
  Record<'old-user-text' | 'old-reply' | 'modified-file', number>
>

/** What a policy changes for some models. */
export interface ModelOverride {
  /** A name as it is asked for, with `*` for any characters: `openai/gpt-4o*`. */
  readonly match: string
  readonly triggers?: readonly Trigger[] | undefined
  readonly target?: Amount | undefined
  readonly reserve?: Policy['reserve'] | undefined
  readonly keepRecent?: KeepRecent | undefined
}

/** A part of a context: its content, and the most that it may have. */
export interface Slot {
  readonly kind: SlotKind
  readonly share?: Amount | undefined
  /** The most tokens, however large the share is. */
  readonly most?: number | undefined
}

/** Tokens, or a ratio of what is available. */
export type Amount = { readonly tokens: number } | { readonly ratio: number }

/**
 * How many tokens an amount of a policy is: `{ ratio: 0.75 }` of 8,000 tokens is 6,000.
 *
 * @example
 * const triggerTokens = resolveAmount({ ratio: 0.75 }, context.available)
 */
export function resolveAmount(amount: Amount, ofTokens: number): number {
  if ('tokens' in amount) return checkAmount(amount.tokens, Number.isSafeInteger(amount.tokens))
  return Math.floor(checkAmount(amount.ratio, amount.ratio <= 1) * ofTokens)
}

function checkAmount(value: number, isInRange: boolean): number {
  if (typeof value !== 'number' || !isInRange || !(value >= 0))
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `an amount is { tokens: a whole number from 0 } or { ratio: 0 to 1 }, got ${describe(value)}`,
    )
  return value
}

export type MessageClass = (typeof messageClasses)[number]

/** Equal hashes, equal policies. */
export function policyHash(policy: Policy, sha256: (text: string) => string): string {
  return sha256(JSON.stringify(policy)).slice(0, 16)
}
