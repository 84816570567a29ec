/**
 * Anthropic's Messages API: a request body `{ model, system, messages: […] }`, an answer
 * `{ type: 'message', role, content, usage }`, both as `{ request, response }`, a bare list of
 * messages, or JSONL of any of them. Each body is a conversation of its own.
 */
import { type ElementSpeech, elementMessage, HeldBody, RootFields } from '../json/body-messages.ts'
import { formatPath, type JsonElement, type JsonPath } from '../json/json-elements.ts'
import { choosePatterns, type JsonNode, parseRaw } from '../json/raw-json.ts'
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
    const value = parseRaw(element)
    if (field === 'system') return this.#body.system(systemText(value), line)
    if (field === 'model') this.#body.model = value?.asText || null
    this.#answer.add(String(field), element)
    return []
  }

  end(): readonly TranscriptItem[] {
    if (!this.#answer.has('role')) return this.#body.release()
    const answer = this.#item(this.#answer.element(this.root), 'answer')
    return answer === null ? this.#body.release() : this.#body.deliver(withoutRaw(answer))
  }

  #item(element: JsonElement, key: string): TranscriptMessage | TranscriptProblem | null {
    return elementMessage(element, { conversationId: this.#body.id, key }, (value) =>
      speechOf(value, this.#body.model),
    )
  }
}

/** What was put together is not the text of the file. */
function withoutRaw(item: TranscriptMessage | TranscriptProblem) {
  if (item.kind === 'problem') return item
  return { ...item, message: { ...item.message, raw: undefined } }
}

function speechOf(value: JsonNode, model: string | null): ElementSpeech | null {
  const content = anthropicParts(value.field('content'))
  const createdAt = messageTime(value)
  switch (value.text('role')) {
    case 'user':
      return { speech: { role: userRole(content), content, createdAt } }
    case 'system':
      return { speech: { role: 'system', content, createdAt } }
    case 'assistant':
      return {
        speech: { role: 'assistant', content, createdAt },
        usage: anthropicUsage(value.field('usage')),
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
