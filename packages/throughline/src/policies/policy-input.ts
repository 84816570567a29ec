/** A policy as callers write it. `policy-schema.ts` parses this shape; a test compares the two. */
import type { Guards, Trigger } from '../domain/decision.ts'
import type { AskLimits } from '../domain/model-calls.ts'
import type {
  Amount,
  DigestSummarizer,
  KeepRecent,
  ModelOverride,
  Narrative,
  Policy,
  PolicyName,
  RecallRules,
  Run,
  RunningSummarizer,
  SetPriorities,
  Slot,
  StructuredSummarizer,
  TrimRules,
} from '../domain/policy.ts'
import type { TurnRules } from '../domain/turn-memory.ts'

/** The name of a policy that we ship, or one of your own. */
export type PolicyInput = PolicyName | PolicyOptions

/** A policy of your own: what you leave out is as in the one that it extends. */
export interface PolicyOptions {
  /** What the policy is called in receipts and reports. */
  readonly name: string
  /** The shipped policy that completes it: `balanced` unless set. */
  readonly extends?: PolicyName | undefined
  /** When to compact: any one trigger suffices. */
  readonly triggers?: readonly Trigger[] | undefined
  /** How much of the context a compaction keeps. */
  readonly target?: Amount | undefined
  /** The newest messages, which are shortened last. */
  readonly keepRecent?: KeepRecent | undefined
  /** What is kept free for the reply. */
  readonly reserve?: Some<Policy['reserve']> | undefined
  /** How models are asked for a summary, tried in this order. */
  readonly summarizers?: readonly SummarizerInput[] | undefined
  /** Whether models are asked before the request leaves, or after it. */
  readonly run?: RunInput | undefined
  /** How much models may be asked, for one compaction and in an hour. */
  readonly limits?: Some<AskLimits> | undefined
  /** How much is recalled for a user message; null for none. */
  readonly recall?: RecallRules | null | undefined
  /** What differs for some models: the first that matches applies. */
  readonly models?: readonly ModelOverride[] | undefined
  /** Settings that few need. */
  readonly advanced?: AdvancedPolicyOptions | undefined
}

/** Settings that few need: how the parts of a context are chosen, ranked and written. */
export interface AdvancedPolicyOptions {
  /** Conditions that delay a trigger. */
  readonly guards?: Some<Guards> | undefined
  /** Tokens kept free for text that a provider adds without reporting it. */
  readonly margin?: Amount | undefined
  /** What a compaction keeps: the most valuable up to the target, or only the newest. */
  readonly fill?: Policy['fill'] | undefined
  /** The room for the user's own words before the line. */
  readonly userText?: Amount | undefined
  /** Pins user messages up to this size. */
  readonly pinUserMessages?: Amount | null | undefined
  /** The form of the digest that rules write. */
  readonly narrative?: NarrativeInput | undefined
  /** What happens when all models fail. */
  readonly onFailure?: Policy['onFailure'] | undefined
  /** Which messages are shortened first. */
  readonly trim?: TrimInput | undefined
  /** How much of a stubbed message stays. */
  readonly stub?: Some<Policy['stub']> | undefined
  /** The sections of a context, in order, and the most of each. */
  readonly slots?: readonly Slot[] | undefined
  /** The role of summaries and of notes about omissions. */
  readonly derivedRole?: Policy['derivedRole'] | undefined
  /** The figures of a turn memory. */
  readonly turns?: Some<TurnRules> | undefined
}

type Some<Type> = { readonly [Field in keyof Type]?: Type[Field] | undefined }

/** A summarizer needs only its style. */
export type SummarizerInput =
  | (Some<StructuredSummarizer> & Pick<StructuredSummarizer, 'style'>)
  | (Some<RunningSummarizer> & Pick<RunningSummarizer, 'style'>)
  | (Some<DigestSummarizer> & Pick<DigestSummarizer, 'style'>)

type RunInput = Run | { readonly mode: 'background'; readonly waitMs?: number | undefined }
type NarrativeInput =
  | Narrative
  | { readonly style: 'tool-lines'; readonly errorDetails?: boolean | undefined }
type TrimInput = Some<Omit<TrimRules, 'priorities'>> & {
  readonly priorities?: Some<SetPriorities> | undefined
}
