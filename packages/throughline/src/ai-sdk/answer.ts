/**
 * Appends a model's answer to the log: complete, streamed, or as much as arrived of a stream. A request
 * that the provider refuses as too long is sent once more, smaller.
 */
import {
  appendReply,
  type RecordedRequest,
  requestMetadata,
  smallerRequest,
} from '../calls/recorded-request.ts'
import type { ToolSchema } from '../domain/context.ts'
import type { MessageStatus } from '../domain/message.ts'
import {
  type CallableModel,
  type CallParams,
  fieldsOfPart,
  type GenerateResult,
  type ReplyPart,
  type StreamResult,
} from './call.ts'
import { preludeParts } from './parts-data.ts'
import { toolSchemasOf } from './read-prompt.ts'
import { collectReply, replyMessages } from './reply.ts'
import { withContext } from './write-prompt.ts'

/** Calls the model: null with the request as it is, or with a smaller one. */
type Ask<Result> = (smaller: RecordedRequest | null) => PromiseLike<Result>

export async function generate<Result extends GenerateResult>(
  recorded: RecordedRequest,
  ask: Ask<Result>,
): Promise<Result> {
  const { answered, result } = await askWithRetry(recorded, ask)
  const { content, usage, providerMetadata } = result
  await appendReply(answered, replyMessages(content, 'complete'), usage)
  return {
    ...result,
    ...withWarnings(result, answered),
    providerMetadata: { ...providerMetadata, throughline: requestMetadata(answered) },
  }
}

/** The SDK logs warnings, and programs find them in `result.warnings`. */
function withWarnings({ warnings }: { warnings?: unknown }, { context }: RecordedRequest) {
  if (context.warnings.length === 0) return {}
  const own = context.warnings.map(({ text }) => {
    return { type: 'other', message: `throughline: ${text}` }
  })
  return { warnings: [...(Array.isArray(warnings) ? warnings : []), ...own] }
}

export async function stream<Result extends StreamResult>(
  recorded: RecordedRequest,
  ask: Ask<Result>,
): Promise<Result> {
  const { answered, result } = await askWithRetry(recorded, ask)
  const askAgain = answered === recorded ? ask : null
  return { ...result, stream: recordingStream(answered, result.stream, askAgain) }
}

async function askWithRetry<Result>(recorded: RecordedRequest, ask: Ask<Result>) {
  try {
    return { answered: recorded, result: await ask(null) }
  } catch (error) {
    const smaller = await smallerRequest(recorded, error)
    if (smaller === null) throw error
    return { answered: smaller, result: await ask(smaller) }
  }
}

function recordingStream(
  recorded: RecordedRequest,
  source: ReadableStream<ReplyPart>,
  askAgain: Ask<StreamResult> | null,
): ReadableStream<ReplyPart> {
  let reader = source.getReader()
  let answered = recorded
  // Null once the request was sent again, or output has been passed on.
  let retry = askAgain
  let hasFailed = false
  const collected = collectReply()
  let appended: Promise<void> | null = null
  /** Only the first call appends the reply. */
  const append = (status: MessageStatus): Promise<void> => {
    const { content, usage } = collected.reply()
    appended ??= appendReply(answered, replyMessages(content, status), usage)
    return appended
  }

  /** True if a smaller request replaced this one. */
  const retrySmaller = async (error: unknown): Promise<boolean> => {
    if (retry === null) return false
    const ask = retry
    retry = null
    const smaller = await smallerRequest(answered, error)
    if (smaller === null) return false
    const cancelled = reader.cancel().catch(() => undefined)
    const { stream: next } = await ask(smaller)
    await cancelled
    answered = smaller
    reader = next.getReader()
    return true
  }

  const forward = async (controller: ReadableStreamDefaultController<ReplyPart>) => {
    const { done, value: part } = await reader.read()
    if (done) {
      // A stream without a finish was cut off.
      await append('incomplete')
      controller.close()
      return
    }
    if (part.type === 'error' && (await retrySmaller(fieldsOfPart(part)['error']))) {
      await forward(controller)
      return
    }
    if (!preludeParts.has(part.type)) retry = null
    if (part.type === 'error') hasFailed = true
    collected.take(part)
    // Append before passing on the finish part, because the next step starts with it.
    if (part.type === 'finish') await append(hasFailed ? 'incomplete' : 'complete')
    controller.enqueue(withOwnFields(part, answered))
  }

  return new ReadableStream<ReplyPart>(
    {
      pull: async (controller) => {
        try {
          await forward(controller)
        } catch (error) {
          await append('incomplete')
          throw error
        }
      },
      cancel: async (reason) => {
        await append('incomplete')
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/** Adds our warnings to the first part of a stream, and our metadata to the last. */
function withOwnFields(part: ReplyPart, answered: RecordedRequest): ReplyPart {
  const fields = fieldsOfPart(part)
  if (part.type === 'stream-start') return { ...part, ...withWarnings(fields, answered) }
  if (part.type !== 'finish') return part
  const throughline = requestMetadata(answered)
  const providerMetadata = { ...(fields['providerMetadata'] as object), throughline }
  return { ...part, providerMetadata } as ReplyPart
}

/**
 * Wraps the model of a step: appends the reply, and fits the prompt again if tools or limits changed.
 * `onTools` gets the tool schemas of the call, which are not known earlier.
 */
export function recordingModel(
  model: CallableModel,
  recorded: RecordedRequest,
  onTools: (tools: readonly ToolSchema[]) => void,
): CallableModel {
  const fit = async (call: CallParams): Promise<[RecordedRequest, CallParams]> => {
    // With `kept`, our middleware around the same model does nothing.
    const throughline = { ...call.providerOptions?.['throughline'], kept: true }
    const params = { ...call, providerOptions: { ...call.providerOptions, throughline } }
    const tools = toolSchemasOf(params)
    onTools(tools)
    const { maxOutputTokens: replyTokens } = params
    const areCounted = JSON.stringify(tools) === JSON.stringify(recorded.request.tools ?? [])
    if (areCounted && replyTokens === undefined) return [recorded, params]
    const request = { ...recorded.request, tools, replyTokens }
    const refitted = { ...recorded, request, context: await recorded.chat.context(request) }
    return [refitted, withContext(params, refitted.context, model)]
  }
  return new Proxy(model, {
    get(target, property) {
      if (property !== 'doGenerate' && property !== 'doStream') return Reflect.get(target, property)
      return async (call: CallParams) => {
        const [fitted, params] = await fit(call)
        const paramsFor = (smaller: RecordedRequest | null) =>
          smaller === null ? params : withContext(params, smaller.context, target)
        return property === 'doGenerate'
          ? generate(fitted, (smaller) => target.doGenerate(paramsFor(smaller)))
          : stream(fitted, (smaller) => target.doStream(paramsFor(smaller)))
      }
    },
  })
}
