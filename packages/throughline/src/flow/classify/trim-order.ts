/**
 * In which order messages become shorter, by the rules of a policy: what is worth least
 * first; of equal worth output of tools before words; and of those the oldest. What tells
 * of a failure comes behind everything that does not.
 */
import type { TrimRules } from '../../domain/policy.ts'
import type { Classified } from './classify.ts'

export interface TrimOrder {
  /** Indexes in the order of shortening. Linear: there are as many groups as priorities. */
  of(indexes: readonly number[]): readonly number[]
  /** Whether a message may be shortened though the request would fit. */
  mayShorten(at: number, wholeTokens: number): boolean
}

export function trimOrder(classified: readonly Classified[], rules: TrimRules): TrimOrder {
  const keyOf = (at: number): number => {
    const { priority = 0, toolUse = false, failed = false } = classified[at] ?? {}
    const worth = rules.order === 'age' ? 0 : priority * 2 + (toolUse ? 0 : 1)
    return failed && rules.keepErrors ? worth + behindAll : worth
  }
  return {
    of: (indexes) =>
      [...Map.groupBy(indexes, keyOf)]
        .sort(([left], [right]) => left - right)
        .flatMap(([, group]) => group),
    mayShorten: (at, wholeTokens) => {
      const { priority = rules.protectedFrom, toolUse = false } = classified[at] ?? {}
      return priority < rules.protectedFrom && !(toolUse && wholeTokens <= rules.smallTokens)
    },
  }
}

const behindAll = 1e9
