/** Summaries by a model for callers who store their messages: the engine's prompts, limits and gate. */
import { defaults } from '../defaults-data.ts'
import { emptyLedger } from '../domain/ledger.ts'
import type { MessageInput } from '../domain/message.ts'
import { newAskState } from '../domain/model-calls.ts'
import type { Summarizer } from '../domain/policy.ts'
import {
  type ConversationSummary,
  noAccount,
  type Summarization,
  type SummaryRecord,
} from '../domain/summary.ts'
import type { RuleDigest } from '../domain/view.ts'
import { ThroughlineError } from '../errors.ts'
import { sealMessages } from '../flow/append/append.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import { digestText, foldDigest } from '../flow/digest/digest-text.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { arrayLog } from '../flow/read/array-log.ts'
import { summaryMessage } from '../flow/summarize/summary-record.ts'
import { writeSummary } from '../flow/summarize/write-summary.ts'
import { isSpokenText } from '../flow/text/message-text.ts'
import { metersOf } from '../meters.ts'
import type { PolicyOptions } from '../policies/policy-input.ts'
import { readPolicy } from '../policies/read-policy.ts'
import { styledModels } from '../policies/styled-models.ts'
import { readModels } from '../policies/summary-models.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import { sha256, systemClock, systemTimer } from '../system.ts'
import { type CountOptions, checkCount, resolveMeterAndPolicy } from './counting.ts'

/** The models that write a summary, and the model that will read it. */
export interface ModelSummaryOptions extends Omit<CountOptions, 'policy'> {
  /** One model, or several in order of preference. */
  readonly summarizer: LanguageModel | readonly LanguageModel[]
  /** 500 by default. */
  readonly maxSummaryTokens?: number | undefined
  readonly signal?: AbortSignal | undefined
}

export interface SummarizeConversationOptions extends ModelSummaryOptions {
  /** The summary that the new one extends. */
  readonly previous?: SummaryRecord | null | undefined
  /** 3 by default; at this depth the chain is folded into a new first summary. */
  readonly depthMax?: number | undefined
}

/** A summary, or the reason why there is none. Models' failures are values, never exceptions. */
export type SummarizeResult =
  | {
      readonly ok: true
      readonly record: SummaryRecord
      /** The keys of the messages, or their positions. */
      readonly originalMessageIds: readonly string[]
    }
  | {
      readonly ok: false
      readonly error: ThroughlineError
      readonly retryable: boolean
      readonly summarization: Summarization
    }

const modelFields = [
  ...(['model', 'meter', 'tokenizer', 'models'] as const),
  ...(['summarizer', 'maxSummaryTokens', 'signal'] as const),
]

/**
 * Summarizes messages in the structured style of the policy `ratio-chain`.
 *
 * @example
 * const result = await summarizeConversation(inputs, {
 *   model: 'openai/gpt-5',
 *   summarizer: languageModel('openai/gpt-5-mini'),
 * })
 * console.log(result.ok ? result.record.text : result.error.message)
 */
export async function summarizeConversation(
  messages: readonly MessageInput[],
  options: SummarizeConversationOptions,
): Promise<SummarizeResult> {
  const where = 'summarizeConversation'
  const fields = [...modelFields, 'previous', 'depthMax'] as const
  const { previous = null, depthMax = 3 } = checkOptions(options, fields, where)
  const style: Summarizer = {
    ...{ style: 'structured', depthMax, transcriptTokens: 8_000, chunkTokens: 8_000 },
  }
  const design = { extends: 'ratio-chain', summarizers: [style] } as const
  const written = await writeBy(design, messages, options, previous, where)
  const { record } = written
  if (record === null) return failed(written.summarization)
  const covered = messages.slice(0, record.covers.to)
  return { ok: true, record, originalMessageIds: covered.map(({ key }, at) => key ?? String(at)) }
}

/**
 * Updates a running summary with new messages, in the style of the policy `running-rag`. After a
 * failure, keep the old summary and the old checkpoint.
 *
 * @example
 * const options = { model: 'gpt-4o', summarizer: languageModel('openai/gpt-5-mini') }
 * const updated = await updateRunningSummary('The user plans a shop.', inputs, options)
 * if (updated.ok) console.log(updated.summary)
 */
export async function updateRunningSummary(
  currentSummary: string | null,
  newMessages: readonly MessageInput[],
  options: ModelSummaryOptions,
): Promise<
  Exclude<SummarizeResult, { ok: true }> | { readonly ok: true; readonly summary: string }
> {
  const where = 'updateRunningSummary'
  checkOptions(options, modelFields, where)
  const previous = currentSummary === null ? null : recordOfText(currentSummary)
  const design = { extends: 'running-rag' } as const
  const { record, summarization } = await writeBy(design, newMessages, options, previous, where)
  return record === null ? failed(summarization) : { ok: true, summary: record.text }
}

export interface SummarizeWithLlmOptions extends ModelSummaryOptions {
  /** With `{context}` once, and optionally `{maxTokens}`. */
  readonly customPrompt?: string | undefined
}

/**
 * Summarizes messages in the style of the policy `rule-digest`. If no model writes a usable summary,
 * rules write it, with `tokensUsed: 0`.
 *
 * @example
 * const summarizer = languageModel('openai/gpt-5-mini')
 * const { summary, tokensUsed } = await summarizeWithLLM(inputs, { model: 'gpt-4o', summarizer })
 */
export async function summarizeWithLLM(
  messages: readonly MessageInput[],
  options: SummarizeWithLlmOptions,
): Promise<{ readonly summary: string; readonly tokensUsed: number }> {
  const { record, meter, maxTokens } = await digestBy(messages, options, null, 'summarizeWithLLM')
  if (record !== null) return { summary: record.text, tokensUsed: record.tokens }
  return {
    summary: digestText(foldBy(null, messages, maxTokens, meter), maxTokens, meter),
    tokensUsed: 0,
  }
}

export interface SummaryStoreOptions extends Omit<SummarizeWithLlmOptions, 'summarizer'> {
  /** Without one, rules write the summary. */
  readonly summarizer?: ModelSummaryOptions['summarizer'] | undefined
  /** The state of an earlier store. */
  readonly state?: SummaryStoreState | undefined
}

/** Plain JSON. */
export interface SummaryStoreState {
  readonly summary: ConversationSummary | null
  /** The digest that rules continue; null if a model wrote the summary. */
  readonly digest: RuleDigest | null
}

/** One summary of all messages that were dropped so far. */
export interface SummaryStore {
  update(droppedMessages: readonly MessageInput[]): Promise<ConversationSummary>
  getSummary(): ConversationSummary | null
  /**
   * A message with the heading `[Previous Conversation Summary]`; null for none. It has the system
   * role, or the user role if tools, files or documents are among its sources.
   */
  getSummaryMessage(): ReturnType<typeof summaryMessage>
  clear(): void
  /** To store it yourself, and to continue later. */
  state(): SummaryStoreState
}

/**
 * Keeps a summary for callers who trim messages themselves, as in the design of `rule-digest`. A
 * conversation in Throughline needs none.
 *
 * @example
 * const summaries = summaryStore({ model: 'gpt-4o' })
 * await summaries.update(inputs)
 * console.log(summaries.getSummaryMessage()?.content)
 */
export function summaryStore(options: SummaryStoreOptions): SummaryStore {
  const { state, summarizer, ...others } = checkOptions(
    options,
    [...modelFields, 'customPrompt', 'state'],
    'summaryStore',
  )
  const none: SummaryStoreState = { summary: null, digest: null }
  let { summary, digest } = state ?? none
  return {
    async update(messages) {
      const asked = { ...others, summarizer: summarizer ?? [] }
      const { record, meter, maxTokens } = await digestBy(
        messages,
        asked,
        summary?.content ?? null,
        'summaryStore',
      )
      const at = systemClock.now()
      // A digest cannot continue a text by a model, so its lines follow that text.
      const before = digest === null ? (summary?.content ?? '') : ''
      digest = record === null ? foldBy(digest, messages, maxTokens, meter) : null
      const lines = digest === null ? '' : digestText(digest, maxTokens, meter)
      const version = (summary?.version ?? 0) + 1
      const joined = before === '' ? lines : `${before}\n\n[Update ${version}]\n${lines}`
      summary = {
        createdAt: summary?.createdAt ?? at,
        updatedAt: at,
        content: record?.text ?? (meter.text(joined) <= maxTokens ? joined : lines),
        tokensUsed: (summary?.tokensUsed ?? 0) + (record?.tokensUsed ?? 0),
        messagesIncluded: (summary?.messagesIncluded ?? 0) + messages.length,
        version,
        withoutTools:
          summary?.withoutTools !== false && sealMessages(messages, sha256).every(isSpokenText),
      }
      return summary
    },
    getSummary: () => summary,
    getSummaryMessage: () => summaryMessage(summary),
    clear: () => {
      summary = null
      digest = null
    },
    state: () => ({ summary, digest }),
  }
}

async function digestBy(
  messages: readonly MessageInput[],
  options: SummarizeWithLlmOptions,
  previous: string | null,
  where: string,
) {
  const { customPrompt, ...others } = checkOptions(options, [...modelFields, 'customPrompt'], where)
  const style: Summarizer = { style: 'digest', prompt: customPrompt ?? null }
  const design = { extends: 'rule-digest', summarizers: [style] } as const
  return writeBy(design, messages, others, previous === null ? null : recordOfText(previous), where)
}

function foldBy(
  before: RuleDigest | null,
  messages: readonly MessageInput[],
  maxSummaryTokens: number,
  meter: Meter,
): RuleDigest {
  const dropped = { messages: sealMessages(messages, sha256), calls: new Map() }
  return foldDigest(before, dropped, { maxSummaryTokens, preserveErrorDetails: true, meter })
}

async function writeBy(
  /** The preset of the design: its prompts, and its limits on calls and time. */
  design: Omit<PolicyOptions, 'name'>,
  messages: readonly MessageInput[],
  options: ModelSummaryOptions,
  previous: SummaryRecord | null,
  where: string,
) {
  const { maxSummaryTokens = defaults.maxSummaryTokens, signal } = options
  const maxTokens = checkCount(maxSummaryTokens, `${where}: maxSummaryTokens`)
  const { meter } = await resolveMeterAndPolicy(options, where)
  const policy = readPolicy({ name: where, ...design })
  const styles = styledModels(policy, readModels(options.summarizer))
  const log = arrayLog(messages, [], { sha256, messageBytesMax: defaults.messageBytesMax })
  const tokens = meter.messages(messages.length === 0 ? [] : sealMessages(messages, sha256))
  const available = meter.card.contextWindowTokens
  // The caller passes only new messages, so the previous summary covers none of them.
  const base = previous && { ...previous, covers: { from: 0, to: 0 } }
  const hasModel = styles.some(({ models }) => models.length > 0)
  if (!hasModel) return { record: null, meter, maxTokens, summarization: noModel }
  const outcome = await writeSummary({
    request: { model: meter.card.id, system: [], tools: [] },
    pinned: [],
    ledger: emptyLedger,
    writer: {
      styles,
      state: newAskState,
      clock: systemClock,
      timer: systemTimer,
      signal: signal ?? new AbortController().signal,
      takeLock: async () => 'taken',
      emptyAt: null,
      meterFor: async (name) =>
        metersOf({ models: options.models, tokenizer: options.tokenizer }, where)(name),
      reportEvent: () => {},
    },
    limits: policy.limits,
    log,
    base,
    parent: base,
    line: messages.length,
    summaryTokens: maxTokens,
    instructions: null,
    meter,
    decision: {
      kind: 'compact',
      reason: 'manual',
      shadow: false,
      armed: true,
      figures: {
        tokens,
        availableTokens: available,
        ratio: tokens / available,
        messagesSince: messages.length,
        turnsSince: 0,
      },
    },
    soFar: async () => null,
    sha256,
  })
  signal?.throwIfAborted()
  return { record: outcome.record, meter, maxTokens, summarization: outcome.summarization }
}

const noModel: Summarization = {
  ...noAccount,
  summaryId: null,
  style: 'none',
  depth: 0,
  generation: 0,
  asked: { from: 0, to: 0 },
  coveredTo: 0,
  why: 'no-model',
}

function failed(summarization: Summarization): Exclude<SummarizeResult, { ok: true }> {
  const { why, attempts } = summarization
  const last = attempts.at(-1)?.outcome
  const message = last?.kind === 'failed' ? `: ${last.message}` : ''
  const error = new ThroughlineError(
    'SUMMARY_FAILED',
    `no model wrote a usable summary (${why}, ${attempts.length} calls)${message}`,
    { details: { why, calls: attempts.length } },
  )
  // A refused draft would be refused again; a lost connection may come back.
  const retryable =
    last?.kind === 'failed' && (last.cause === 'transport' || last.cause === 'timeout')
  return { ok: false, error, retryable, summarization }
}

/** A text of the caller as the summary to extend. */
function recordOfText(text: string): SummaryRecord {
  return {
    ...{ text, keyPoints: [], facets: null, id: '', parentId: null, chain: '' },
    ...{ covers: { from: 0, to: 0 }, added: { from: 0, to: 0 }, head: 0 },
    ...{ depth: 0, generation: 0, version: 0, tokens: 0, tokensUsed: 0 },
    madeBy: { summarizer: 'caller', version: 0, model: '', promptHash: '' },
    ...{ degraded: false, trust: 'tool', account: noAccount, createdAt: 0 },
  }
}
