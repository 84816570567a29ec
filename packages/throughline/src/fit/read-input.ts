/** Checks and parses the input of `fit`. */
import type { TokenizerChoice } from '../config.ts'
import { defaults } from '../defaults-data.ts'
import { type ContextWarning, isCoreSlot } from '../domain/context.ts'
import type { CompactionMode } from '../domain/conversation.ts'
import type { FitModelState, FitState } from '../domain/fit-state.ts'
import type { Seq } from '../domain/ids.ts'
import type { MessageInput } from '../domain/message.ts'
import type { ModelCardInput } from '../domain/model-card.ts'
import type { Policy } from '../domain/policy.ts'
import { isShaped, list, number, orNull, type Shape, text } from '../domain/shape.ts'
import { windowAdvice } from '../domain/text.ts'
import type { UsageInput } from '../domain/usage.ts'
import type { Insert, View } from '../domain/view.ts'
import { checkOptions, invalidOption, refuseUnknownModel } from '../flow/check/check-options.ts'
import { type ContextInput, checkRequest } from '../flow/check/check-request.ts'
import { metersOf, warningsOf } from '../meters.ts'
import { balanced } from '../policies/balanced-data.ts'
import { flattenPolicy } from '../policies/flatten-policy.ts'
import type { PolicyInput } from '../policies/policy-input.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { StyledModels } from '../ports/summary-style.ts'

/** The input of `fit`: the messages, the model, and the state of the previous call. */
export interface FitInput extends Omit<ContextInput, 'next' | 'memory'> {
  /** The whole conversation, oldest first. */
  readonly messages: readonly MessageInput[]
  /** The `state` that the previous call returned; omitted in the first call. */
  readonly state?: FitState | null | undefined
  /** The usage that the provider reported for the previous request. */
  readonly usage?: UsageInput | null | undefined
  /** The error with which the provider refused the previous request, if it did. */
  readonly refused?: unknown
  /** Compact now, whatever the triggers say. */
  readonly compact?: boolean | undefined
  /** As the option of `createThroughline`. */
  readonly compaction?: CompactionMode | undefined
  /** Places of messages that are always shown, word for word. */
  readonly pins?: readonly Seq[] | undefined
  readonly policy?: PolicyInput | undefined
  /** As the option of `createThroughline`. */
  readonly summarizer?: LanguageModel | readonly LanguageModel[] | undefined
  /** As the option of `createThroughline`; the same object in each call keeps its vectors. */
  readonly embedder?: Embedder | undefined
  readonly tokenizer?: TokenizerChoice | undefined
  readonly models?: readonly ModelCardInput[] | undefined
  /** As the option of `createThroughline`. */
  readonly strictModels?: boolean | undefined
}

/** The parsed input. */
export type FitCall = Awaited<ReturnType<typeof readFitInput>>

const fields = [
  ...(['model', 'system', 'tools', 'retrieved', 'profile', 'replyTokens', 'signal'] as const),
  ...([
    'messages',
    'state',
    'usage',
    'pins',
    'policy',
    'tokenizer',
    'models',
    'strictModels',
  ] as const),
  ...(['refused', 'compact', 'compaction', 'summarizer', 'embedder'] as const),
]

export async function readFitInput(input: FitInput) {
  const options = checkOptions(input, fields, 'fit', windowAdvice)
  const { model, system, tools, retrieved, profile, replyTokens, signal } = options
  const policy = await policyIn(options)
  const states = readState(options.state)
  const request = { model, system, tools, retrieved, profile, replyTokens, signal }
  return {
    messages: options.messages,
    pins: options.pins ?? [],
    request: checkRequest(request, 'fit'),
    policy,
    mode: modeIn(options),
    compacts: options.compact === true,
    styles: await stylesIn(options, policy, states),
    embedder: embedderIn(options),
    states,
    usage: options.usage ?? null,
    refused: options.refused,
    warnings: warningsIn(options),
    meterFor: async (name: string) => metersOf(options, 'fit')(name),
  }
}

function warningsIn({ model, models, strictModels }: FitInput): readonly ContextWarning[] {
  const isStrict: unknown = strictModels ?? false
  if (typeof isStrict !== 'boolean') throw invalidOption('fit: strictModels must be true or false')
  const warnings = warningsOf({ models }, 'fit')(model)
  if (isStrict) refuseUnknownModel(model, warnings)
  return warnings
}

async function policyIn(options: FitInput): Promise<Policy> {
  const given: unknown = options.policy ?? defaults.policy
  const policy =
    given === balanced.name
      ? flattenPolicy({ ...balanced, extends: balanced.name })
      : await readOtherPolicy(given)
  if (policy.pinUserMessages !== null)
    throw invalidOption('fit: advanced.pinUserMessages needs a store; pass pins instead')
  const slots = policy.slots.map(({ kind }) => kind).filter((kind) => !isCoreSlot(kind))
  if (slots.length > 0)
    throw invalidOption(
      `fit: a turn memory needs a store; use createThroughline, or a policy without the slots ${slots.join(', ')}`,
    )
  return policy
}

/** The other policies and their schema are large, and most callers name none. */
async function readOtherPolicy(given: unknown): Promise<Policy> {
  if (typeof given !== 'string')
    return (await import('../policies/read-policy.ts')).readPolicy(given)
  return (await import('../policies/read-preset.ts')).readPreset(given)
}

/** Loaded where a model writes summaries, or has written the one in the state. */
async function stylesIn(
  { summarizer }: FitInput,
  policy: Policy,
  states: readonly FitModelState[],
): Promise<readonly StyledModels[]> {
  if (summarizer === undefined && states.every(({ summary }) => !summary)) return []
  const { styledModels } = await import('../policies/styled-models.ts')
  const { readModels } = await import('../policies/summary-models.ts')
  return styledModels(policy, readModels(summarizer))
}

function modeIn({ compaction }: FitInput): CompactionMode {
  const mode: unknown = compaction
  if (mode === undefined) return defaults.compaction
  if (mode === 'on' || mode === 'off' || mode === 'shadow') return mode
  throw invalidOption('fit: compaction must be "on", "off" or "shadow"')
}

function embedderIn({ embedder }: FitInput): Embedder | null {
  if (embedder !== undefined && typeof embedder?.embed !== 'function')
    throw invalidOption('fit: embedder must be an embedder, such as embedder(model)')
  return embedder ?? null
}

/** Checks the state, because the caller stores it as JSON. */
function readState(state: unknown): readonly FitModelState[] {
  if (state === undefined || state === null) return []
  const { version, models } = state as FitState
  if (version !== 1 || !isShaped(states, models))
    throw invalidOption('fit: state must be the state that fit returned, or be omitted')
  return models
}

const view: Shape<View> = {
  basis: (value: unknown) => text(value) && String(value).startsWith('['),
  line: number,
  keeps: list,
  stubs: [{ parts: list, size: { tokens: number } }],
}

const insert: Shape<Insert> = {
  epoch: number,
  before: number,
  of: text,
  text,
  sources: [{ from: number, to: number }],
}

/** The checked fields of a state. */
const states: Shape<readonly FitModelState[]> = [
  {
    model: text,
    history: number,
    view: orNull<View>(view),
    witnesses: [{ hash: text }],
    last: { tokens: number, prefix: { chain: text } },
    inserts: (value: unknown) => value === undefined || isShaped([insert], value),
  },
]
