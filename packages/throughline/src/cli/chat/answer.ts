/**
 * Sends the request and receives the answer. A partial answer is kept. A request that is too long is
 * compacted and sent again once; after a network failure it is retried once, after the pause that the
 * provider asks for.
 */
import { anthropicMessages, openaiChat } from '../../adapters/index.ts'
import { errorTable } from '../../errors.ts'
import type { Seq } from '../../index.ts'
import { type Context, findModel } from '../../index.ts'
import {
  costOf,
  failureOf,
  type ModelFailure,
  type ReplyPart,
  streamReply,
} from '../../models/index.ts'
import { typedCommand } from '../command.ts'
import { type Provider, pricesOf } from '../provider.ts'
import { withoutSystemRole } from '../request-options.ts'
import { duration, grouped, percent } from '../screen/numbers.ts'
import { tokensText } from '../screen/receipt-lines.ts'
import { styleOf } from '../screen/style.ts'
import type { Output, World } from '../world.ts'
import { pause } from '../world.ts'
import type { ChatSession } from './chat-session.ts'

interface Listener {
  readonly onText: (text: string) => Promise<void>
  /** The request is repeated. */
  readonly onRetry: (why: string) => Promise<void>
}

type End = Extract<ReplyPart, { kind: 'end' }>

interface Answer {
  readonly kind: 'answered' | 'stopped' | 'failed'
  readonly text: string
  /** Null if no text was received. */
  readonly seq: Seq | null
  readonly finish: End['finish'] | null
  readonly model: string | null
  readonly usage: End['usage']
  /** Null if no request was sent. */
  readonly context: Context | null
  readonly failure: ModelFailure | null
}

const noText = { text: '', seq: null, finish: null, model: null, usage: null } as const

export async function answer(session: ChatSession, listener: Listener): Promise<Answer> {
  const { chat, settings, world } = session
  const { signal, now } = world
  let [isSmaller, isRetried] = [false, false]
  for (;;) {
    const context = await buildContext(session)
    if (context === null) return { kind: 'stopped', context, failure: null, ...noText }
    const reply = await receiveReply(session, context, listener)
    if (reply.end !== null || signal.aborted || reply.text !== '')
      return storeAnswer(session, context, reply)
    if (!isSmaller && (await chat.overflowed(context.fingerprint, reply.error)) === 'smaller') {
      isSmaller = true
      await listener.onRetry(`too long for ${settings.model}; compacting and retrying`)
      continue
    }
    const failure = failureIn(reply.error, now())
    const waitMs = failure.retryAfterMs ?? pauseMs
    if (isRetried || failure.cause !== 'transport' || waitMs > longestPauseMs)
      return { kind: 'failed', context, failure, ...noText }
    isRetried = true
    const seconds = Math.ceil(waitMs / 1_000)
    await listener.onRetry(
      `${failure.message.replace(/[.!\s]+$/, '')}; retrying${seconds > 1 ? ` in ${seconds} s` : ''}`,
    )
    await pause(waitMs, signal)
  }
}

const pauseMs = 250
// The user can retry later.
const longestPauseMs = 30_000
// Reasoning models are silent for minutes.
const silenceMs = 300_000

/** Null if the user stopped it. */
async function buildContext({ chat, settings, system, world: { signal } }: ChatSession) {
  const request = { model: settings.model, ...(system !== null && { system }), signal }
  try {
    return withoutSystemRole(await chat.context(request))
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

async function storeAnswer(
  { chat, world }: ChatSession,
  context: Context,
  reply: ReceivedReply,
): Promise<Answer> {
  const { signal, now } = world
  const { text, end, model } = reply
  const usage = end?.usage ?? null
  const isBlank = text.trim() === ''
  const broken = end === null && !signal.aborted ? failureIn(reply.error, now()) : null
  const failure = end !== null && isBlank ? emptyAnswer(reply) : broken
  const kind = failure !== null ? 'failed' : end === null ? 'stopped' : 'answered'
  if (isBlank) return { kind, context, failure, ...noText }
  const isWhole = end !== null && end.finish !== 'length'
  const appended = await chat.append(
    {
      role: 'assistant',
      content: text.toWellFormed(),
      status: isWhole ? 'complete' : 'incomplete',
      ...(model !== null && { meta: { model } }),
    },
    usage === null ? {} : { usage, of: context.fingerprint },
  )
  const seq = appended.entries[0]?.seq ?? null
  return { kind, text, seq, finish: end?.finish ?? null, model, usage, context, failure }
}

function emptyAnswer({ calledTool, end }: ReceivedReply): ModelFailure {
  const called = `the model called the tool ${calledTool}, but chat has no tools`
  const filtered = 'the content filter of the provider stopped the answer'
  const silent = end?.finish === 'content-filter' ? filtered : 'the model returned no text'
  return failureFor('invalid', calledTool === null ? silent : called)
}

function failureFor(cause: ModelFailure['cause'], message: string): ModelFailure {
  return { ...failureOf(new Error(message), 0), cause }
}

function failureIn(error: unknown, now: number): ModelFailure {
  return error instanceof Silence ? failureFor('timeout', error.message) : failureOf(error, now)
}

interface ReceivedReply {
  text: string
  /** As the provider reports it, if it does. */
  model: string | null
  calledTool: string | null
  /** Null if the answer broke off; then `error` is the reason. */
  end: End | null
  error: unknown
}

async function receiveReply(session: ChatSession, context: Context, { onText }: Listener) {
  const { provider, world } = session
  const { api, baseUrl, key, modelId: model } = provider
  const body =
    api === 'anthropic'
      ? { max_tokens: context.budget.reserveTokens, ...anthropicMessages.write(context) }
      : openaiChat.write(context)
  const silence = new AbortController()
  const giveUp = () => silence.abort(new Silence(`no data received for ${silenceMs / 1_000} s`))
  let timer = setTimeout(giveUp, silenceMs)
  const reply: ReceivedReply = { text: '', model: null, calledTool: null, end: null, error: null }
  try {
    const stop = AbortSignal.any([world.signal, silence.signal])
    for await (const part of streamReply({ api, baseUrl, key, model }, { ...body }, stop)) {
      clearTimeout(timer)
      if (part.kind === 'model') reply.model = part.model
      if (part.kind === 'tool-call') reply.calledTool = part.name
      if (part.kind === 'end') reply.end = part
      if (part.kind === 'text') {
        reply.text += part.text
        await onText(part.text)
      }
      timer = setTimeout(giveUp, silenceMs)
    }
    return reply
  } catch (cause) {
    const error = silence.signal.aborted ? silence.signal.reason : cause
    return { ...reply, end: null, error }
  } finally {
    clearTimeout(timer)
  }
}

class Silence extends Error {}

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
