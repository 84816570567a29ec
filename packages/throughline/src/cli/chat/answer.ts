/**
 * Asks the model to answer. A partial answer is kept. A request that is too long for the provider is made
 * smaller once; one lost on the way is sent again once, after the pause that the provider asks for.
 */
import { anthropicMessages, openaiChat } from '../../adapters/index.ts'
import type { Context, Seq } from '../../index.ts'
import { failureOf, type ModelFailure, type ReplyPart, streamReply } from '../../models/index.ts'
import { withoutAuthority } from '../request-options.ts'
import { pause } from '../world.ts'
import type { Talk } from './talk.ts'

interface Listener {
  readonly onText: (text: string) => Promise<void>
  /** The request is repeated. */
  readonly onAgain: (why: string) => Promise<void>
}

type End = Extract<ReplyPart, { kind: 'end' }>

export interface Answer {
  readonly kind: 'answered' | 'stopped' | 'failed'
  readonly text: string
  /** Null where nothing came. */
  readonly seq: Seq | null
  readonly finish: End['finish'] | null
  readonly model: string | null
  readonly usage: End['usage']
  /** Null where the model was never asked. */
  readonly context: Context | null
  readonly failure: ModelFailure | null
}

const noWords = { text: '', seq: null, finish: null, model: null, usage: null } as const

export async function answer(talk: Talk, listener: Listener): Promise<Answer> {
  const { chat, settings, world } = talk
  const { signal, now } = world
  let [isSmaller, isAgain] = [false, false]
  for (;;) {
    const context = await made(talk)
    if (context === null) return { kind: 'stopped', context, failure: null, ...noWords }
    const heard = await hear(talk, context, listener)
    if (heard.end !== null || signal.aborted || heard.text !== '') return kept(talk, context, heard)
    if (!isSmaller && (await chat.overflowed(context.fingerprint, heard.error)) === 'smaller') {
      isSmaller = true
      await listener.onAgain(`too long for ${settings.model}; once more, with less`)
      continue
    }
    const failure = failureIn(heard.error, now())
    const waitMs = failure.retryAfterMs ?? pauseMs
    if (isAgain || failure.cause !== 'transport' || waitMs > longestPauseMs)
      return { kind: 'failed', context, failure, ...noWords }
    isAgain = true
    const seconds = Math.ceil(waitMs / 1_000)
    await listener.onAgain(
      `${failure.message.replace(/[.!\s]+$/, '')}; once more${seconds > 1 ? ` in ${seconds} s, as asked` : ''}`,
    )
    await pause(waitMs, signal)
  }
}

const pauseMs = 250
// A person at a terminal can ask again later.
const longestPauseMs = 30_000
// Reasoning models are silent for minutes.
const silenceMs = 300_000

/** Null where it was stopped before. */
async function made({ chat, settings, system, world }: Talk): Promise<Context | null> {
  const { signal } = world
  const request = { model: settings.model, ...(system !== null && { system }), signal }
  try {
    return withoutAuthority(await chat.context(request))
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

async function kept({ chat, world }: Talk, context: Context, heard: Heard): Promise<Answer> {
  const { signal, now } = world
  const { text, end, model } = heard
  const usage = end?.usage ?? null
  const isBlank = text.trim() === ''
  const broken = end === null && !signal.aborted ? failureIn(heard.error, now()) : null
  const failure = end !== null && isBlank ? unanswered(heard) : broken
  const kind = failure !== null ? 'failed' : end === null ? 'stopped' : 'answered'
  if (isBlank) return { kind, context, failure, ...noWords }
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

function unanswered({ calledTool, end }: Heard): ModelFailure {
  const called = `the model has called the tool ${calledTool}, and there is none here`
  const isFiltered = end?.finish === 'content-filter'
  const silent = isFiltered ? 'the provider has stopped the answer' : 'the model has said nothing'
  return failureFor('invalid', calledTool === null ? silent : called)
}

function failureFor(cause: ModelFailure['cause'], message: string): ModelFailure {
  return { ...failureOf(new Error(message), 0), cause }
}

function failureIn(error: unknown, now: number): ModelFailure {
  return error instanceof Silence ? failureFor('timeout', error.message) : failureOf(error, now)
}

interface Heard {
  text: string
  /** As the provider reports it, if it does. */
  model: string | null
  calledTool: string | null
  /** Null where the answer broke off: then `error` says why. */
  end: End | null
  error: unknown
}

async function hear(talk: Talk, context: Context, { onText }: Listener): Promise<Heard> {
  const { provider, world } = talk
  const { api, baseUrl, key, modelId: model } = provider
  const body =
    api === 'anthropic'
      ? { max_tokens: context.budget.reserveTokens, ...anthropicMessages.write(context) }
      : openaiChat.write(context)
  const silence = new AbortController()
  const giveUp = () => silence.abort(new Silence(`not a word for ${silenceMs / 1_000} s`))
  let timer = setTimeout(giveUp, silenceMs)
  const heard: Heard = { text: '', model: null, calledTool: null, end: null, error: null }
  try {
    const stop = AbortSignal.any([world.signal, silence.signal])
    for await (const part of streamReply({ api, baseUrl, key, model }, { ...body }, stop)) {
      clearTimeout(timer)
      if (part.kind === 'model') heard.model = part.model
      if (part.kind === 'tool-call') heard.calledTool = part.name
      if (part.kind === 'end') heard.end = part
      if (part.kind === 'text') {
        heard.text += part.text
        await onText(part.text)
      }
      timer = setTimeout(giveUp, silenceMs)
    }
    return heard
  } catch (cause) {
    const error = silence.signal.aborted ? silence.signal.reason : cause
    return { ...heard, end: null, error }
  } finally {
    clearTimeout(timer)
  }
}

class Silence extends Error {}
