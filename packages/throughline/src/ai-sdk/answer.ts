/**
 * Appends a model's answer to the log: complete, streamed, or as much as arrived of a stream. A request
 * that the provider refuses as too long is sent once more, smaller.
 */
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
import {
  appendReply,
  collectReply,
  type RecordedRequest,
  requestMetadata,
  smallerRequest,
} from './recorded-request.ts'
import { withContext } from './write-prompt.ts'

type Ask<Result> = (smaller: RecordedRequest | null) => PromiseLike<Result>

export async function generate<Result extends GenerateResult>(
  kept: RecordedRequest,
  ask: Ask<Result>,
): Promise<Result> {
  const { answered, result } = await askTwice(kept, ask)
  const { content, usage, providerMetadata } = result
  await appendReply(answered, content, { usage, status: 'complete' })
  return {
    ...result,
    ...withWarnings(result, answered),
    providerMetadata: { ...providerMetadata, throughline: requestMetadata(answered) },
  }
}

/** The SDK logs them, and programs find them in `result.warnings`. */
function withWarnings(
  { warnings }: { readonly warnings?: unknown },
  { context }: RecordedRequest,
): { readonly warnings?: readonly object[] } {
  if (context.warnings.length === 0) return {}
  const own = context.warnings.map(({ text }) => ({
    type: 'other',
    message: `throughline: ${text}`,
  }))
  return { warnings: [...(Array.isArray(warnings) ? warnings : []), ...own] }
}

export async function stream<Result extends StreamResult>(
  kept: RecordedRequest,
  ask: Ask<Result>,
): Promise<Result> {
  const { answered, result } = await askTwice(kept, ask)
  return {
    ...result,
    stream: recordingStream(answered, result.stream, answered === kept ? ask : null),
  }
}

async function askTwice<Result>(kept: RecordedRequest, ask: Ask<Result>) {
  try {
    return { answered: kept, result: await ask(null) }
  } catch (error) {
    const smaller = await smallerRequest(kept, error)
    if (smaller === null) throw error
    return { answered: smaller, result: await ask(smaller) }
  }
}

function recordingStream(
  kept: RecordedRequest,
  source: ReadableStream<ReplyPart>,
  askAgain: Ask<StreamResult> | null,
): ReadableStream<ReplyPart> {
  let reader = source.getReader()
  let answered = kept
  let again = askAgain
  let failed = false
  const collected = collectReply()
  let settled: Promise<void> | null = null
  const settle = (status: MessageStatus): Promise<void> => {
    const { content, usage } = collected.reply()
    settled ??= appendReply(answered, content, { usage, status })
    return settled
  }

  /** True if a smaller request replaced this one. */
  const replaced = async (error: unknown): Promise<boolean> => {
    if (again === null) return false
    const ask = again
    again = null
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
      await settle('incomplete')
      controller.close()
      return
    }
    if (part.type === 'error' && (await replaced(fieldsOfPart(part)['error']))) {
      await forward(controller)
      return
    }
    if (!preludeParts.has(part.type)) again = null
    if (part.type === 'error') failed = true
    collected.take(part)
    // Append before passing on the finish part, because the next step starts with it.
    if (part.type === 'finish') await settle(failed ? 'incomplete' : 'complete')
    const { providerMetadata } = fieldsOfPart(part)
    const metadata = { ...(providerMetadata as object), throughline: requestMetadata(answered) }
    const finished = { ...part, providerMetadata: metadata } as ReplyPart
    const started = { ...part, ...withWarnings(fieldsOfPart(part), answered) } as ReplyPart
    const isStart = part.type === 'stream-start'
    controller.enqueue(part.type === 'finish' ? finished : isStart ? started : part)
  }

  return new ReadableStream<ReplyPart>(
    {
      pull: async (controller) => {
        try {
          await forward(controller)
        } catch (error) {
          await settle('incomplete')
          throw error
        }
      },
      cancel: async (reason) => {
        await settle('incomplete')
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}

/**
 * Wraps the model of a step: appends the reply, and fits the prompt again if tools or limits changed.
 * `see` gets the tool schemas of the call, which are not known earlier.
 */
export function recordingModel(
  model: CallableModel,
  kept: RecordedRequest,
  see: (tools: readonly ToolSchema[]) => void,
): CallableModel {
  const ready = async (given: CallParams): Promise<[RecordedRequest, CallParams]> => {
    // With `kept`, our middleware around the same model does nothing.
    const { throughline, ...others } = given.providerOptions ?? {}
    const own = { throughline: { ...throughline, kept: true } }
    const params = { ...given, providerOptions: { ...others, ...own } }
    const tools = toolSchemasOf(params)
    see(tools)
    const { maxOutputTokens: replyTokens } = params
    const counted = JSON.stringify(tools) === JSON.stringify(kept.request.tools ?? [])
    if (counted && replyTokens === undefined) return [kept, params]
    const request = { ...kept.request, tools, replyTokens }
    const again = { ...kept, request, context: await kept.chat.context(request) }
    return [again, withContext(params, again.context, model)]
  }
  return new Proxy(model, {
    get(target, property) {
      if (property !== 'doGenerate' && property !== 'doStream') return Reflect.get(target, property)
      return async (given: CallParams) => {
        const [asked, params] = await ready(given)
        const fitted = (smaller: RecordedRequest | null) =>
          smaller === null ? params : withContext(params, smaller.context, target)
        return property === 'doGenerate'
          ? generate(asked, (smaller) => target.doGenerate(fitted(smaller)))
          : stream(asked, (smaller) => target.doStream(fitted(smaller)))
      }
    },
  })
}
