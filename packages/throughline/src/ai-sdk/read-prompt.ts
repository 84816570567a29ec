/** Reads the prompt of a model call: leading system messages, then the history. */
import { aiSdk } from '../adapters/ai-sdk.ts'
import { openingLength } from '../adapters/alternate-messages.ts'
import { type Fields, isJson, isPlain, otherFields } from '../adapters/unknown-json.ts'
import type { ContextMessage, Deliverable, ToolSchema } from '../domain/context.ts'
import type { Sha256 } from '../domain/hash.ts'
import type { Seq } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import type { MessageInput, Part } from '../domain/message.ts'
import type { FileContent } from '../domain/sealed-message.ts'
import { checkJsonObjectOrNull } from '../flow/check/check-fields.ts'
import { checkContent } from '../flow/check/check-parts.ts'
import type { Reading } from '../ports/adapter.ts'
import { sha256 } from '../system.ts'
import type { CallParams, PromptMessage } from './call.ts'
import { type Atom, atomsOf } from './match.ts'

export function splitPrompt(prompt: readonly PromptMessage[]) {
  const from = openingLength(prompt)
  return { system: prompt.slice(0, from), messages: prompt.slice(from) }
}

export function readSystem(system: readonly PromptMessage[]): Reading['system'] {
  // `read` checks each instruction, whatever its type is.
  const instructions = system as unknown as { role: 'system'; content: string }[]
  return aiSdk.read({ instructions, messages: [] }).system
}

/** A message to append, and its atoms: one for each part that is compared with the log. */
export interface ReadMessage {
  readonly input: MessageInput
  readonly atoms: readonly Atom[]
}

export function readMessages(messages: readonly PromptMessage[]): readonly ReadMessage[] {
  const reading = aiSdk.read({ messages })
  const { messages: checked } = buildDeliverable(reading, sha256)
  return reading.messages.map((input, index) => {
    const { role, parts } = checked[index] ?? { role: input.role, parts: [] as readonly Part[] }
    return { input, atoms: atomsOf({ role, parts }, true) }
  })
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

/** The messages after the first `knownAtoms` atoms. A message without atoms is not new. */
export function newMessages(messages: readonly ReadMessage[], knownAtoms: number) {
  let atomsBefore = 0
  return messages.flatMap(({ input, atoms }) => {
    const knownInMessage = knownAtoms - atomsBefore
    atomsBefore += atoms.length
    const firstNew = atoms[Math.max(0, knownInMessage)]
    if (firstNew === undefined) return []
    if (knownInMessage <= 0 || typeof input.content === 'string') return [input]
    return [{ ...input, content: input.content.slice(firstNew.partIndex) }]
  })
}

/** Builds a request with all messages of a reading, whatever its size. */
export function buildDeliverable(reading: Reading, sha256: Sha256): Deliverable {
  const files: FileContent[] = []
  const sink = { sha256, files, bytesMax: Number.POSITIVE_INFINITY }
  const messages = reading.messages.map(
    (message: MessageInput, seq): ContextMessage => ({
      role: message.role,
      author: message.author ?? null,
      parts: checkContent(message.content, `messages[${seq}].content`, sink),
      meta: checkJsonObjectOrNull(message.meta, `messages[${seq}].meta`),
      seq,
      slot: 'recent',
    }),
  )
  return {
    system: reading.system,
    tools: reading.tools,
    messages,
    files: new Map(files.map((file) => [file.sha256, file.bytes])),
    breakpoints: [],
  }
}

/**
 * Our provider option on messages that `prepareStep` returns. The SDK passes them to the next step, and the
 * application may store them. The SDK keeps the option, and providers ignore it.
 */
const optionsKey = 'throughline'

/** The conversation that a message was rendered from, by its id. */
export interface Stamp {
  readonly conversation: string
  /** The end of the log when the message was rendered: the context shows no message from there on. */
  readonly head: Seq
}

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
