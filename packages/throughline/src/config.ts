/** Parses options into frozen settings; nothing else checks them. */
import * as v from 'valibot'
import { defaults } from './defaults-data.ts'
import type { CompactionMode } from './domain/conversation.ts'
import type { ModelCard, ModelCardInput } from './domain/model-card.ts'
import { type Policy, policyHash } from './domain/policy.ts'
import { windowAdvice } from './domain/text.ts'
import { modelCards } from './models/catalogue.ts'
import type { PolicyInput } from './policies/policy-input.ts'
import { readPolicy } from './policies/read-policy.ts'
import { boolean, object, oneOf, parseSettings } from './policies/schema.ts'
import { checkNamedModels, readModels } from './policies/summary-models.ts'
import type { Clock } from './ports/clock.ts'
import type { ContextExtension } from './ports/context-extension.ts'
import type { Embedder } from './ports/embedder.ts'
import type { LanguageModel } from './ports/language-model.ts'
import type { Queue } from './ports/queue.ts'
import type { Store } from './ports/store.ts'
import type { Tokenizer } from './ports/tokenizer.ts'
import { localQueue } from './queues/local.ts'
import { sha256, systemClock, systemTimer } from './system.ts'

/** The options of an engine; all are optional. */
export interface ThroughlineOptions {
  /** Where conversations are stored; in memory by default. */
  readonly store?: Store | undefined
  /**
   * How tokens are counted: `auto` (exact where the model's tokenizer is
   * installed, an upper estimate elsewhere), `exact` (or an error), `estimate`, or
   * a tokenizer of your own.
   */
  readonly tokenizer?: TokenizerChoice | undefined
  /** Cards of models. For a model of the catalogue, the built-in card supplies omitted fields. */
  readonly models?: readonly ModelCardInput[] | undefined
  /**
   * Refuses requests for a model that the catalogue does not know, with the error `MODEL_UNKNOWN`. By
   * default they get a window of 8,192 tokens, and `context.warnings` says so.
   */
  readonly strictModels?: boolean | undefined
  /** How a context is filled: the name of a policy, or one of your own. */
  readonly policy?: PolicyInput | undefined
  /**
   * The model that writes summaries, or several in order of preference; the policy decides how they
   * are asked. Without one, rules (no LLM) write the history, and no call is made.
   */
  readonly summarizer?: LanguageModel | readonly LanguageModel[] | undefined
  /**
   * Whether triggers compact. `off`: only what does not fit is removed. `shadow`: decisions are
   * reported but not done, unless a request would not fit. A conversation can override it.
   */
  readonly compaction?: CompactionMode | undefined
  /**
   * Fills slots of the policy with content of your own program, in place of the
   * turn memory that fills those of the policy `turn-memory` (`docs/context-extensions.md`).
   */
  readonly extension?: ContextExtension | undefined
  /**
   * Ranks what a search finds by meaning, not only by words: see `embedder` of
   * `throughline/models`. Without one, no text leaves the process for a search.
   */
  readonly embedder?: Embedder | undefined
  readonly clock?: Clock | undefined
  /** The queue for background jobs; in this process by default. */
  readonly queue?: Queue | undefined
}

/** How tokens are counted: a mode, or a tokenizer of your own. */
export type TokenizerChoice = 'auto' | 'exact' | 'estimate' | Tokenizer

/** The settings of an engine: every option, checked and completed. */
export interface Settings {
  /** Null: in memory. */
  readonly store: Store | null
  readonly tokenizer: TokenizerChoice
  readonly models: readonly ModelCard[]
  readonly strictModels: boolean
  readonly policy: Policy
  /** Equal hashes, equal policies. */
  readonly policyHash: string
  /** The models that write summaries, in order of preference. */
  readonly writers: readonly LanguageModel[]
  readonly compaction: CompactionMode
  /** Null: the turn memory. */
  readonly extension: ContextExtension | null
  /** Null: recall ranks by words. */
  readonly embedder: Embedder | null
  readonly clock: Clock
  readonly queue: Queue
  readonly messageBytesMax: number
  readonly pageMessages: number
}

/** The schema of an object with these methods. */
function withMethods(methods: readonly string[], what: string) {
  const hasMethods = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    methods.every((method) => typeof (value as Fields)[method] === 'function')
  return v.optional(v.custom<object>(hasMethods, `must be ${what}`))
}

type Fields = Readonly<Record<string, unknown>>

const optionsSchema = object(
  {
    store: withMethods(['tenant', 'close'], 'a store, such as sqlite("chat.db")'),
    tokenizer: v.optional(
      v.union(
        [v.picklist(['auto', 'exact', 'estimate']), withMethods(['count'], 'a tokenizer')],
        'must be "auto", "exact", "estimate" or a tokenizer',
      ),
    ),
    models: v.optional(v.array(v.unknown(), 'must be an array of model cards')),
    strictModels: v.optional(boolean),
    // Parsed below, with error messages of their own.
    policy: v.optional(v.unknown()),
    summarizer: v.optional(v.unknown()),
    compaction: v.optional(oneOf(['on', 'off', 'shadow'])),
    extension: withMethods(['content'], 'a context extension'),
    embedder: withMethods(['embed'], 'an embedder, such as embedder(model)'),
    clock: withMethods(['now'], 'a clock with now()'),
    queue: withMethods(['start', 'add', 'settled', 'close'], 'a queue'),
  } satisfies Record<keyof ThroughlineOptions, v.GenericSchema>,
  (name) => windowAdvice(name).replace('. The', 'the') || null,
)

export function readSettings(options: unknown): Settings {
  parseSettings(optionsSchema, options, 'createThroughline: ')
  // The original object, because stores, clocks and queues need their own `this`.
  const checked = options as ThroughlineOptions
  const policy = readPolicy(checked.policy ?? defaults.policy, checked.extension?.slots)
  const writers = readModels(checked.summarizer)
  checkNamedModels(policy, writers)
  return Object.freeze({
    store: checked.store ?? null,
    tokenizer: checked.tokenizer ?? defaults.tokenizer,
    models: Object.freeze(modelCards(checked.models ?? [])),
    strictModels: checked.strictModels ?? false,
    policy,
    policyHash: hashOfPolicy(policy),
    writers,
    compaction: checked.compaction ?? defaults.compaction,
    extension: checked.extension ?? null,
    embedder: checked.embedder ?? null,
    clock: checked.clock ?? systemClock,
    queue: checked.queue ?? localQueue(queueOptions),
    messageBytesMax: defaults.messageBytesMax,
    pageMessages: defaults.pageMessages,
  })
}

const queueOptions = {
  atOnce: defaults.jobsAtOnce,
  drainMs: defaults.drainMs,
  timer: systemTimer,
}

export function hashOfPolicy(policy: Policy): string {
  return policyHash(policy, sha256)
}
