/** What a provider said of the request before: how large it was, or that it was too large. */
import { type Calibration, lowered, observe, startCalibration } from '../domain/calibration.ts'
import type { AskedCompaction } from '../domain/conversation.ts'
import type { FitModelState } from '../domain/fit-state.ts'
import { providerOverflow } from '../domain/provider-overflow.ts'
import { inputTokensOf, type Usage } from '../domain/usage.ts'
import { ThroughlineError } from '../errors.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { Meter } from '../flow/measure/measure.ts'

/** What was reported is of the request before, whichever model that was for: the last one. */
export async function withUsage(
  states: readonly FitModelState[],
  usage: Usage | null | undefined,
  meterFor: (model: string) => Promise<Meter>,
): Promise<readonly FitModelState[]> {
  if (usage === undefined || usage === null) return states
  const reportedTokens = inputTokensOf(usage)
  if (reportedTokens === null)
    throw invalidOption('fit: usage holds no count of input tokens, such as inputTokens')
  const last = states.at(-1)
  if (last === undefined) return states
  const meter = await meterFor(last.model)
  // A provider that has accepted a request has not counted more than it takes.
  if (reportedTokens > meter.card.contextWindowTokens) return states
  const calibration = observe(calibrationOf(last, meter) ?? startCalibration(meter), {
    countedTokens: last.last.tokens,
    reportedTokens,
  })
  return [...states.slice(0, -1), { ...last, calibration }]
}

/** What was refused is the request before. */
export async function withRefusal(
  states: readonly FitModelState[],
  error: unknown,
  meterFor: (model: string) => Promise<Meter>,
): Promise<{
  readonly states: readonly FitModelState[]
  readonly smaller: Extract<AskedCompaction, { readonly model: string }> | null
}> {
  const overflow = error === undefined || error === null ? null : providerOverflow(error)
  const last = states.at(-1)
  if (overflow === null || last === undefined) return { states, smaller: null }
  const meter = await meterFor(last.model)
  const before = calibrationOf(last, meter) ?? startCalibration(meter)
  const calibration = lowered(before, last.last.tokens, overflow)
  if (calibration === null)
    throw new ThroughlineError(
      'CONTEXT_OVERFLOW',
      'the provider has refused the smaller request too: nothing that could be left out would help',
      { cause: error },
    )
  return {
    states: [...states.slice(0, -1), { ...last, calibration }],
    smaller: { reason: 'provider-overflow', model: last.model, of: last.last.fingerprint },
  }
}

/** Null where another tokenizer counts now: its mistakes are its own. */
export function calibrationOf(
  state: FitModelState | null,
  { tokenizer }: Pick<Meter, 'tokenizer'>,
): Calibration | null {
  const calibration = state?.calibration ?? null
  return calibration?.tokenizerId === tokenizer.id ? calibration : null
}
