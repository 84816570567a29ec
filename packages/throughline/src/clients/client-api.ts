/** The requests of official clients that are recorded: how each is read and written, and how its reply is. */
import { anthropicMessages, openaiChat, openaiResponses } from '../adapters/http-adapters.ts'
import { type Fields, fieldsOf, isJson, isObject } from '../adapters/unknown-json.ts'
import type { Deliverable, ToolSchema } from '../domain/context.ts'
import { ThroughlineError } from '../errors.ts'
import type { Adapter, Reading } from '../ports/adapter.ts'
import { anthropicReply } from './anthropic-reply.ts'
import { chatReply } from './chat-reply.ts'
import type { ReplyReader } from './reply-reader.ts'
import { responsesReply } from './responses-reply.ts'

export interface ClientApi {
  /** System prompt, tools and messages of a request, and the schema of its reply, which is counted like a tool. */
  read(body: Fields): Reading
  write(body: Fields, context: Deliverable): Fields
  /** The field with the limit on output tokens. */
  replyTokens(body: Fields): number | undefined
  readonly reply: () => ReplyReader
}

/** Null for other paths, which are not recorded. The beta of Anthropic's client adds a query. */
export function apiAt(path: string): ClientApi | null {
  return apis.find(([ending]) => path.replace(/\?.*$/, '').endsWith(ending))?.[1] ?? null
}

interface ApiShape<Request extends object, Input extends object> {
  readonly adapter: Adapter<Request, Input>
  readonly replyFields: readonly string[]
  /** The fields of a request that lead to the schema of the reply. */
  readonly schemaAt: readonly string[]
  readonly reply: () => ReplyReader
}

function defineApi<Request extends object, Input extends object>({
  adapter,
  replyFields,
  schemaAt,
  reply,
}: ApiShape<Request, Input>): ClientApi {
  return {
    reply,
    read: (body) => {
      refuseKeptHistory(body)
      // `read` checks the fields.
      const reading = adapter.read(body as Input)
      return { ...reading, tools: [...reading.tools, ...replySchema(body, schemaAt)] }
    },
    write: (body, context) => {
      const { messages: _, input: __, system: ___, instructions: ____, ...others } = body
      // The caller's tools stay as they are, to the letter; the schema of the reply is none of them.
      const { tools: _tools, ...written } = fieldsOf(adapter.write(context)) ?? {}
      return { ...others, ...written }
    },
    replyTokens: (body) => {
      const limits = replyFields.map((field) => body[field])
      const limit = limits.find((value) => Number.isSafeInteger(value) && Number(value) > 0)
      return limit === undefined ? undefined : Number(limit)
    },
  }
}

const apis: readonly (readonly [ending: string, api: ClientApi])[] = [
  [
    '/chat/completions',
    defineApi({
      adapter: openaiChat,
      replyFields: ['max_completion_tokens', 'max_tokens'],
      schemaAt: ['response_format', 'json_schema', 'schema'],
      reply: chatReply,
    }),
  ],
  [
    '/responses',
    defineApi({
      adapter: openaiResponses,
      replyFields: ['max_output_tokens'],
      schemaAt: ['text', 'format', 'schema'],
      reply: responsesReply,
    }),
  ],
  [
    '/messages',
    defineApi({
      adapter: anthropicMessages,
      replyFields: ['max_tokens'],
      schemaAt: ['output_config', 'format', 'schema'],
      reply: anthropicReply,
    }),
  ],
]

/** Fields by which the provider would add a history that our log does not know. */
const historyFields = ['previous_response_id', 'conversation'] as const

function refuseKeptHistory(body: Fields): void {
  const field = historyFields.find((name) => body[name] !== undefined && body[name] !== null)
  if (field === undefined) return
  throw new ThroughlineError(
    'REQUEST_INVALID',
    `withThroughline: ${field} adds a history that OpenAI keeps; leave it out: the log has the history, and history: 'recent' lets you send new items only`,
  )
}

/** Providers put the schema of the reply into the prompt, like those of tools. */
function replySchema(body: Fields, path: readonly string[]): readonly ToolSchema[] {
  const schema = path.reduce<unknown>(
    (value, field) => (isObject(value) ? value[field] : undefined),
    body,
  )
  return isObject(schema) && isJson(schema) ? [{ name: 'reply', parameters: schema }] : []
}
