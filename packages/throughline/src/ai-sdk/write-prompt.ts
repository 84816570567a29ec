/**
 * Converts the adapter's output to the prompt of a model call, as the SDK does it: content is always a list,
 * files are tagged, and parts that only the SDK's own loop reads are omitted.
 */
import { splitDataUrl } from '../adapters/ai-sdk/files.ts'
import { aiSdk } from '../adapters/ai-sdk.ts'
import { runsOf } from '../adapters/alternate-messages.ts'
import { type Fields, isPlain, listOf } from '../adapters/unknown-json.ts'
import type { Deliverable } from '../domain/context.ts'
import { describe } from '../domain/text.ts'
import { checkOptions, invalidOption } from '../flow/check/check-options.ts'
import type { CallParams, NamedModel, PromptMessage } from './call.ts'
import { partFields } from './parts-data.ts'
import { toSdkTools } from './read-prompt.ts'

export function withContext<Params extends CallParams>(
  params: Params,
  context: Deliverable,
  { provider }: NamedModel,
): Params {
  return { ...params, prompt: writePrompt(context, provider.split('.')[0] ?? provider) }
}

/** File references that name no provider belong to `provider`. */
export function writePrompt(context: Deliverable, provider: string): readonly PromptMessage[] {
  const { instructions, system, messages } = aiSdk.write(context)
  const prompt = instructions ?? system ?? []
  const opening =
    typeof prompt === 'string' ? [{ role: 'system', content: prompt }] : [prompt].flat()
  return joinTools([...opening, ...messages].map((message) => writeMessage(message, provider)))
}

function writeMessage(message: PromptMessage, provider: string): PromptMessage {
  const { role, content } = message
  if (role === 'system') return message
  const parts: readonly unknown[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  const { providerOptions } = message
  return {
    role,
    content: parts.filter(isSent).map((part) => withKnownFields(writePart(part, provider))),
    ...(providerOptions === undefined ? {} : { providerOptions }),
  }
}

/** A part of an unknown type is written unchanged. */
function withKnownFields(part: Fields): Fields {
  const fields = partFields[`${part['type']}`]
  if (fields === undefined) return part
  const names = ['type', ...fields, 'providerOptions']
  return Object.fromEntries(Object.entries(part).filter(([name]) => names.includes(name)))
}

function isSent(part: unknown): part is Fields {
  if (!isPlain(part)) return false
  const { type, text, providerOptions, providerExecuted } = part
  if (type === 'text') return text !== '' || providerOptions !== undefined
  if (type === 'tool-approval-response') return providerExecuted === true
  return type !== 'tool-approval-request'
}

function writePart(part: Fields, provider: string): Fields {
  switch (part['type']) {
    case 'image': {
      const { image, type: _, ...fields } = part
      return { mediaType: 'image', ...fields, type: 'file', ...tagged(image) }
    }
    case 'file':
    case 'reasoning-file':
      return { ...part, ...tagged(part['data']) }
    case 'tool-result':
      return { ...part, output: writeOutput(part['output'], provider) }
    default:
      return part
  }
}

/** Includes the media type if the data has its own. */
function tagged(data: unknown): Fields {
  if (data instanceof URL) return taggedUrl(data.href)
  if (typeof data === 'string' && URL.canParse(data)) return taggedUrl(data)
  if (!isPlain(data)) return { data: { type: 'data', data: asBytes(data) } }
  if (!('type' in data)) return { data: { type: 'reference', reference: data } }
  if (data['type'] === 'url' && data['url'] instanceof URL) return taggedUrl(data['url'].href, data)
  return { data: data['type'] === 'data' ? { ...data, data: asBytes(data['data']) } : data }
}

function taggedUrl(url: string, fields: Fields = {}): Fields {
  const parts = url.startsWith('data:') ? splitDataUrl(url) : null
  return parts === null
    ? { data: { ...fields, type: 'url', url: new URL(url) } }
    : { data: { type: 'data', data: parts.data }, mediaType: parts.mediaType }
}

function asBytes(data: unknown): unknown {
  return data instanceof ArrayBuffer ? new Uint8Array(data) : data
}

function writeOutput(output: unknown, provider: string): unknown {
  if (!isPlain(output) || output['type'] !== 'content') return output
  const write = (item: unknown) => (isPlain(item) ? writeItem(item, provider) : item)
  return { type: 'content', value: listOf(output['value']).map(write) }
}

/** Converts the older types of files in outputs to the current one. */
function writeItem(item: Fields, provider: string): Fields {
  const { type, data, url, fileId, providerReference, ...fields } = item
  const isImage = `${type}`.startsWith('image')
  const mediaType = isImage ? 'image' : 'application/octet-stream'
  const file = (source: Fields) => ({ mediaType, ...fields, type: 'file', ...source })
  switch (isImage ? `${type}`.replace(/^image-(?:file-)?/, 'file-') : type) {
    case 'file':
      return { ...item, ...tagged(data) }
    case 'file-data':
      return file({ data: { type: 'data', data } })
    case 'file-url':
      return file(taggedUrl(`${url}`))
    case 'file-id': {
      const reference = typeof fileId === 'string' ? { [provider]: fileId } : fileId
      return file({ data: { type: 'reference', reference } })
    }
    case 'file-reference':
      return file({ data: { type: 'reference', reference: providerReference } })
    default:
      return item
  }
}

/** Merges consecutive tool messages, as the SDK does. */
function joinTools(messages: readonly PromptMessage[]): readonly PromptMessage[] {
  return runsOf(messages, ([first], next) => first.role === 'tool' && next.role === 'tool')
    .map(([first, ...more]) => more.reduce(join, first))
    .filter(({ role, content }) => role !== 'tool' || listOf(content).length > 0)
}

/** The options of the first message move to its last result, because the merged message has others. */
function join(first: PromptMessage, second: PromptMessage): PromptMessage {
  const parts = listOf(first.content)
  const lastPart = parts.at(-1)
  if (first.providerOptions === undefined || !isPlain(lastPart))
    return { ...second, content: [...parts, ...listOf(second.content)] }
  const ofPart = lastPart['providerOptions'] as object | undefined
  const moved = { ...lastPart, providerOptions: { ...first.providerOptions, ...ofPart } }
  return { ...second, content: [...parts.slice(0, -1), moved, ...listOf(second.content)] }
}

/**
 * The options of `conversationCall`, which writes a conversation's call so that a summarizer can extend it.
 * A summary request with the same prefix costs little, because the provider has that prefix cached.
 */
export interface ConversationCallOptions {
  /**
   * The exact `providerOptions` of your conversation's calls: Anthropic's cache depends on thinking and
   * effort, OpenAI's on `promptCacheKey`.
   */
  readonly providerOptions?: Readonly<Record<string, object>> | undefined
}

/** Fits the option `continues` of `languageModel`. */
export type WriteConversation = (
  context: Deliverable,
  provider: string,
) => WrittenConversation | null

interface WrittenConversation {
  readonly prompt: readonly PromptMessage[]
  readonly tools?: readonly object[]
  readonly toolChoice?: object
  readonly providerOptions?: Readonly<Record<string, object>>
}

/**
 * Writes calls as the conversation's own model gets them, for the option `continues` of `languageModel`.
 *
 * @example
 * const summarizer = languageModel('openai/gpt-5-mini', { continues: conversationCall() })
 */
export function conversationCall(options: ConversationCallOptions = {}): WriteConversation {
  const { providerOptions } = checkOptions(options, ['providerOptions'], 'conversationCall')
  if (providerOptions !== undefined && !isPlain(providerOptions))
    throw invalidOption(
      `conversationCall: providerOptions must be those of a call, got ${describe(providerOptions)}`,
    )
  return (context, provider) => {
    const tools = toSdkTools(context.tools)
    // A summary cannot have the reply's schema, and without that schema the cached prefix is lost.
    if (tools === null) return null
    return {
      prompt: writePrompt(context, provider),
      // The SDK's default; another choice would lose Anthropic's cache.
      ...(tools.length === 0 ? {} : { tools, toolChoice: { type: 'auto' } }),
      ...(providerOptions === undefined ? {} : { providerOptions }),
    }
  }
}
