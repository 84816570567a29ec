/** What the provider has reported of the previous request: its usage, or that it was too long. */
import { startCalibration } from '../domain/calibration.ts'
import type { AskedCompaction } from '../domain/conversation.ts'
import { calibrationIn, type FitModelState } from '../domain/fit-state.ts'
import { lowerCeiling, observe } from '../domain/learn-calibration.ts'
import { providerOverflow } from '../domain/provider-overflow.ts'
import { inputTokensOf, type UsageInput } from '../domain/usage.ts'
import { ThroughlineError } from '../errors.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { Meter } from '../flow/measure/measure.ts'
import type { FitCall } from './read-input.ts'

export interface Reports {
  readonly states: readonly FitModelState[]
  /** The request was refused as too long: the next one must be smaller. */
  readonly smaller: Extract<AskedCompaction, { readonly model: string }> | null
}

export async function withReported({
  states,
  usage,
  refused,
  meterFor,
}: FitCall): Promise<Reports> {
  return withRefusal(await withUsage(states, usage, meterFor), refused, meterFor)
}

/** The reported usage belongs to the previous request, whose model is the last in the list. */
async function withUsage(
  states: readonly FitModelState[],
  usage: UsageInput | null,
  meterFor: (model: string) => Promise<Meter>,
): Promise<readonly FitModelState[]> {
  if (usage === null) return states
  const reportedTokens = inputTokensOf(usage)
  if (reportedTokens === null)
    throw invalidOption('fit: usage has no count of input tokens, such as inputTokens')
  const last = states.at(-1)
  if (last === undefined) return states
  const meter = await meterFor(last.model)
  // A provider that accepted a request has not counted more than its window.
  if (reportedTokens > meter.card.contextWindowTokens) return states
  const calibration = observe(calibrationIn(last, meter) ?? startCalibration(meter), {
    countedTokens: last.last.tokens,
    reportedTokens,
  })
  return [...states.slice(0, -1), { ...last, calibration }]
}

/** The refusal belongs to the previous request. */
async function withRefusal(
  states: readonly FitModelState[],
  error: unknown,
  meterFor: (model: string) => Promise<Meter>,
): Promise<Reports> {
  const last = states.at(-1)
  if (error === undefined || error === null || last === undefined) return { states, smaller: null }
  const overflow = providerOverflow(error)
  if (overflow === null) return { states, smaller: null }
  const meter = await meterFor(last.model)
  const before = calibrationIn(last, meter) ?? startCalibration(meter)
  const calibration = lowerCeiling(before, last.last.tokens, overflow)
  if (calibration === null)
    throw new ThroughlineError(
      'CONTEXT_OVERFLOW',
      'the provider refused the smaller request too, and no further content can be left out',
      { cause: error },
    )
  return {
    states: [...states.slice(0, -1), { ...last, calibration }],
    smaller: { reason: 'provider-overflow', model: last.model, of: last.last.fingerprint },
  }
}
