/** A middleware for `createAgent`, and a call for other graphs: records messages, and fits them into the window. */
import { fieldsOf, isFilled, isJson, isObject } from '../adapters/unknown-json.ts'
import { createFinder } from '../calls/find-conversation.ts'
import {
  type CallOptions,
  checkCallOptions,
  conversationOf,
  type Settings,
} from '../calls/options.ts'
import { readMessages } from '../calls/read-messages.ts'
import {
  appendReply,
  openRequest,
  type RecordedRequest,
  smallerRequest,
} from '../calls/recorded-request.ts'
import type { ToolSchema } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import { type LangchainMessage, readLangchainMessage, writeLangchainMessages } from './messages.ts'

/** The fields that we read of a request that LangChain passes to `wrapModelCall`. */
interface ModelRequest {
  readonly model: unknown
  readonly messages: readonly LangchainMessage[]
  readonly systemMessage?: { readonly text: string } | undefined
  readonly tools?: readonly unknown[] | undefined
  readonly runtime?: unknown
}

/** Fits `AgentMiddleware`. */
export interface LangchainMiddleware {
  readonly name: string
  // A method, so that requests with narrower types fit.
  wrapModelCall<Request extends ModelRequest, Reply>(
    request: Request,
    handler: (request: Request) => Reply | PromiseLike<Reply>,
  ): Promise<Reply>
}

/**
 * Records the model calls of an agent in a conversation, and keeps their messages inside the model's window. The
 * state of the graph stays as it is. By default the conversation is the thread (`thread_id`).
 *
 * @example
 * const middleware = [langchainMiddleware({ engine: tl })]
 * // createAgent({ model: 'openai:gpt-5-mini', tools, checkpointer, middleware })
 */
export function langchainMiddleware(options: CallOptions<ModelRequest>): LangchainMiddleware {
  const settings = checkCallOptions(options, 'langchainMiddleware')
  const call = callWith(settings)
  return {
    name: 'Throughline',
    wrapModelCall: async (request, handler) => {
      const { messages, tools = [], systemMessage } = request
      const system = systemMessage?.text ?? ''
      const conversation = await conversationOf(
        settings,
        request,
        settings.conversation === undefined ? threadOf(request) : undefined,
        ', or call the agent with configurable: { thread_id: "…" }',
      )
      const described = { conversation, system, tools, model: modelNameOf(settings, request.model) }
      return call(messages, described, (fitted, text) =>
        handler({
          ...request,
          messages: fitted,
          ...(text === system ? {} : { systemPrompt: text }),
        }),
      )
    },
  }
}

/**
 * Calls a model with the messages of a graph of your own: records them, and keeps them inside the window.
 *
 * @example
 * const call = langchainCall({ engine: tl, conversation: 'invoice-7', model: 'gpt-5-mini' })
 * // const reply = await call(state.messages, (messages) => model.invoke(messages))
 */
export function langchainCall(
  options: CallOptions<undefined>,
): <Given extends LangchainMessage, Reply>(
  messages: readonly Given[],
  invoke: (messages: Given[]) => Reply | PromiseLike<Reply>,
) => Promise<Reply> {
  const settings = checkCallOptions(options, 'langchainCall')
  const { model } = settings
  if (model === undefined)
    throw invalidOption('langchainCall: set the option "model", the name of the model')
  const call = callWith(settings)
  return async (messages, invoke) => {
    const conversation = await conversationOf(settings, undefined, undefined, '')
    return call(messages, { conversation, system: '', tools: [], model }, (fitted) =>
      invoke(fitted),
    )
  }
}

interface Described {
  readonly conversation: string
  readonly system: string
  readonly tools: readonly unknown[]
  readonly model: string
}

function callWith<Call>(settings: Settings<Call>) {
  const finder = createFinder(settings)
  return async <Given extends LangchainMessage, Reply>(
    given: readonly Given[],
    { conversation, system: text, tools, model }: Described,
    invoke: (messages: Given[], system: string) => Reply | PromiseLike<Reply>,
  ): Promise<Reply> => {
    const system = text === '' ? [] : [{ type: 'text', text, metadata: null } as const]
    const reading = { system, tools: tools.flatMap(toolSchemaOf) }
    const messages = readMessages({ ...reading, messages: given.map(readLangchainMessage) })
    const request = { conversation, stamp: null, model, replyTokens: undefined, ...reading }
    const recorded = await openRequest(finder, { ...request, messages })
    const ask = ({ context }: RecordedRequest) =>
      invoke(
        [...writeLangchainMessages(context, given, messages)],
        context.system.map((part) => part.text).join('\n\n'),
      )
    const { answered, reply } = await askWithRetry(recorded, ask)
    const message = aiMessageIn(reply)
    if (message !== null)
      await appendReply(
        answered,
        [readLangchainMessage(message)],
        fieldsOf((message as { readonly usage_metadata?: unknown }).usage_metadata),
      )
    return reply
  }
}

async function askWithRetry<Reply>(
  recorded: RecordedRequest,
  ask: (recorded: RecordedRequest) => Reply | PromiseLike<Reply>,
) {
  try {
    return { answered: recorded, reply: await ask(recorded) }
  } catch (error) {
    const smaller = await smallerRequest(recorded, error)
    if (smaller === null) throw error
    return { answered: smaller, reply: await ask(smaller) }
  }
}

/** The model's message: the reply, or the first of a structured one; null for a command. */
function aiMessageIn(reply: unknown): LangchainMessage | null {
  const fields = fieldsOf(reply) ?? {}
  const list: unknown = fields['messages']
  const message: unknown = Array.isArray(list) ? list[0] : reply
  const { getType } = fieldsOf(message) ?? {}
  return typeof getType === 'function' && getType.call(message) === 'ai'
    ? (message as LangchainMessage)
    : null
}

function threadOf({ runtime }: ModelRequest): unknown {
  return fieldsOf(fieldsOf(runtime)?.['configurable'])?.['thread_id']
}

/** Chat models name themselves; `initChatModel` keeps the name in its defaults. */
function modelNameOf<Call>({ model: named }: Settings<Call>, model: unknown): string {
  const { model: name, modelName, _defaultConfig } = fieldsOf(model) ?? {}
  const found = [named, name, modelName, fieldsOf(_defaultConfig)?.['model']].find(isFilled)
  if (found !== undefined) return found
  throw invalidOption('langchainMiddleware: set the option "model": the model does not name itself')
}

function toolSchemaOf(tool: unknown): readonly ToolSchema[] {
  const { name, description, schema } = fieldsOf(tool) ?? {}
  if (!isFilled(name)) return []
  const described = isFilled(description) ? { description } : {}
  const parameters = jsonSchemaOf(schema)
  return [{ name, ...described, ...(parameters === null ? {} : { parameters }) }]
}

/** A JSON schema, or that of a Standard Schema such as those of zod. */
function jsonSchemaOf(schema: unknown): JsonObject | null {
  const fields = fieldsOf(schema) ?? {}
  const standard = fieldsOf(fieldsOf(fields['~standard'])?.['jsonSchema'])?.['input']
  const found: unknown =
    typeof standard === 'function' ? (standard as SchemaWriter)({ target: 'draft-07' }) : fields
  // Safe cast: it was checked.
  return isObject(found) && isFilled(found['type']) && isJson(found) ? (found as JsonObject) : null
}

type SchemaWriter = (options: { readonly target: string }) => unknown
