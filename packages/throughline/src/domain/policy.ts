/**
 * A policy: how a context is filled, as plain JSON. Amounts say their unit; ratios
 * are of what is left when system, tools and pins have been counted, unless a field
 * says otherwise.
 *
 * Callers write it in two tiers (`policies/policy-input.ts`): the settings that many need, and `advanced`.
 * The engine reads it flat and complete.
 */

import { ThroughlineError } from '../errors.ts'
import type { SlotKind } from './context.ts'
import type { Guards, Trigger } from './decision.ts'
import type { AskLimits } from './model-calls.ts'
import { describe } from './text.ts'
import type { TurnRules } from './turn-memory.ts'

/** The policies that we ship. */
export const policyNames = [
  ...(['balanced', 'chat', 'coding', 'rule-digest'] as const),
  ...(['ratio-chain', 'rolling-rows', 'running-rag', 'turn-memory'] as const),
] as const

/** The name of a policy that we ship. */
export type PolicyName = (typeof policyNames)[number]

/** A policy as the engine reads it: flat, and complete. */
export interface Policy {
  readonly name: string
  /** Kept free for the reply, but at most that ratio of the window. */
  readonly reserve: { readonly tokens: number; readonly ratioMax: number }
  /** Kept free for what a provider adds and nobody reports; a ratio is of the window. */
  readonly margin: Amount
  /** When to compact: any one suffices. What does not fit is compacted in any case. */
  readonly triggers: readonly Trigger[]
  readonly guards: Guards
  /** A new epoch begins with about this much, and not with less where there is more to show. */
  readonly target: Amount
  readonly keepRecent: KeepRecent
  /**
   * What an epoch begins with: messages up to the target, or only the newest ones that
   * `keepRecent` asks for.
   */
  readonly fill: 'target' | 'recent'
  /**
   * What users said before the line stays word for word, up to this much of it, also beside a
   * summary. With `{ tokens: 0 }` only what no summary covers does, up to 15 %.
   */
  readonly userText: Amount
  /**
   * What users say is pinned as long as all pins have no more than this of what system and tools
   * leave, at most half of it; null: nothing is pinned but by `chat.pin`.
   */
  readonly pinUserMessages: Amount | null
  /** How the slot `summary` describes what was said and done before the line. */
  readonly narrative: Narrative
  /**
   * How models are asked to tell it, in the order in which that is tried. Without a model,
   * and where none brings a summary that can be trusted, it is written as `narrative` says.
   */
  readonly summarizers: readonly Summarizer[]
  readonly run: Run
  /** How much models may be asked for one compaction, and in an hour. */
  readonly limits: AskLimits
  /**
   * What happens where models were asked and none brought a summary. `rules`: it is written as
   * `narrative` says. `no-change`: nothing is compacted as long as the request fits.
   * `throw`: SUMMARY_FAILED.
   */
  readonly onFailure: 'rules' | 'no-change' | 'throw'
  /** What is recalled for each thing that a user says; null for nothing. */
  readonly recall: RecallRules | null
  readonly trim: TrimRules
  /** How much of a stubbed message stays. */
  readonly stub: { readonly tokens: Amount; readonly most: number }
  /** What a context is made of, in order; `share` is the most that a slot may have. */
  readonly slots: readonly Slot[]
  /**
   * The role of a summary and of notes about what is left out. A summary of more than text
   * that people and models wrote is never in the system role; pins, profile, ledger, memory
   * and retrieved text never are.
   */
  readonly derivedRole: 'user-message' | 'system-message' | 'merged-into-system'
  /** What is otherwise for some models: the first that matches holds. */
  readonly models: readonly ModelOverride[]
  /** The figures of a turn memory, in its slots and behind every reply; as we ship them where left out. */
  readonly turns?: TurnRules | undefined
}

/** The settings of the first tier: those that users understand and need. */
type PublicSetting =
  | ('name' | 'triggers' | 'target' | 'keepRecent' | 'reserve')
  | ('summarizers' | 'run' | 'limits' | 'recall' | 'models')

/** A policy that we ship, in the form in which callers write their own; nothing is left out. */
export interface Preset extends Pick<Policy, PublicSetting> {
  /** Itself, so that a copy with a few changes keeps the rest of it. */
  readonly extends: PolicyName
  readonly advanced: Omit<Policy, PublicSetting | 'trim'> & {
    readonly trim: Omit<TrimRules, 'priorities'> & { readonly priorities: SetPriorities }
  }
}

/**
 * The newest messages, which are shortened last: at least 2 messages, and no more than half
 * of the target. An exchange is a turn that has been answered.
 */
export type KeepRecent =
  | { readonly messages: number }
  | { readonly turns: number }
  | { readonly exchanges: number }
  | { readonly tokens: number }

/**
 * `chronicle`: what users said, word for word as far as `said` goes, and what was done and
 * concluded, in the order of the log. `tool-lines`: a line for each result of a tool and each
 * thing said, older ones as counters; errors whole up to a cap, or by their first line.
 */
export type Narrative =
  | { readonly style: 'chronicle' }
  | { readonly style: 'tool-lines'; readonly errorDetails: boolean }

/**
 * When models are asked. `blocking`: before the request that compacts leaves. `background`:
 * behind it; requests go on as they are until the summary is there, and only one that would
 * not fit waits, at most `waitMs` and once for a job, before rules write what no summary covers.
 */
export type Run =
  | { readonly mode: 'blocking' }
  | { readonly mode: 'background'; readonly waitMs: number }

/** A way to have a summary written. */
export type Summarizer = StructuredSummarizer | RunningSummarizer | DigestSummarizer

interface AskedModels {
  /** Ids of those that are asked, the best first; all that there are where it is left out. */
  readonly models?: readonly string[] | undefined
}

/** A story, key points, and lists of what was decided and is left to do. */
export interface StructuredSummarizer extends AskedModels {
  readonly style: 'structured'
  /** How often a summary is made from a summary before the chain is folded into a new root. */
  readonly depthMax: number
  /** The most of a conversation in one request, as long as few requests suffice. */
  readonly transcriptTokens: number
}

/** Paragraphs that are brought up to date: of a talk, or of a talk about documents. */
export interface RunningSummarizer extends AskedModels {
  readonly style: 'running'
  /** `rows`: under 300 words. `resources`: under 200, with documents by name and id. */
  readonly prompt: 'rows' | 'resources'
  /**
   * What is longer is summarized in chunks of so many tokens first, several at once, and their
   * summaries become one. Null: one request after the other, each with as much as it has room for.
   */
  readonly chunkTokens: number | null
}

/** What was done with files and tools, and how the task stands. */
export interface DigestSummarizer extends AskedModels {
  readonly style: 'digest'
  /** Your own, with `{context}` once, and `{maxTokens}` where you want it; null for ours. */
  readonly prompt: string | null
}

/** How much of what is not shown is put before a message that asks for it. */
export interface RecallRules {
  /** The most for one message … */
  readonly share: Amount
  /** … and in tokens, however large the share is. */
  readonly most: number
  /** An epoch that begins with such a message has up to so much, what was recalled included. */
  readonly upTo: Amount
}

/** What goes first when something has to go. */
export interface TrimRules {
  /** `priority`: the lowest first, and of those the oldest. `age`: the oldest first. */
  readonly order: 'priority' | 'age'
  readonly priorities: Readonly<Record<MessageClass, number>>
  /** From this priority on, a message is shortened only where the request would not fit. */
  readonly protectedFrom: number
  /** A result of a tool is recent for so many steps, and a message for so many turns. */
  readonly recentSteps: number
  readonly recentTurns: number
  /** Results that tell of a failure stay as long as there is anything else to shorten. */
  readonly keepErrors: boolean
  /** Results up to so many tokens stay as they are. */
  readonly smallTokens: number
}

/** The priorities that are a matter of taste; those of the other classes are fixed. */
export type SetPriorities = Readonly<Record<'old-said' | 'old-reply' | 'modified-file', number>>

/** What a policy has otherwise for some models. */
export interface ModelOverride {
  /** A name as it is asked for, with `*` for any characters: `openai/gpt-4o*`. */
  readonly match: string
  readonly triggers?: readonly Trigger[] | undefined
  readonly target?: Amount | undefined
  readonly reserve?: Policy['reserve'] | undefined
  readonly keepRecent?: KeepRecent | undefined
}

/** A part of a context: what it shows, and the most that it may have. */
export interface Slot {
  readonly kind: SlotKind
  readonly share?: Amount | undefined
  /** The most tokens, however large the share is. */
  readonly most?: number | undefined
}

/** So many tokens, or a share of what there is. */
export type Amount = { readonly tokens: number } | { readonly ratio: number }

/**
 * How many tokens an amount of a policy is: `{ ratio: 0.75 }` of 8,000 tokens is 6,000.
 *
 * @example
 * const triggerTokens = resolveAmount({ ratio: 0.75 }, context.available)
 */
export function resolveAmount(amount: Amount, ofTokens: number): number {
  if ('tokens' in amount) return checked(amount.tokens, Number.isSafeInteger(amount.tokens))
  return Math.floor(checked(amount.ratio, amount.ratio <= 1) * ofTokens)
}

function checked(value: number, inRange: boolean): number {
  if (typeof value !== 'number' || !inRange || !(value >= 0))
    throw new ThroughlineError(
      'CONFIG_INVALID',
      `an amount is { tokens: a whole number from 0 } or { ratio: 0 to 1 }, got ${describe(value)}`,
    )
  return value
}

/** What a message may be to a context that has to become smaller. See `classify`. */
export const messageClasses = [
  'system',
  /** What the application put before the conversation for the agent to follow (AGENTS.md). */
  'instructions',
  /** What the user asked for last, before the tools that are at work on it. */
  'task',
  /** A result, or a call, about a file that was changed in this conversation. */
  'modified-file',
  'recent-turn',
  'recent-file',
  /** What users said before the recent turns. */
  'old-said',
  /** What the assistant said before the recent turns. */
  'old-reply',
  'stale-output',
  'summarized',
] as const

export type MessageClass = (typeof messageClasses)[number]
