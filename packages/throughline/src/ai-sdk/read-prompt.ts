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

/** A message to append, and the atoms that identify it. */
export interface ReadMessage {
  readonly input: MessageInput
  readonly atoms: readonly Atom[]
}

export function readMessages(messages: readonly PromptMessage[]): readonly ReadMessage[] {
  const reading = aiSdk.read({ messages })
  const { messages: checked } = deliverable(reading, sha256)
  return reading.messages.map((input, index) => {
    const { role, parts } = checked[index] ?? { role: input.role, parts: [] as readonly Part[] }
    return { input, atoms: atomsOf({ role, parts }, true) }
  })
}

/**
 * Sets `providerExecuted` on approval responses. They reach a call only if the provider runs the tool, but
 * the SDK removes the flag.
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

/** The messages after the first `newFrom` atoms, which are known. A message without atoms is not new. */
export function newMessages(messages: readonly ReadMessage[], newFrom: number) {
  let atomsBefore = 0
  return messages.flatMap(({ input, atoms }) => {
    const knownAtoms = newFrom - atomsBefore
    atomsBefore += atoms.length
    const firstNew = atoms[Math.max(0, knownAtoms)]
    if (firstNew === undefined) return []
    if (knownAtoms <= 0 || typeof input.content === 'string') return [input]
    return [{ ...input, content: input.content.slice(firstNew.partIndex) }]
  })
}

/** The request with all of its messages, as if everything fitted. */
export function deliverable(reading: Reading, sha256: Sha256): Deliverable {
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

/** The conversation that a message was rendered from. */
export interface Stamp {
  readonly conversation: string
  /** The length of its log at that time; later messages are not among the stamped ones. */
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
 * Returns the last stamp, or null, and the messages after it. Only stamps of the named conversation and its
 * forks count: a client can forge messages, and must not reach another conversation that way.
 */
export function splitAtStamp(messages: readonly PromptMessage[], named: string) {
  const stamps = messages.map((message) => {
    const stamp = stampOf(message)
    if (!stamp?.conversation.startsWith(named)) return null
    return /^(?:~\d+)*$/.test(stamp.conversation.slice(named.length)) ? stamp : null
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

/** The tools as in a call; null if one of the schemas is that of the reply. */
export function callTools(schemas: readonly ToolSchema[]): readonly object[] | null {
  const tools = schemas.map(callTool)
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

function callTool({ name, description, parameters = {}, metadata }: ToolSchema) {
  const kept = metadata?.[metadataKey]
  const { type, ...others }: Fields = isPlain(kept) ? kept : {}
  const described = description === undefined ? {} : { description }
  return type === undefined
    ? { type: 'function', name, ...described, inputSchema: parameters, ...others }
    : { type, name, ...described, args: parameters, ...others }
}
