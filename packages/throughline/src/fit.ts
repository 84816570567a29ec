/**
 * The engine without a store, for those whose messages live elsewhere: the whole
 * history in, what fits out, and a state to hand in next time.
 */
import { hashOfPolicy, type TokenizerChoice } from './config.ts'
import { defaults } from './defaults.ts'
import { observe, startCalibration } from './domain/calibration.ts'
import type { BreakCause, Context, EpochCause, Omission, Repair } from './domain/context.ts'
import type { FitModelState, FitState, Witness } from './domain/fit-state.ts'
import type { Seq } from './domain/ids.ts'
import type { MessageInput } from './domain/message-input.ts'
import { type ModelCardInput, modelCard } from './domain/model-card.ts'
import type { RequestRecord } from './domain/request-record.ts'
import { inputTokensOf, type Usage } from './domain/usage.ts'
import type { View } from './domain/view.ts'
import { project } from './engine.ts'
import { type ArrayLog, arrayLog } from './flow/array-log.ts'
import { checkOptions, invalidOption } from './flow/check-options.ts'
import { basisOf } from './flow/decide.ts'
import type { Meter } from './flow/measure.ts'
import { type ContextInput, checkRequest } from './flow/request.ts'
import { type Meters, rememberedMeters } from './meters.ts'
import { type PolicyInput, readPolicy } from './policies.ts'
import { sha256 } from './system.ts'

export interface FitInput extends Omit<ContextInput, 'next'> {
  /** The whole conversation, oldest first. */
  readonly messages: readonly MessageInput[]
  /** What the call before gave back; leave it out the first time. */
  readonly state?: FitState | null | undefined
  /** What the provider reported for the request before. */
  readonly usage?: Usage | null | undefined
  /** Places of messages that are always shown, word for word. */
  readonly pins?: readonly Seq[] | undefined
  readonly policy?: PolicyInput | undefined
  readonly tokenizer?: TokenizerChoice | undefined
  readonly models?: readonly ModelCardInput[] | undefined
}

/** A context, with the state to keep and the account of what was done. */
export interface Fitted extends Context {
  readonly state: FitState
  readonly receipt: FitReceipt
}

export interface FitReceipt {
  /** Why an epoch began with this request, if one did. */
  readonly began: EpochCause | null
  readonly brokenBy: BreakCause | null
  /** With nothing stubbed. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Messages. */
  readonly stubbed: number
  readonly leftOut: number
  readonly omitted: readonly Omission[]
  readonly repairs: readonly Repair[]
}

const fields = [
  ...(['messages', 'state', 'usage', 'pins', 'policy', 'tokenizer', 'models'] as const),
  ...(['model', 'system', 'tools', 'retrieved', 'profile'] as const),
]

/**
 * Fits a conversation that you keep yourself into a model's window.
 *
 * @example
 * const fitted = await fit({ messages: inputs, state, model: 'openai/gpt-5-mini' })
 * state = fitted.state
 */
export async function fit(input: FitInput): Promise<Fitted> {
  const {
    messages,
    pins,
    policy: asked,
    tokenizer,
    models,
    usage,
    ...rest
  } = checkOptions(input, fields, 'fit')
  const { state, ...requested } = rest
  const request = checkRequest(requested)
  const policy = readPolicy(asked ?? defaults.policy.value)
  const meter = await meterOf(request.model, tokenizer ?? defaults.tokenizer.value, models ?? [])
  const log = arrayLog(messages, pins ?? [], {
    sha256,
    messageBytesMax: defaults.messageBytesMax.value,
  })
  const before = modelState(state, meter)
  const edited = before !== null && !before.witnesses.every((witness) => log.knows(witness))
  const history = (before?.history ?? 0) + (edited ? 1 : 0)
  const calibration = calibrationOf(before, usage, meter)
  const projection = await project({
    log,
    request,
    next: null,
    view: before?.view ?? null,
    calibration,
    last: before?.last ?? null,
    meter,
    policy,
    basis: basisOf(meter, log.pins, hashOfPolicy(policy), String(history)),
    now: 0,
  })
  const { context, record, view } = projection
  const witnesses = witnessesOf(log, view)
  const model: FitModelState = {
    model: meter.card.id,
    view,
    last: record,
    calibration,
    witnesses,
    history,
  }
  return {
    ...context,
    state: withModel(state ?? null, model),
    receipt: receiptOf(context, record, view === before?.view ? null : (view?.cause ?? null)),
  }
}

// Calls come one after the other with the same models: what was counted is remembered.
const meters = new Map<string, Meters>()
const choicesKept = 16

function meterOf(
  model: string,
  tokenizer: TokenizerChoice,
  models: readonly ModelCardInput[],
): Promise<Meter> {
  const cards = models.map(modelCard)
  // A tokenizer of one's own has no name that we could trust to be its alone.
  if (typeof tokenizer !== 'string') return rememberedMeters(tokenizer, cards)(model)
  const key = JSON.stringify([tokenizer, cards])
  const known = meters.get(key) ?? rememberedMeters(tokenizer, cards)
  if (meters.size >= choicesKept) meters.delete(meters.keys().next().value ?? key)
  meters.set(key, known)
  return known(model)
}

function modelState(state: unknown, { card }: Meter): FitModelState | null {
  if (state === undefined || state === null) return null
  const { version, models } = state as Partial<FitState>
  if (version !== 1 || !Array.isArray(models))
    throw invalidOption('fit: state must be what fit gave back, or be left out')
  return models.find(({ model }) => model === card.id) ?? null
}

function calibrationOf(
  before: FitModelState | null,
  usage: Usage | null | undefined,
  meter: Meter,
): FitModelState['calibration'] {
  const known = before?.calibration?.tokenizerId === meter.tokenizer.id ? before.calibration : null
  if (usage === undefined || usage === null || before === null) return known
  const reportedTokens = inputTokensOf(usage)
  if (reportedTokens === null)
    throw invalidOption('fit: usage holds no count of input tokens, such as inputTokens')
  const countedTokens = before.last.tokens
  return observe(known ?? startCalibration(meter), { countedTokens, reportedTokens })
}

/** The oldest that is shown, the newest, and everything that the view has shortened. */
function witnessesOf(log: ArrayLog, view: View | null): readonly Witness[] {
  const places = [
    ...(view?.keeps ?? []),
    ...(view?.stubs.map(({ seq }) => seq) ?? []),
    ...log.pins,
    view?.line ?? 0,
    log.head - 1,
  ]
  const shown = [...new Set(places)].filter((seq) => seq >= 0 && seq < log.head)
  return shown.sort((left, right) => left - right).map((seq) => log.witness(seq))
}

const modelsKept = 4

function withModel(state: FitState | null, model: FitModelState): FitState {
  const others = (state?.models ?? []).filter((other) => other.model !== model.model)
  return { version: 1, models: [...others, model].slice(-modelsKept) }
}

function receiptOf(context: Context, record: RequestRecord, began: EpochCause | null): FitReceipt {
  return {
    began,
    brokenBy: context.brokenBy,
    tokensBefore: record.originalTokens,
    tokensAfter: record.tokens,
    stubbed: record.stubbed,
    leftOut: record.leftOut,
    omitted: context.omitted,
    repairs: context.repairs,
  }
}
