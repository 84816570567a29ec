/** The rule digest for callers who store their messages: tool results and dropped messages as text. */
import { defaults } from '../defaults-data.ts'
import type { ToolSummary } from '../domain/ledger.ts'
import type { MessageInput, ToolCallPart } from '../domain/message.ts'
import { sealMessages } from '../flow/append/append.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import {
  type DroppedMessages,
  resultsOf,
  safeSummarize as safely,
  summarizeDropped,
  summaryOfUse,
} from '../flow/digest/digest-lines.ts'
import { sha256 } from '../system.ts'
import { type CountOptions, checkCount, countFields, resolveMeterAndPolicy } from './counting.ts'

/** The options of `summarizeDroppedMessages` and `safeSummarize`. */
export interface SummarizeOptions {
  /** Earlier messages, which may have the calls of these results. */
  readonly before?: readonly MessageInput[] | undefined
  /** Keeps errors in full up to a limit, instead of their first line. True by default. */
  readonly preserveErrorDetails?: boolean | undefined
}

export interface ToolResultOptions extends SummarizeOptions {
  /** The result to summarize, if a message has several; the first by default. */
  readonly callId?: string | undefined
}

export interface SafeSummarizeOptions extends SummarizeOptions, Omit<CountOptions, 'policy'> {
  /** 500 by default; never more than a tenth of the budget. */
  readonly maxSummaryTokens?: number | undefined
}

const summarizeFields = ['before', 'preserveErrorDetails'] as const

/**
 * Summarizes a tool result in a few facts. Null if the message has no such result.
 *
 * @example
 * const [call, result] = inputs
 * const summary = result && summarizeToolResult(result, { before: call && [call] })
 * summary && formatSummary(summary) // [✓ read_file: File: /app.ts | Lines: 100 | Type: typescript]
 */
export function summarizeToolResult(
  message: MessageInput,
  options: ToolResultOptions = {},
): ToolSummary | null {
  const { callId } = checkOptions(options, [...summarizeFields, 'callId'], 'summarizeToolResult')
  const { messages, calls } = droppedFrom([message], options, 'summarizeToolResult')
  const results = messages.flatMap(resultsOf)
  const result = callId === undefined ? results[0] : results.find((each) => each.callId === callId)
  if (result === undefined) return null
  return summaryOfUse(calls.get(result.callId) ?? null, result, detailsOf(options))
}

/**
 * Summarizes dropped messages as text: a header, and a line for each message or tool use. It has no
 * limit; `safeSummarize` keeps it within a budget.
 *
 * @example
 * const { dropped } = await trim(inputs, { targetTokens: 8_000, model: 'gpt-4o' })
 * const text = summarizeDroppedMessages(inputs.filter((_, at) => dropped.includes(at)))
 */
export function summarizeDroppedMessages(
  messages: readonly MessageInput[],
  options: SummarizeOptions = {},
): string {
  checkOptions(options, summarizeFields, 'summarizeDroppedMessages')
  const dropped = droppedFrom(messages, options, 'summarizeDroppedMessages')
  return summarizeDropped(dropped, detailsOf(options))
}

/**
 * The text of `summarizeDroppedMessages`, cut to `maxSummaryTokens` and a tenth of the available
 * tokens; `[Summary omitted - insufficient budget]` if that is too little.
 *
 * @example
 * const summary = await safeSummarize(inputs, 6_000, { model: 'gpt-4o' })
 */
export async function safeSummarize(
  messages: readonly MessageInput[],
  availableTokens: number,
  options: SafeSummarizeOptions,
): Promise<string> {
  const where = 'safeSummarize'
  const { maxSummaryTokens = defaults.maxSummaryTokens } = checkOptions(
    options,
    [...summarizeFields, ...countFields.filter((field) => field !== 'policy'), 'maxSummaryTokens'],
    where,
  )
  const available = checkCount(availableTokens, `${where}: availableTokens`)
  const maxTokens = checkCount(maxSummaryTokens, `${where}: maxSummaryTokens`)
  const dropped = droppedFrom(messages, options, where)
  const { meter } = await resolveMeterAndPolicy(options, where)
  return safely(dropped, available, { ...detailsOf(options), maxSummaryTokens: maxTokens }, meter)
}

function droppedFrom(
  messages: readonly MessageInput[],
  { before = [], preserveErrorDetails = true }: SummarizeOptions,
  where: string,
): DroppedMessages {
  if (typeof preserveErrorDetails !== 'boolean')
    throw invalidOption(`${where}: preserveErrorDetails must be true or false`)
  const calls = new Map<string, ToolCallPart>()
  for (const { parts } of sealMessages(before, sha256))
    for (const part of parts) if (part.type === 'tool-call') calls.set(part.callId, part)
  return { messages: sealMessages(messages, sha256), calls }
}

function detailsOf({ preserveErrorDetails = true }: SummarizeOptions) {
  return { preserveErrorDetails }
}
