/** What a message says and what a tool gave, in the form of responses. */
import type { ContextMessage } from '../../domain/context.ts'
import type { JsonObject } from '../../domain/json.ts'
import type { FilePart, Part, Role, TextPart, ToolResultPart } from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { fileText, outputText, wordsOf } from '../plain-text.ts'
import { ownBlock } from '../unknown-json.ts'
import { audioFormatOf, documentType, isPicture, storedData, toDataUrl } from './content.ts'
import { factsOf, keptFields, wireOf } from './notes.ts'
import { outputParts, userParts } from './responses-rules.ts'
import { isSoundPart, type PartRules } from './rules.ts'
import { nullFields } from './tools.ts'

type Content = string | readonly JsonObject[]

/** Text where one text is all that there is and it came so; null where nothing is left. */
export function messageContent(
  { role, author, parts }: ContextMessage,
  files: Files,
): Content | null {
  const blocks = parts
    .map((part) => contentBlock(part, role, files))
    .filter((block) => block !== null)
  const listed = wireOf(parts[0]?.metadata, 'responses')['content'] === 'parts'
  return shortest(role === 'user' ? spokenBy(author, blocks) : blocks, listed)
}

function shortest(blocks: readonly JsonObject[], listed: boolean): Content | null {
  const [only] = blocks
  if (only === undefined) return null
  const { text } = only
  return blocks.length === 1 && !listed && typeof text === 'string' ? text : blocks
}

/** There is no field for a name; who spoke is said before the first words. */
function spokenBy(author: string | null, blocks: readonly JsonObject[]): readonly JsonObject[] {
  const place = blocks.findIndex((block) => typeof block['text'] === 'string')
  if (author === null || place === -1) return blocks
  return blocks.map((block, index) =>
    index === place ? { ...block, text: `${author}: ${String(block['text'])}` } : block,
  )
}

function contentBlock(part: Part, role: Role, files: Files): JsonObject | null {
  const type = role === 'assistant' ? 'output_text' : 'input_text'
  switch (part.type) {
    case 'text':
      return textBlock(part, type)
    case 'file':
      return (role === 'user' ? fileBlock(part, files) : null) ?? { type, text: fileText(part) }
    case 'resource-excerpt':
    case 'attachment-ref':
      return { type, text: wordsOf(part) ?? '' }
    case 'opaque':
      return role === 'user' ? opaqueBlock(part, userParts) : null
    case 'reasoning':
    case 'tool-call':
    case 'tool-result':
      return null
  }
}

function textBlock(part: TextPart, type: 'input_text' | 'output_text'): JsonObject {
  const { extra } = wireOf(part.metadata, 'responses')
  if (factsOf(part.metadata)['refusal'] === true && type === 'output_text')
    return { ...keptFields(extra, ['type', 'refusal']), type: 'refusal', refusal: part.text }
  return { ...keptFields(extra, ['type', 'text']), type, text: part.text }
}

function opaqueBlock(
  part: { readonly kind: string; readonly json: string },
  rules: PartRules,
): JsonObject | null {
  const block = ownBlock(part, 'openai')
  return block !== null && isSoundPart(block, rules) ? block : null
}

/** Null for a file of a kind that is not taken, or whose bytes are not at hand. */
function fileBlock(part: FilePart, files: Files): JsonObject | null {
  const { mediaType, source } = part
  const wire = wireOf(part.metadata, 'responses')
  if (wire['block'] === 'input_file' || mediaType === documentType)
    return documentBlock(part, files)
  const extra = keptFields(wire['extra'], ['type', 'image_url', 'input_audio'])
  const detail = wire['block'] === 'input_image' ? {} : { detail: 'auto' }
  if (source.kind === 'url')
    return mediaType.startsWith('image/') && !source.url.startsWith('data:')
      ? { ...detail, ...extra, type: 'input_image', image_url: source.url }
      : null
  const data = storedData(part, files)
  if (data === null) return null
  if (isPicture(mediaType))
    return { ...detail, ...extra, type: 'input_image', image_url: toDataUrl({ mediaType, data }) }
  const format = audioFormatOf(mediaType)
  if (format === null) return null
  const inner = keptFields(wire['inner'], ['data', 'format'])
  return { ...extra, type: 'input_audio', input_audio: { ...inner, data, format } }
}

function documentBlock(part: FilePart, files: Files): JsonObject | null {
  const { mediaType, source, name } = part
  const { block, extra } = wireOf(part.metadata, 'responses')
  const fields = {
    ...keptFields(extra, ['type', 'file_data', 'file_url', 'file_id']),
    type: 'input_file',
    ...(name === null ? {} : { filename: name }),
  }
  const none = nullFields(extra, ['file_data', 'file_url', 'file_id'])
  if (source.kind === 'url') return { ...fields, ...none, file_url: source.url }
  const data = storedData(part, files)
  if (data === null) return null
  const named = name === null && block !== 'input_file' ? { filename: 'file.pdf' } : {}
  return { ...fields, ...named, ...none, file_data: toDataUrl({ mediaType, data }) }
}

/** Results may show pictures here; other parts of them are text. */
export function outputContent({ output, metadata }: ToolResultPart, files: Files): Content {
  if (output.kind !== 'parts') return outputText(output)
  const blocks = output.parts
    .map((part) => outputBlock(part, files))
    .filter((block) => block !== null)
  const listed = wireOf(metadata, 'responses')['content'] === 'parts'
  const shown = blocks.some((block) => typeof block['text'] !== 'string')
  return blocks.length > 0 && (listed || shown) ? blocks : outputText(output)
}

function outputBlock(
  part: Extract<ToolResultPart['output'], { kind: 'parts' }>['parts'][number],
  files: Files,
): JsonObject | null {
  if (part.type === 'opaque') return opaqueBlock(part, outputParts)
  const block = contentBlock(part, 'user', files)
  return block?.['type'] === 'input_audio' && part.type === 'file'
    ? { type: 'input_text', text: fileText(part) }
    : block
}
