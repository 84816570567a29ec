/** Resolves meter and policy for callers who store their messages: from a model name or a meter. */
import type { TokenizerChoice } from '../config.ts'
import { defaults } from '../defaults-data.ts'
import type { ModelCardInput } from '../domain/model-card.ts'
import type { Policy } from '../domain/policy.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { policyFor } from '../flow/measure/plan-budget.ts'
import { metersOf } from '../meters.ts'
import type { PolicyInput } from '../policies/policy-input.ts'
import { readPolicy } from '../policies/read-policy.ts'

/** The model to count for: its name, or an existing meter. */
export interface CountOptions {
  readonly model?: string | undefined
  readonly meter?: Meter | undefined
  readonly tokenizer?: TokenizerChoice | undefined
  readonly models?: readonly ModelCardInput[] | undefined
  readonly policy?: PolicyInput | undefined
}

export const countFields = ['model', 'meter', 'tokenizer', 'models', 'policy'] as const

export async function resolveMeterAndPolicy(
  { model, meter, tokenizer, models, policy }: CountOptions,
  where: string,
): Promise<{ readonly meter: Meter; readonly policy: Policy }> {
  const basePolicy = readPolicy(policy ?? defaults.policy)
  if (meter !== undefined) {
    if (typeof meter?.message !== 'function' || typeof meter.card?.id !== 'string')
      throw invalidOption(`${where}: meter must be a result of meter(model)`)
    return { meter, policy: policyFor(basePolicy, [meter.card.id]) }
  }
  if (typeof model !== 'string') throw invalidOption(`${where}: pass a model or a meter`)
  const found = await metersOf({ tokenizer, models }, where)(model)
  return { meter: found, policy: policyFor(basePolicy, [model, found.card.id]) }
}

export function checkCount(value: unknown, name: string): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw invalidOption(`${name} must be a whole number from 0`)
  return value
}
