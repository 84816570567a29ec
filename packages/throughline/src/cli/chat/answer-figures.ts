/** The figures of an answer: how full the request was, what it cost, and what was compacted. */
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
import type { Talk } from './talk.ts'

type AnswerFigures = Awaited<ReturnType<typeof answerFigures>>

export async function answerFigures({ context, usage }: Answer, { chat, settings }: Talk) {
  const prices = pricesOf(settings.model, settings)
  return {
    /** Null where the model was never asked. */
    tokens: context?.tokens ?? null,
    available: context?.available ?? null,
    /** Null without known prices. */
    costUsd: usage === null || prices === null ? null : costOf(usage, prices),
    compacted: context === null ? null : await compactionOf(context, chat),
  }
}

async function compactionOf({ decision, epoch }: Context, chat: Talk['chat']) {
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
    kind === 'stopped' ? 'stopped; what came is kept' : null,
    finish === 'length' ? 'cut off at the limit of the reply' : null,
    tokens === null || available === null
      ? null
      : `${grouped(tokens)} of ${grouped(available)} tokens (${percent(tokens / available)})`,
    costUsd === null ? null : `${costUsd.toFixed(4)} USD`,
    compacted && `compacted before #${compacted.line}, ${tokensText(compacted, output)} tokens`,
  ]
  return notes.filter((note) => note !== null).join(` ${dot} `)
}

/** Why a model has not answered, in one line with a way out. No key is ever in it. */
export function failureText(failure: ModelFailure, provider: Provider, world: World): string {
  const { status, message } = failure
  const said = message.replace(/[.!\s]+$/, '')
  const isTold = status === null || said.startsWith(String(status))
  return `${isTold ? said : `${status}: ${said}`}; ${wayOutOf(failure, provider, world)}`
}

function wayOutOf(
  { status, cause, retryAfterMs }: ModelFailure,
  provider: Provider,
  world: World,
): string {
  const { name, keyEnv, modelId, baseUrl } = provider
  if (status === 401 || status === 403)
    return keyEnv === null
      ? `${name} wants a key: ${typedCommand("config set providers '{…}'", world)} names the variable that holds it`
      : `look at the key in ${keyEnv}`
  if (status === 404) {
    const { suggestions } = findModel(modelId)
    const hint = suggestions.length === 0 ? '' : `; did you mean ${suggestions.join(' or ')}?`
    return `look whether ${name} has a model "${modelId}" at ${baseUrl}${hint}`
  }
  if (status === 402) return `look at your account with ${name}`
  if (status === 429)
    return retryAfterMs === null
      ? `${name} wants fewer requests, or your quota is used up`
      : `${name} asks to be left alone for ${duration(retryAfterMs)}`
  if (status !== null && status >= 500) return `${name} is busy or broken; try again later`
  if (cause === 'refused') return `${name} takes no such request`
  if (cause === 'invalid') return `look whether ${baseUrl} is the address of a model`
  return `look whether ${name} is there, at ${baseUrl}`
}

export function failureExitCode({ status }: ModelFailure): number {
  return status === 401 || status === 403 || status === 404
    ? errorTable.CONFIG_INVALID.exitCode
    : errorTable.SUMMARY_FAILED.exitCode
}
