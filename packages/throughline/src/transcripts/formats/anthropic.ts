/**
 * Anthropic's Messages API: a request body `{ model, system, messages: […] }`, an answer
 * `{ type: 'message', role, content, usage }`, both as `{ request, response }`, a bare list of
 * messages, or JSONL of any of them. Each body is a conversation of its own.
 */
import type { JsonValue } from '../../index.ts'
import {
  type ElementSpeech,
  elementMessage,
  HeldBody,
  RootFields,
  withoutRaw,
} from '../json/body-messages.ts'
import { fieldOf, filledTextOf, isJsonList, textOf } from '../json/json-access.ts'
import { formatPath, type JsonElement, type JsonPath } from '../json/json-elements.ts'
import { choosePatterns, exactTexts, parseRaw } from '../json/raw-json.ts'
import { type ReadDocument, type ReaderInput, readDocuments } from '../json/scan-source.ts'
import { messageTime } from '../times.ts'
import type { TranscriptItem, TranscriptMessage, TranscriptProblem } from '../transcript.ts'
import { anthropicParts, anthropicUsage, userRole } from './anthropic-content.ts'

/** Fields of an answer that stands alone. */
const answerFields = ['id', 'type', 'role', 'content', 'usage']

/** Where the body of a request stands in what others have written around it. */
const wrappers = ['request', 'params']

export function readAnthropic(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readDocuments(input, choose, (root, name) => new Document(root, name))
}

const choose = choosePatterns(
  ['[]'],
  ['response'],
  ...answerFields.map((field) => [field]),
  ...[[], ...wrappers.map((wrapper) => [wrapper])].flatMap((before) => [
    [...before, 'messages', '[]'],
    [...before, 'model'],
    [...before, 'system'],
  ]),
)

function bodyPath(path: JsonPath): JsonPath {
  return wrappers.includes(String(path[0])) ? path.slice(1) : path
}

class Document implements ReadDocument {
  readonly root: number
  readonly #body: HeldBody
  readonly #answer = new RootFields()

  constructor(root: number, name: string) {
    this.root = root
    this.#body = new HeldBody(name, root)
  }

  take(element: JsonElement): readonly TranscriptItem[] {
    const { path, text, line } = element
    const [field] = bodyPath(path)
    if (typeof path[0] === 'number')
      return this.#body.deliver(this.#item(element, formatPath(path)))
    if (field === 'messages' || field === 'response')
      return this.#body.hold(this.#item(element, formatPath(bodyPath(path))), text.length)
    const value = parseRaw(element)?.value
    if (field === 'system') return this.#body.system(systemText(value), line)
    if (field === 'model') this.#body.model = typeof value === 'string' ? value || null : null
    this.#answer.add(String(field), element)
    return []
  }

  end(): readonly TranscriptItem[] {
    const answer = this.#answer.has('role')
      ? this.#item(this.#answer.element(this.root), 'answer')
      : null
    return answer === null ? this.#body.release() : this.#body.deliver(withoutRaw(answer))
  }

  #item(element: JsonElement, key: string): TranscriptMessage | TranscriptProblem | null {
    return elementMessage(element, { conversationId: this.#body.id, key }, (value) =>
      speechOf(value, element.text, this.#body.model),
    )
  }
}

function speechOf(value: JsonValue, text: string, model: string | null): ElementSpeech | null {
  const content = anthropicParts(
    fieldOf(value, 'content'),
    exactTexts(() => text, ['content']),
  )
  const createdAt = messageTime(value)
  switch (textOf(value, 'role')) {
    case 'user':
      return { speech: { role: userRole(content), content, createdAt } }
    case 'system':
      return { speech: { role: 'system', content, createdAt } }
    case 'assistant':
      return {
        speech: { role: 'assistant', content, createdAt },
        usage: anthropicUsage(fieldOf(value, 'usage')),
        model: filledTextOf(value, 'model') ?? model,
      }
    default:
      return null
  }
}

function systemText(system: JsonValue | undefined): string {
  if (typeof system === 'string') return system
  const blocks = isJsonList(system) ? system : []
  const texts = blocks.map((block) => textOf(block, 'text'))
  return texts.filter((text) => text !== null).join('\n\n')
}
