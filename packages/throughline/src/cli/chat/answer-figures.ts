/** The figures of an answer: size and cost of the request, and the compaction before it. */
import { errorTable } from '../../errors.ts'
import { type Context, findModel } from '../../index.ts'
import { costOf, type ModelFailure } from '../../models/index.ts'
import { typedCommand } from '../command.ts'
import { type Provider, pricesOf } from '../provider.ts'
import { duration, grouped, percent } from '../screen/numbers.ts'
import { tokensText } from '../screen/receipt-lines.ts'
import { styleOf } from '../screen/style.ts'
import type { Output, World } from '../world.ts'
import type { Answer } from './answer.ts'
import type { ChatSession } from './chat-session.ts'

type AnswerFigures = Awaited<ReturnType<typeof answerFigures>>

export async function answerFigures({ context, usage }: Answer, { chat, settings }: ChatSession) {
  const prices = pricesOf(settings.model, settings)
  return {
    /** Null if no request was sent. */
    tokens: context?.tokens ?? null,
    available: context?.available ?? null,
    /** Null without known prices. */
    costUsd: usage === null || prices === null ? null : costOf(usage, prices),
    compacted: context === null ? null : await compactionOf(context, chat),
  }
}

async function compactionOf({ decision, epoch }: Context, chat: ChatSession['chat']) {
  if (decision.kind === 'continue' || decision.shadow) return null
  const [newest] = await chat.receipts({ limit: 1 })
  if (newest === undefined || newest.epoch !== epoch) return null
  const { version, line, tokensBefore, tokensAfter } = newest
  return { version, line, tokensBefore, tokensAfter }
}

export function statusLine(
  { kind, seq, finish }: Answer,
  { tokens, available, costUsd, compacted }: AnswerFigures,
  output: Output,
): string {
  const { dot } = styleOf(output)
  const notes = [
    seq === null ? null : `#${seq}`,
    kind === 'stopped' ? 'stopped; the partial answer is kept' : null,
    finish === 'length' ? 'cut off at the output limit' : null,
    tokens === null || available === null
      ? null
      : `${grouped(tokens)} of ${grouped(available)} tokens (${percent(tokens / available)})`,
    costUsd === null ? null : `${costUsd.toFixed(4)} USD`,
    compacted && `compacted up to #${compacted.line - 1}: ${tokensText(compacted, output)} tokens`,
  ]
  return notes.filter((note) => note !== null).join(` ${dot} `)
}

/** Why the model did not answer, and what to do, in one line. Never contains the API key. */
export function failureText(failure: ModelFailure, provider: Provider, world: World): string {
  const { status, message } = failure
  const text = message.replace(/[.!\s]+$/, '')
  const hasStatus = status === null || text.startsWith(String(status))
  return `${hasStatus ? text : `${status}: ${text}`}; ${adviceFor(failure, provider, world)}`
}

function adviceFor(failure: ModelFailure, provider: Provider, world: World): string {
  const { status, cause, retryAfterMs } = failure
  const { name, keyEnv, modelId, baseUrl } = provider
  if (status === 401 || status === 403)
    return keyEnv === null
      ? `${name} requires an API key; name its environment variable with ${typedCommand("config set providers '{…}'", world)}`
      : `check the API key in ${keyEnv}`
  if (status === 404) {
    const { suggestions } = findModel(modelId)
    const hint = suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`
    return `check that ${name} has a model "${modelId}" at ${baseUrl}${hint}`
  }
  if (status === 402) return `check your account with ${name}`
  if (status === 429)
    return retryAfterMs === null
      ? `rate limit or quota of ${name} exceeded; try again later`
      : `rate limit of ${name}: try again in ${duration(retryAfterMs)}`
  if (status !== null && status >= 500) return `${name} has a problem; try again later`
  if (cause === 'refused') return `${name} rejects this request`
  if (cause === 'invalid') return `check that ${baseUrl} is the URL of a model API`
  return `check that ${name} is running at ${baseUrl}`
}

export function failureExitCode({ status }: ModelFailure): number {
  return status === 401 || status === 403 || status === 404
    ? errorTable.CONFIG_INVALID.exitCode
    : errorTable.SUMMARY_FAILED.exitCode
}
