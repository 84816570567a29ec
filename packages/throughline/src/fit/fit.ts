/**
 * The engine without a store, for those whose messages live elsewhere: the whole
 * history in, what fits out, and a state to hand in next time.
 */
import { hashOfPolicy, type TokenizerChoice } from '../config.ts'
import { defaults } from '../defaults.ts'
import { type AskState, newAskState } from '../domain/asking.ts'
import type { AskedCompaction, CompactionMode } from '../domain/compaction.ts'
import type { Context, Omission, Repair } from '../domain/context.ts'
import type { BreakCause, EpochCause } from '../domain/epoch-cause.ts'
import type { FitModelState, FitState } from '../domain/fit-state.ts'
import type { Seq } from '../domain/ids.ts'
import { memorySlotsOf } from '../domain/memory-slot.ts'
import type { MessageInput } from '../domain/message-input.ts'
import type { ModelCardInput } from '../domain/model-card.ts'
import type { Policy } from '../domain/policy.ts'
import type { Compacted } from '../domain/receipt.ts'
import type { RequestRecord } from '../domain/request-record.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import type { Usage } from '../domain/usage.ts'
import { project } from '../engine.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import { type ContextInput, checkRequest } from '../flow/check/check-request.ts'
import { failureFor } from '../flow/epoch/summarize.ts'
import { policyFor } from '../flow/measure/policy-for.ts'
import { basisOf } from '../flow/project/basis.ts'
import { arrayLog } from '../flow/read/array-log.ts'
import { nothingKept, type PastReader } from '../flow/read/past-reader.ts'
import { arrayRecaller } from '../flow/recall/array-recaller.ts'
import type { SummaryWriter } from '../flow/summarize/summary-writer.ts'
import type { PolicyInput } from '../policies/policy-input.ts'
import { readPolicy } from '../policies/read-policy.ts'
import { readModels, styledModels } from '../policies/styled-models.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { StyledModels } from '../ports/summary-style.ts'
import { sha256, systemClock, systemTimer } from '../system.ts'
import { metersOf } from './fit-meters.ts'
import { insertsOf, withModel, witnessesOf } from './kept-state.ts'
import { readState } from './read-state.ts'
import { calibrationOf, withRefusal, withUsage } from './reported.ts'

export interface FitInput extends Omit<ContextInput, 'next' | 'memory'> {
  /** The whole conversation, oldest first. */
  readonly messages: readonly MessageInput[]
  /** What the call before gave back; leave it out the first time. */
  readonly state?: FitState | null | undefined
  /** What the provider reported for the request before. */
  readonly usage?: Usage | null | undefined
  /** The error with which the provider refused the request before, where it did. */
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
  /** What a compaction did, where an epoch began with this request and not everything is shown. */
  readonly compacted: Compacted | null
}

const fields = [
  ...(['messages', 'state', 'usage', 'pins', 'policy', 'tokenizer', 'models'] as const),
  ...(['refused', 'compact', 'compaction', 'summarizer'] as const),
  ...(['model', 'system', 'tools', 'retrieved', 'profile', 'replyTokens', 'signal'] as const),
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
    refused,
    compact,
    compaction,
    summarizer,
    ...rest
  } = checkOptions(input, fields, 'fit')
  const { state, ...requested } = rest
  const request = checkRequest(requested)
  request.signal?.throwIfAborted()
  const shared = readPolicy(asked ?? defaults.policy.value)
  if (shared.pinSaid !== null)
    throw invalidOption('fit: pinSaid is for conversations in a store; hand in pins')
  if (memorySlotsOf(shared).size > 0)
    throw invalidOption(
      `fit: turns are remembered in a store; take createThroughline, or a policy without the slots ${[...memorySlotsOf(shared)].join(', ')}`,
    )
  const mode = checkMode(compaction)
  const meter = await metersOf(request.model, tokenizer, models)
  // There is nobody behind it who could write later.
  const policy: Policy = {
    ...policyFor(shared, [request.model, meter.card.id]),
    run: { mode: 'blocking' },
  }
  const log = arrayLog(messages, pins ?? [], {
    sha256,
    messageBytesMax: defaults.messageBytesMax.value,
  })
  const meterFor = (name: string) => metersOf(name, tokenizer, models)
  const reported = await withUsage(readState(state), usage, meterFor)
  const { states, smaller } = await withRefusal(reported, refused, meterFor)
  const before = states.find(({ model }) => model === meter.card.id) ?? null
  const edited = before !== null && !before.witnesses.every((witness) => log.knows(witness))
  const history = (before?.history ?? 0) + (edited ? 1 : 0)
  const calibration = calibrationOf(before, meter)
  const styles = styledModels(shared, readModels(summarizer))
  const summary = edited ? null : (before?.summary ?? null)
  const projection = await project({
    log,
    past: pastWith(summary),
    request,
    next: null,
    memory: null,
    floor: 0,
    view: before?.view ?? null,
    inserts: before?.inserts ?? [],
    recaller: arrayRecaller(log),
    calibration,
    last: before?.last ?? null,
    meter,
    policy,
    mode,
    suspended: false,
    // Nothing is restored here.
    findRequest: async () => null,
    styles: styles.map(({ style }) => style),
    writer: writerOf(styles, before?.asking ?? null, request.signal, meterFor),
    wanted: smaller?.model === meter.card.id ? smaller : compact === true ? manual : null,
    basis: basisOf(meter, log.pins, hashOfPolicy(shared), String(history)),
    sha256,
    now: 0,
  })
  const { context, sent, view, began, inserts, compacted, written } = projection
  request.signal?.throwIfAborted()
  const failure = failureFor(policy, written)
  if (failure !== null) throw failure
  const witnesses = witnessesOf(log, view)
  const model: FitModelState = {
    model: meter.card.id,
    view,
    inserts: insertsOf(view, [...(before?.inserts ?? []), ...inserts]),
    last: sent,
    calibration,
    witnesses,
    history,
    summary: written?.record ?? summary,
    asking: written?.state ?? before?.asking ?? null,
  }
  return {
    ...context,
    state: withModel(states, model),
    receipt: {
      ...receiptOf(context, sent, began),
      compacted,
    },
  }
}

/** Of what the caller keeps, only the last summary is handed on. */
function pastWith(summary: SummaryRecord | null): PastReader {
  return {
    ...nothingKept,
    summaryBefore: async (place) =>
      summary !== null && summary.covers.to <= place ? summary : null,
  }
}

function writerOf(
  styles: readonly StyledModels[],
  asking: AskState | null,
  signal: AbortSignal | null,
  meterFor: SummaryWriter['meterFor'],
): SummaryWriter | null {
  const asked = styles.filter(({ models }) => models.length > 0)
  if (asked.length === 0) return null
  return {
    styles: asked,
    state: asking ?? newAskState,
    clock: systemClock,
    timer: systemTimer,
    signal: signal ?? new AbortController().signal,
    take: async () => 'taken',
    barrenAt: null,
    meterFor,
    note: () => {},
  }
}

const manual: AskedCompaction = { reason: 'manual' }

function checkMode(mode: unknown): CompactionMode {
  if (mode === undefined) return defaults.compaction.value
  if (mode === 'on' || mode === 'off' || mode === 'shadow') return mode
  throw invalidOption('fit: compaction must be "on", "off" or "shadow"')
}

function receiptOf(
  context: Context,
  sent: RequestRecord,
  began: EpochCause | null,
): Omit<FitReceipt, 'compacted'> {
  return {
    began,
    brokenBy: context.brokenBy,
    tokensBefore: sent.originalTokens,
    tokensAfter: sent.tokens,
    stubbed: sent.stubbed,
    leftOut: sent.leftOut,
    omitted: context.omitted,
    repairs: context.repairs,
  }
}
