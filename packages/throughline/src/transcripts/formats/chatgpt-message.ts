/**
 * Reads a message of ChatGPT's export. A message of the assistant to another recipient than `all` is a
 * call of that tool, and the tool's next message the result. Empty messages are only nodes of the tree.
 */
import type { MessageInput, OpaqueInput, PartInput, TextInput } from '../../index.ts'
import { opaquePart, textPart, toolOutput } from '../content-parts.ts'
import { metaOf, parseJson, plainText } from '../json/json-access.ts'
import type { JsonNode } from '../json/raw-json.ts'

type ParsedMessage = Pick<MessageInput, 'role' | 'origin' | 'content' | 'author' | 'meta'>

/** The newest call without a result, within one conversation. */
export class OpenToolCall {
  #callId: string | null = null

  begin(callId: string): void {
    this.#callId = callId
  }

  /** A result without a call answers itself. */
  answeredBy(resultId: string): string {
    const callId = this.#callId ?? resultId
    this.#callId = null
    return callId
  }
}

export function parseChatgptMessage(
  message: JsonNode,
  key: string,
  openCall: OpenToolCall,
): ParsedMessage | 'empty' | 'unknown' {
  const author = message.field('author')
  const content = message.field('content')
  const parts = chatgptParts(content)
  switch (author.text('role')) {
    case 'system': {
      const systemParts = [...parts, ...instructionsIn(message.field('metadata'))]
      return withoutEmptyText({ role: 'system', content: systemParts })
    }
    case 'user':
      // The user's custom instructions.
      if (content.text('content_type') === 'user_editable_context')
        return withoutEmptyText({
          role: 'system',
          content: parts,
          meta: { customInstructions: true },
        })
      return withoutEmptyText({
        role: 'user',
        origin: isHidden(message) ? 'application' : undefined,
        content: parts,
        author: author.filled('name') ?? undefined,
      })
    case 'assistant': {
      const recipient = message.filled('recipient') ?? 'all'
      if (recipient === 'all') return withoutEmptyText({ role: 'assistant', content: parts })
      openCall.begin(key)
      return { role: 'assistant', content: [callPart(parts, recipient, key)] }
    }
    case 'tool':
      return { role: 'tool', content: [resultPart(message, parts, openCall.answeredBy(key))] }
    default:
      return 'unknown'
  }
}

/** The application sends such messages as the user, and never shows them. */
function isHidden(message: JsonNode): boolean {
  return message.field('metadata').get('is_visually_hidden_from_conversation') === true
}

function withoutEmptyText(
  message: ParsedMessage & { readonly content: readonly PartInput[] },
): ParsedMessage | 'empty' {
  const content = message.content.filter((part) => part.type !== 'text' || part.text !== '')
  return content.length === 0 ? 'empty' : { ...message, content }
}

/** Older exports have the user's custom instructions beside an empty message, as they were typed. */
function instructionsIn(metadata: JsonNode): readonly PartInput[] {
  const data = metadata.field('user_context_message_data')
  const texts = ['about_user_message', 'about_model_message'].map((key) => data.filled(key))
  return texts
    .filter((text) => text !== null)
    .map((text) => ({ ...textPart(text), origin: 'person' }))
}

function callPart(parts: readonly ChatgptPart[], name: string, callId: string): PartInput {
  const input = parts.map((part) => ('text' in part ? part.text : '')).join('\n')
  // Most tools take JSON, some a program or a question.
  const isJson = input.startsWith('{') && parseJson(input) !== undefined
  return { type: 'tool-call', callId, name, input: isJson ? input : JSON.stringify(input) }
}

function resultPart(message: JsonNode, parts: readonly ChatgptPart[], callId: string): PartInput {
  const content = message.field('content')
  return {
    type: 'tool-result',
    callId,
    name: message.field('author').filled('name') ?? undefined,
    output: toolOutput(parts.map(outputPart)),
    isError: content.text('content_type') === 'system_error',
    metadata: metaOf({ title: content.filled('title') }),
  }
}

function outputPart(part: ChatgptPart) {
  switch (part.type) {
    case 'reasoning':
      return textPart(part.text)
    case 'attachment-ref':
      return textPart(`[${part.attachmentId}]`)
    case 'text':
    case 'opaque':
      return part
  }
}

/** The export names pictures and audio but does not contain them. */
type ChatgptPart =
  | TextInput
  | OpaqueInput
  | Extract<PartInput, { readonly type: 'reasoning' | 'attachment-ref' }>

function chatgptParts(content: JsonNode): ChatgptPart[] {
  const type = content.filled('content_type') ?? 'unknown'
  switch (type) {
    case 'text':
    case 'multimodal_text':
      return content.list('parts').map(partOf)
    case 'code':
    case 'execution_output':
    case 'system_error':
      return textParts(content.text('text'))
    case 'tether_browsing_display':
      return textParts(content.filled('result') ?? content.text('summary'))
    case 'tether_quote':
      return textParts(joinFields(content, ['title', 'url', 'text']))
    case 'thoughts':
      return content.list('thoughts').map((thought) => ({
        type: 'reasoning',
        text: joinFields(thought, ['summary', 'content']) ?? '',
      }))
    case 'reasoning_recap':
      return [{ type: 'reasoning', text: content.text('content') ?? '' }]
    case 'user_editable_context':
      return textParts(joinFields(content, ['user_profile', 'user_instructions']))
    case 'model_editable_context':
      return textParts(content.text('model_set_context'))
    default:
      return [opaquePart(`chatgpt/${type}`, content)]
  }
}

function textParts(text: string | null): ChatgptPart[] {
  return text === null ? [] : [textPart(text)]
}

function joinFields(value: JsonNode, keys: readonly string[]): string | null {
  const lines = keys.map((key) => value.filled(key)).filter((line) => line !== null)
  return lines.length === 0 ? null : lines.join('\n')
}

function partOf(part: JsonNode): ChatgptPart {
  const isSpoken = part.text('content_type') === 'audio_transcription'
  const text = plainText(part.value) ?? (isSpoken ? part.text('text') : null)
  if (text !== null) return textPart(text)
  const attachmentId = part.filled('asset_pointer')
  if (attachmentId !== null) return { type: 'attachment-ref', attachmentId }
  return opaquePart(`chatgpt/${part.filled('content_type') ?? 'unknown'}`, part)
}
