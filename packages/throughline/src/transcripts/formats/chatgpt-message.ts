/**
 * One message of ChatGPT's export as ours.
 *
 * A message of the assistant that goes to somebody else than `all` is a call of that tool; what
 * a tool says behind it is the result. Messages with nothing in them hold a place in the tree.
 */
import type {
  JsonObject,
  JsonValue,
  MessageInput,
  OpaqueInput,
  PartInput,
  TextInput,
} from '../../index.ts'
import { opaquePart, textPart, toolOutput } from '../content-parts.ts'
import { fieldOf, filledTextOf, listOf, metaOf, plainText, textOf } from '../json/json-access.ts'
import { exactTexts, textsAt } from '../json/raw-json.ts'

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

/** Content of a message of ChatGPT's export as our parts. Pictures and sounds are only named there. */
type ChatgptPart =
  | TextInput
  | OpaqueInput
  | Extract<PartInput, { readonly type: 'reasoning' | 'attachment-ref' }>

/** `exact` gives the text of the message that the content belongs to. */
function chatgptParts(content: JsonValue | undefined, exact: () => string): ChatgptPart[] {
  const type = filledTextOf(content, 'content_type') ?? 'unknown'
  switch (type) {
    case 'text':
    case 'multimodal_text': {
      const piece = exactTexts(exact, ['content', 'parts'])
      return listOf(content, 'parts').map((part, index) => partOf(part, () => piece(index)))
    }
    case 'code':
    case 'execution_output':
    case 'system_error':
      return texts(textOf(content, 'text'))
    case 'tether_browsing_display':
      return texts(filledTextOf(content, 'result') ?? textOf(content, 'summary'))
    case 'tether_quote':
      return texts(joined(content, ['title', 'url', 'text']))
    case 'thoughts':
      return listOf(content, 'thoughts').map((thought) => {
        const text = joined(thought, ['summary', 'content']) ?? ''
        return { type: 'reasoning', text }
      })
    case 'reasoning_recap':
      return [{ type: 'reasoning', text: textOf(content, 'content') ?? '' }]
    case 'user_editable_context':
      return texts(joined(content, ['user_profile', 'user_instructions']))
    case 'model_editable_context':
      return texts(textOf(content, 'model_set_context'))
    default:
      return [opaquePart(`chatgpt/${type}`, textsAt(exact(), ['content']).get('content') ?? 'null')]
  }
}

function texts(text: string | null): ChatgptPart[] {
  return text === null ? [] : [textPart(text)]
}

function joined(value: JsonValue | undefined, keys: readonly string[]): string | null {
  const lines = keys.map((key) => filledTextOf(value, key)).filter((line) => line !== null)
  return lines.length === 0 ? null : lines.join('\n')
}

function partOf(part: JsonValue, exact: () => string): ChatgptPart {
  const text = plainText(part) ?? spokenText(part)
  if (text !== null) return textPart(text)
  const attachmentId = filledTextOf(part, 'asset_pointer')
  if (attachmentId !== null) return { type: 'attachment-ref', attachmentId }
  return opaquePart(`chatgpt/${filledTextOf(part, 'content_type') ?? 'unknown'}`, exact())
}

/** What was said aloud. */
function spokenText(part: JsonValue): string | null {
  return textOf(part, 'content_type') === 'audio_transcription' ? textOf(part, 'text') : null
}
