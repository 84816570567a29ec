/**
 * The engine without a store, for callers that store messages themselves: takes the whole
 * history, and returns the context and a state for the next call.
 */
import { defaults } from '../defaults-data.ts'
import type { Context } from '../domain/context.ts'
import type { AskedCompaction } from '../domain/conversation.ts'
import type { EpochCause } from '../domain/decision.ts'
import {
  calibrationIn,
  type FitModelState,
  type FitState,
  type Witness,
} from '../domain/fit-state.ts'
import { type AskState, newAskState } from '../domain/model-calls.ts'
import { type Policy, policyHash } from '../domain/policy.ts'
import type { Compacted, RequestRecord } from '../domain/receipt.ts'
import type { SummaryRecord } from '../domain/summary.ts'
import type { Insert, View } from '../domain/view.ts'
import { buildContext } from '../engine.ts'
import { policyFor } from '../flow/measure/plan-budget.ts'
import { basisOf } from '../flow/project/basis.ts'
import { summaryFailure } from '../flow/project/summary-outcome.ts'
import { type ArrayLog, arrayLog } from '../flow/read/array-log.ts'
import { type DerivedReader, noDerivedRows, type Recaller } from '../flow/read/readers.ts'
import type { SummaryWriter } from '../flow/summarize/summary-writer.ts'
import { sha256, systemClock, systemTimer } from '../system.ts'
import { type FitCall, type FitInput, readFitInput } from './read-input.ts'
import type { Reports } from './reported.ts'

/** A context, with the state for the next call and a receipt. */
export interface Fitted extends Context {
  readonly state: FitState
  readonly receipt: FitReceipt
}

interface FitReceipt
  extends Pick<RequestRecord, 'stubbed' | 'leftOut'>,
    Pick<Context, 'brokenBy' | 'omitted' | 'repairs'> {
  /** Why an epoch began with this request, if one did. */
  readonly began: EpochCause | null
  /** Without stubs and omissions. */
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** The compaction of this request; null where no epoch began, or everything is shown. */
  readonly compacted: Compacted | null
}

export async function fitMessages(input: FitInput): Promise<Fitted> {
  const call = await readFitInput(input)
  const { request, meterFor } = call
  request.signal?.throwIfAborted()
  const meter = await meterFor(request.model)
  // Without a store there are no background jobs, so summaries are written before the request.
  const policy: Policy = {
    ...policyFor(
      call.policy,
      [request.model, meter.card.id],
      call.styles.some(({ models }) => models.length > 0),
    ),
    run: { mode: 'blocking' },
  }
  const messageBytesMax = defaults.messageBytesMax
  const log = arrayLog(call.messages, call.pins, { sha256, messageBytesMax })
  const { states, smaller } = await withReports(call)
  const before = states.find(({ model }) => model === meter.card.id) ?? null
  const edited = before !== null && !before.witnesses.every((witness) => log.knows(witness))
  const history = (before?.history ?? 0) + (edited ? 1 : 0)
  const manual: AskedCompaction | null = call.compacts ? { reason: 'manual' } : null
  const requestedCompaction = smaller?.model === meter.card.id ? smaller : manual
  const calibration = calibrationIn(before, meter)
  const summary = edited ? null : (before?.summary ?? null)
  const { context, sent, outcome, compacted } = await buildContext({
    log,
    derived: derivedWith(summary),
    request,
    next: null,
    extension: null,
    coveredTo: 0,
    view: before?.view ?? null,
    inserts: before?.inserts ?? [],
    recaller: await recallerOf(log, call),
    calibration,
    lastRequest: before?.last ?? null,
    meter,
    warnings: call.warnings,
    policy,
    mode: call.mode,
    suspended: false,
    // Nothing is restored here.
    findRequest: async () => null,
    styles: call.styles.map(({ style }) => style),
    writer: writerOf(call, before?.asking ?? newAskState),
    requestedCompaction,
    basis: basisOf(meter, log.pins, policyHash(call.policy, sha256), String(history)),
    sha256,
    now: 0,
  })
  request.signal?.throwIfAborted()
  const { view, epochCause, inserts, summaryOutcome } = outcome
  const failure = summaryFailure(policy, outcome)
  if (failure !== null) throw failure
  const state = withModel(states, {
    model: meter.card.id,
    view,
    inserts: insertsOf(view, [...(before?.inserts ?? []), ...inserts]),
    last: sent,
    calibration,
    witnesses: witnessesOf(log, view),
    history,
    summary: summaryOutcome?.record ?? summary,
    asking: summaryOutcome?.state ?? before?.asking ?? null,
  })
  const { brokenBy, omitted, repairs } = context
  const { originalTokens: tokensBefore, tokens: tokensAfter, stubbed, leftOut } = sent
  const changed = { began: epochCause, brokenBy, tokensBefore, tokensAfter, stubbed, leftOut }
  return { ...context, state, receipt: { ...changed, omitted, repairs, compacted } }
}

/** The state has only one derived row: the last summary. */
function derivedWith(summary: SummaryRecord | null): DerivedReader {
  return {
    ...noDerivedRows,
    summaryBefore: async (place) =>
      summary !== null && summary.covers.to <= place ? summary : null,
  }
}

/** The index of the messages is loaded and made by the first search. */
async function recallerOf(log: ArrayLog, { embedder }: FitCall): Promise<Recaller> {
  const meaning =
    embedder === null
      ? null
      : (await import('../flow/recall/meaning.ts')).createMeaning(embedder, systemTimer)
  let scanning: Promise<Recaller> | null = null
  const scan = async () =>
    (await import('../flow/recall/message-pieces.ts')).scanningRecaller(log, meaning)
  return {
    meaning,
    find: async (query) => {
      scanning ??= scan()
      return (await scanning).find(query)
    },
  }
}

function writerOf({ styles, request, meterFor }: FitCall, state: AskState): SummaryWriter | null {
  const asked = styles.filter(({ models }) => models.length > 0)
  if (asked.length === 0) return null
  return {
    styles: asked,
    state,
    clock: systemClock,
    timer: systemTimer,
    signal: request.signal ?? new AbortController().signal,
    takeLock: async () => 'taken',
    emptyAt: null,
    meterFor,
    reportEvent: () => {},
  }
}

/** Inserts stay for their epoch. */
function insertsOf(view: View | null, inserts: readonly Insert[]): readonly Insert[] {
  return inserts.filter(({ epoch }) => epoch === view?.epoch)
}

/** The oldest shown message, the newest, and all that the view keeps or shortens. */
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

const modelsKept = 8

function withModel(states: readonly FitModelState[], model: FitModelState): FitState {
  const others = states.filter((other) => other.model !== model.model)
  return { version: 1, models: [...others, model].slice(-modelsKept) }
}

/** What the provider has reported of the previous request; loaded by the first call that says so. */
async function withReports(call: FitCall): Promise<Reports> {
  const { states, usage, refused } = call
  if (usage === null && (refused ?? null) === null) return { states, smaller: null }
  return (await import('./reported.ts')).withReported(call)
}
