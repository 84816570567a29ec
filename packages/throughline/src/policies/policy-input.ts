/** A policy as callers write it. */
import type { AskLimits } from '../domain/asking.ts'
import type {
  DigestSummarizer,
  Policy,
  Run,
  RunningSummarizer,
  StructuredSummarizer,
  TrimRules,
} from '../domain/policy.ts'
import type { Guards } from '../domain/trigger.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import type { PolicyName } from '../policies.ts'

/**
 * A name, or a policy in which what is left out is as in `balanced`, also inside `guards`,
 * `limits`, `run`, `trim` and its `priorities`; a summarizer needs only its style. What `turns`
 * leaves out is as in `turnRules`.
 */
export type PolicyInput =
  | PolicyName
  | (Partial<Omit<Policy, 'guards' | 'trim' | 'limits' | 'summarizers' | 'run' | 'turns'>> & {
      readonly name: string
      readonly guards?: Partial<Guards> | undefined
      readonly limits?: Partial<AskLimits> | undefined
      readonly run?: Run | { readonly mode: 'background' } | undefined
      readonly summarizers?: readonly SummarizerInput[] | undefined
      readonly turns?: Partial<TurnRules> | undefined
      readonly trim?: Partial<Omit<TrimRules, 'priorities'>> & {
        readonly priorities?: Partial<TrimRules['priorities']> | undefined
      }
    })

/** Only what is otherwise than we ship it. */
export type SummarizerInput =
  | (Partial<StructuredSummarizer> & Pick<StructuredSummarizer, 'style'>)
  | (Partial<RunningSummarizer> & Pick<RunningSummarizer, 'style'>)
  | (Partial<DigestSummarizer> & Pick<DigestSummarizer, 'style'>)
