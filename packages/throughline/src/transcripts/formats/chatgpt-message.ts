/**
 * One message of ChatGPT's export as ours.
 *
 * A message of the assistant that goes to somebody else than `all` is a call of that tool; what
 * a tool says behind it is the result. Messages with nothing in them hold a place in the tree.
 */
import type { JsonObject, JsonValue, MessageInput, PartInput } from '../../index.ts'
import { textPart, toolOutput } from '../content-parts.ts'
import { fieldOf, filledTextOf, metaOf, textOf } from '../json/json-access.ts'
import { type ChatgptPart, chatgptParts } from './chatgpt-content.ts'

type Speech = Pick<MessageInput, 'role' | 'content' | 'author' | 'meta'>

interface MessagePlace {
  readonly key: string
  readonly open: OpenToolCall
}

/** The newest call that has no result yet, within one conversation. */
export class OpenToolCall {
  #callId: string | null = null

  begin(callId: string): void {
    this.#callId = callId
  }

  /** The call that a result answers: where there is none, the result stands for itself. */
  answeredBy(resultId: string): string {
    const callId = this.#callId ?? resultId
    this.#callId = null
    return callId
  }
}

/** `exact` gives the text of the message as it stands in the file. */
export function chatgptSpeech(
  message: JsonObject,
  exact: () => string,
  { key, open }: MessagePlace,
): Speech | 'empty' | 'unknown' {
  const author = fieldOf(message, 'author')
  const content = fieldOf(message, 'content')
  const parts = chatgptParts(content, exact)
  switch (textOf(author, 'role')) {
    case 'system': {
      const told = [...parts, ...instructionsIn(fieldOf(message, 'metadata'))]
      return filled({ role: 'system', content: told })
    }
    case 'user':
      // What a person wants of every answer, put before the conversation.
      if (textOf(content, 'content_type') === 'user_editable_context')
        return filled({ role: 'system', content: parts, meta: { customInstructions: true } })
      return filled({
        role: 'user',
        content: parts,
        author: filledTextOf(author, 'name') ?? undefined,
      })
    case 'assistant': {
      const recipient = filledTextOf(message, 'recipient') ?? 'all'
      if (recipient === 'all') return filled({ role: 'assistant', content: parts })
      open.begin(key)
      return { role: 'assistant', content: [callPart(parts, recipient, key)] }
    }
    case 'tool':
      return { role: 'tool', content: [resultPart(message, parts, open.answeredBy(key))] }
    default:
      return 'unknown'
  }
}

function filled(speech: Speech & { readonly content: readonly PartInput[] }): Speech | 'empty' {
  const content = speech.content.filter((part) => part.type !== 'text' || part.text !== '')
  return content.length === 0 ? 'empty' : { ...speech, content }
}

/** Custom instructions as older exports have them: beside a message without words. */
function instructionsIn(metadata: JsonValue | undefined): readonly PartInput[] {
  const data = fieldOf(metadata, 'user_context_message_data')
  const texts = ['about_user_message', 'about_model_message'].map((key) => filledTextOf(data, key))
  return texts.filter((text) => text !== null).map(textPart)
}

function callPart(parts: readonly ChatgptPart[], name: string, callId: string): PartInput {
  const input = parts.map((part) => ('text' in part ? part.text : '')).join('\n')
  return {
    type: 'tool-call',
    callId,
    name,
    input: isJsonText(input) ? input : JSON.stringify(input),
  }
}

/** Most tools are given JSON, and some a program or a question. */
function isJsonText(text: string): boolean {
  if (!text.startsWith('{')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function resultPart(message: JsonObject, parts: readonly ChatgptPart[], callId: string): PartInput {
  const content = fieldOf(message, 'content')
  return {
    type: 'tool-result',
    callId,
    name: filledTextOf(fieldOf(message, 'author'), 'name') ?? undefined,
    output: toolOutput(parts.map(asOutput)),
    isError: textOf(content, 'content_type') === 'system_error',
    metadata: metaOf({ title: filledTextOf(content, 'title') }),
  }
}

/** Results hold texts, files and what we do not know. */
function asOutput(part: ChatgptPart) {
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
