/**
 * Anthropic's Messages API: a request body, an answer, both as `{ request, response }`, a bare list of
 * messages, or JSONL of any of them. Each body is a conversation of its own.
 */
import {
  type BodyItem,
  elementMessage,
  type ParsedElement,
  RequestBody,
  RootFields,
  readBodies,
} from '../json/body-messages.ts'
import { formatPath, type JsonElement, type JsonPath } from '../json/json-elements.ts'
import { choosePatterns, type JsonNode, parseRaw } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { messageTime } from '../times.ts'
import { type TranscriptItem, usageIn } from '../transcript.ts'
import { anthropicParts, userRole } from './anthropic-content.ts'

const answerFields = ['id', 'type', 'role', 'content', 'usage']

/** Wrappers that other tools put around a request body. */
const wrappers = ['request', 'params']

export function readAnthropic(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readBodies(input, choose, AnthropicBody)
}

const choose = choosePatterns(
  ['[]'],
  ['response'],
  ...answerFields.map((field) => [field]),
  ...[[], ...wrappers.map((name) => [name])].flatMap((wrapper) => [
    [...wrapper, 'messages', '[]'],
    [...wrapper, 'model'],
    [...wrapper, 'system'],
  ]),
)

function bodyPath(path: JsonPath): JsonPath {
  return wrappers.includes(String(path[0])) ? path.slice(1) : path
}

class AnthropicBody extends RequestBody {
  readonly #answer = new RootFields()

  take(element: JsonElement): readonly TranscriptItem[] {
    const { path, text, line } = element
    const [field] = bodyPath(path)
    if (typeof path[0] === 'number') return this.deliver(this.#item(element, formatPath(path)))
    if (field === 'messages' || field === 'response')
      return this.hold(this.#item(element, formatPath(bodyPath(path))), text.length)
    const value = parseRaw(element)
    if (field === 'system') return this.system(systemText(value), line)
    if (field === 'model') this.model = value?.asText || null
    this.#answer.add(String(field), element)
    return []
  }

  end(): readonly TranscriptItem[] {
    if (!this.#answer.has('role')) return this.release()
    const answer = this.#item(this.#answer.element(this.root), 'answer')
    return answer === null ? this.release() : this.deliver(withoutRaw(answer))
  }

  #item(element: JsonElement, key: string): BodyItem | null {
    return elementMessage(element, { conversationId: this.id, key }, (value) =>
      parseElement(value, this.model),
    )
  }
}

/** A reassembled message is not the text of the file. */
function withoutRaw(item: BodyItem) {
  if (item.kind === 'problem') return item
  return { ...item, message: { ...item.message, raw: undefined } }
}

function parseElement(value: JsonNode, model: string | null): ParsedElement | null {
  const content = anthropicParts(value.field('content'))
  const createdAt = messageTime(value)
  switch (value.text('role')) {
    case 'user':
      return { message: { role: userRole(content), content, createdAt } }
    case 'system':
      return { message: { role: 'system', content, createdAt } }
    case 'assistant':
      return {
        message: { role: 'assistant', content, createdAt },
        usage: usageIn(value.field('usage'), 'anthropic'),
        model: value.filled('model') ?? model,
      }
    default:
      return null
  }
}

function systemText(system: JsonNode | null): string {
  const texts = system?.items.map((block) => block.text('text')) ?? []
  return system?.asText ?? texts.filter((text) => text !== null).join('\n\n')
}
