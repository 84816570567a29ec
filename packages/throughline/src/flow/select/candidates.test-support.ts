/** Messages to select from, and what to select by, for tests. */
import { noSize, type Size } from '../../domain/context.ts'
import type { MessageInput } from '../../domain/message.ts'
import { completeCard } from '../../domain/model-card.ts'
import type { TrimRules } from '../../domain/policy.ts'
import { readPolicy } from '../../policies/read-policy.ts'
import { sha256 } from '../../system.ts'
import { sealMessages } from '../append/append.ts'
import { rankMessages } from '../classify/classify.ts'
import { createMeter } from '../measure/measure.ts'
import type { Candidates } from '../project/records.ts'
import type { SelectOptions } from './select-options.ts'

/** A token is four characters. */
const tokenizer = {
  id: 'fours/1',
  exact: true,
  count: (text: string) => Math.ceil(text.length / 4),
}
const card = completeCard({ id: 'house-model', contextWindowTokens: 100_000 })
export const meter = createMeter({ card, tokenizer })

export const words = (tokens: number) => 'abc '.repeat(tokens)

interface CandidateOptions {
  readonly pins?: readonly number[]
  /** The first that was read. */
  readonly from?: number
  readonly task?: number | null
}

export function candidatesOf(
  messages: Iterable<MessageInput>,
  { pins = [], from = 0, task = null }: CandidateOptions = {},
): Candidates {
  const all = sealMessages([...messages], sha256).map((message) => ({
    message,
    size: meter.closeSize(message),
    pinSize: pins.includes(message.seq) ? noSize : null,
  }))
  return {
    candidates: all.slice(from),
    task: task === null ? null : (all[task] ?? null),
    earlierStubs: [],
  }
}

export function options(
  given: Candidates,
  availableTokens: number,
  targetTokens: number,
  fixed: Size = noSize,
  order: TrimRules['order'] = 'share',
): SelectOptions {
  const tokensAgainstLimit = (size: Size) => size.wire
  return {
    fixed,
    limits: { targetTokens, availableTokens, tokensAgainstLimit, limitTokens: availableTokens },
    keepRecent: { messages: 4 },
    ranked: rankedBy(given, { ...readPolicy('balanced').trim, order }),
    stubTokens: 40,
    meter,
  }
}

export function rankedBy({ candidates }: Candidates, rules: TrimRules): SelectOptions['ranked'] {
  return rankMessages(
    candidates.map(({ message }) => message),
    rules,
  )
}
