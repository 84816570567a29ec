/** Reads the prompt of a model call: leading system messages, then the history. */
import { aiSdk } from '../adapters/ai-sdk.ts'
import { openingLength } from '../adapters/alternate-messages.ts'
import { type Fields, isJson, isPlain, otherFields } from '../adapters/unknown-json.ts'
import type { Stamp } from '../calls/find-conversation.ts'
import { type ReadMessage, readMessages as readReading } from '../calls/read-messages.ts'
import type { ToolSchema } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Reading } from '../ports/adapter.ts'
import type { CallParams, PromptMessage } from './call.ts'

export function splitPrompt(prompt: readonly PromptMessage[]) {
  const from = openingLength(prompt)
  return { system: prompt.slice(0, from), messages: prompt.slice(from) }
}

export function readSystem(system: readonly PromptMessage[]): Reading['system'] {
  // `read` checks each instruction, whatever its type is.
  const instructions = system as unknown as { role: 'system'; content: string }[]
  return aiSdk.read({ instructions, messages: [] }).system
}

export function readMessages(messages: readonly PromptMessage[]): readonly ReadMessage[] {
  return readReading(aiSdk.read({ messages }))
}

/**
 * Sets `providerExecuted` on approval responses again, because the SDK removes it. The SDK passes on only
 * responses for tools that the provider runs, so the flag was always true.
 */
export function restoreApprovalFlag(message: PromptMessage): PromptMessage {
  const { role, content } = message
  if (role !== 'tool' || !Array.isArray(content)) return message
  const parts: readonly unknown[] = content
  return {
    ...message,
    content: parts.map((part) =>
      isPlain(part) && part['type'] === 'tool-approval-response'
        ? { ...part, providerExecuted: true }
        : part,
    ),
  }
}

/**
 * Our provider option on messages that `prepareStep` returns. The SDK passes them to the next step, and the
 * application may store them. The SDK keeps the option, and providers ignore it.
 */
const optionsKey = 'throughline'

export function stamped<Message extends object>(message: Message, stamp: Stamp): Message {
  const { providerOptions } = message as { readonly providerOptions?: unknown }
  const options = isPlain(providerOptions) ? providerOptions : {}
  return { ...message, providerOptions: { ...options, [optionsKey]: { ...stamp } } }
}

function stampOf({ providerOptions }: PromptMessage): Stamp | null {
  const own = isPlain(providerOptions) ? providerOptions[optionsKey] : null
  if (!isPlain(own)) return null
  const { conversation, head } = own
  return typeof conversation === 'string' && Number.isSafeInteger(head) && Number(head) >= 0
    ? { conversation, head: Number(head) }
    : null
}

/**
 * Returns the last stamp, or null, and the messages after it. Only stamps of this conversation and its
 * forks count: a client can forge messages, and must not reach another conversation that way.
 */
export function splitAtStamp(messages: readonly PromptMessage[], conversationId: string) {
  const stamps = messages.map((message) => {
    const stamp = stampOf(message)
    if (!stamp?.conversation.startsWith(conversationId)) return null
    return /^(?:~\d+)*$/.test(stamp.conversation.slice(conversationId.length)) ? stamp : null
  })
  const lastIndex = stamps.findLastIndex((stamp) => stamp !== null)
  return { stamp: stamps[lastIndex] ?? null, messages: messages.slice(lastIndex + 1) }
}

/** The schemas of tools and of the reply, for counting. Other fields of a tool are kept, to be restored. */
export function toolSchemasOf({
  tools,
  responseFormat,
}: Pick<CallParams, 'tools' | 'responseFormat'>) {
  const { name, schema }: Fields = { ...responseFormat }
  const schemas: readonly ToolSchema[] = (tools ?? []).flatMap(toolSchemaOf)
  if (!isJson(schema)) return schemas
  // Providers put the schema of the reply into the prompt, like those of tools.
  const fields = keepToolFields({ type: responseFormatType })
  const replyName = typeof name === 'string' ? name : 'response'
  return [...schemas, { name: replyName, parameters: schema, ...fields }]
}

/** The tools in the form of the AI SDK; null if one of the schemas is that of the reply. */
export function toSdkTools(schemas: readonly ToolSchema[]): readonly object[] | null {
  const tools = schemas.map(toSdkTool)
  return tools.some(({ type }) => type === responseFormatType) ? null : tools
}

const responseFormatType = 'response-format'
const metadataKey = 'ai-sdk'

function keepToolFields(fields: JsonObject): Pick<ToolSchema, 'metadata'> {
  return { metadata: { [metadataKey]: fields } }
}

const countedFields = ['name', 'description', 'inputSchema', 'args']

function toolSchemaOf(tool: object): readonly ToolSchema[] {
  if (!isPlain(tool) || typeof tool['name'] !== 'string' || tool['name'] === '') return []
  const { name, description, inputSchema, args, type } = tool
  // A tool that the provider defines has arguments instead of a schema.
  const parameters = inputSchema ?? args
  const others = otherFields(tool, [...countedFields, ...(type === 'function' ? ['type'] : [])])
  const described = typeof description === 'string' ? { description } : {}
  const schema = isJson(parameters) ? { parameters } : {}
  return [{ name, ...described, ...schema, ...(isJson(others) ? keepToolFields(others) : {}) }]
}

function toSdkTool({ name, description, parameters = {}, metadata }: ToolSchema) {
  const kept = metadata?.[metadataKey]
  const { type, ...others }: Fields = isPlain(kept) ? kept : {}
  const described = description === undefined ? {} : { description }
  return type === undefined
    ? { type: 'function', name, ...described, inputSchema: parameters, ...others }
    : { type, name, ...described, args: parameters, ...others }
}
