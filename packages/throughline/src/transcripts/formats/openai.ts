/**
 * OpenAI's requests and answers: a body of the chat API or the Responses API, an answer of either, both as
 * `{ request, response }`, a bare list of messages, or JSONL of any of them, as for fine-tuning. Of
 * several choices the first is the answer and the others are branches.
 */
import { elementMessage, RequestBody, readBodies } from '../json/body-messages.ts'
import { type Choose, formatPath, type JsonElement, type JsonPath } from '../json/json-elements.ts'
import { choosePatterns, noNode, parseRaw } from '../json/raw-json.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { messageTime, secondsOf } from '../times.ts'
import { messageItem, type ReportedUsage, type TranscriptItem } from '../transcript.ts'
import { ChatMessages, chatUsage, readAnyForm } from './chat-message.ts'
import { responsesItem } from './responses-item.ts'

export function readOpenai(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readBodies(input, choose, OpenaiBody)
}

/** Wrappers that other tools put around bodies; a batch has two. */
const wrappers = ['request', 'response', 'body']

function bodyPath(path: JsonPath): JsonPath {
  const start = path.findIndex((step) => !wrappers.includes(String(step)))
  return start < 0 ? [] : path.slice(Math.min(start, 2))
}

const choose: Choose = (path, opening) =>
  typeof path[0] === 'number' ? 'take' : chooseInBody(bodyPath(path), opening)

const chooseInBody = choosePatterns(
  ...['model', 'instructions', 'created', 'usage', 'input'].map((field) => [field]),
  ...['messages', 'input', 'output'].map((field) => [field, '[]']),
  // The message of the first choice; the others are only counted.
  ['choices', 0, 'message'],
  ['choices', '[]'],
)

interface Figures {
  readonly createdAt: number | undefined
  readonly usage: ReportedUsage | null
  readonly model: string | null
}

const noFigures: Figures = { createdAt: undefined, usage: null, model: null }

class OpenaiBody extends RequestBody {
  readonly #chat = new ChatMessages()
  /** The answer that waits for its figures, and for a request after it. */
  #answer: JsonElement | null = null
  #usage: ReportedUsage | null = null
  #createdAt: number | undefined
  /** The model of the answer beside the request. */
  #answeredBy: string | null = null
  #otherChoices = 0

  take(element: JsonElement): readonly TranscriptItem[] {
    const [field, ...rest] = bodyPath(element.path)
    switch (field) {
      case 'model':
        this.#setModel(textIn(element) || null, element.path[0] === 'response')
        return []
      case 'instructions':
        return this.system(textIn(element) ?? '', element.line)
      case 'created':
        this.#createdAt = secondsOf(parseRaw(element)?.value)
        return []
      case 'usage':
        this.#usage = chatUsage(parseRaw(element) ?? noNode)
        return []
      case 'choices':
        if (rest[0] === 0) this.#answer = element
        else this.#otherChoices += 1
        return []
      case 'input':
      case 'output':
        return rest.length === 0 ? this.#shortInput(element) : this.#item(element)
      default:
        return this.#chatMessage(element)
    }
  }

  end(): readonly TranscriptItem[] {
    const figures = { createdAt: this.#createdAt, usage: this.#usage, model: this.#answeredBy }
    const answer = this.#answer === null ? [] : this.#chatMessage(this.#answer, figures)
    return [...answer, ...this.release(), ...this.#branches()]
  }

  #setModel(model: string | null, inAnswer: boolean): void {
    if (!inAnswer) this.model = model
    else {
      this.#answeredBy = model
      this.model ??= model
    }
  }

  #branches(): readonly TranscriptItem[] {
    const branch = { kind: 'branch', conversationId: this.id, messages: 1, line: null } as const
    return this.#answer === null ? [] : Array.from({ length: this.#otherChoices }, () => branch)
  }

  #chatMessage(element: JsonElement, answer: Figures = noFigures): readonly TranscriptItem[] {
    const key = formatPath(bodyPath(element.path))
    const item = elementMessage(element, { conversationId: this.id, key }, (value) => {
      const message = readAnyForm(this.#chat, value, key)
      if (message === null) return null
      const createdAt = messageTime(value) ?? answer.createdAt
      const usage = chatUsage(value.field('usage')) ?? answer.usage
      const model = answer.model ?? this.#modelOf(message)
      return { message: { ...message, createdAt }, usage, model }
    })
    return this.deliver(item)
  }

  #item(element: JsonElement): readonly TranscriptItem[] {
    const key = formatPath(bodyPath(element.path))
    const item = elementMessage(element, { conversationId: this.id, key }, (value) => {
      const message = responsesItem(value)
      return message === null ? null : { message, model: this.#modelOf(message) }
    })
    return this.hold(item, element.text.length)
  }

  #shortInput(element: JsonElement): readonly TranscriptItem[] {
    const content = textIn(element)
    if (content === null) return []
    const source = { conversationId: this.id, line: element.line }
    const item = messageItem({ role: 'user', content, key: 'input' }, source)
    return this.hold(item, content.length)
  }

  #modelOf({ role }: { readonly role: string }): string | null {
    return role === 'assistant' ? this.model : null
  }
}

function textIn(element: JsonElement): string | null {
  return parseRaw(element)?.asText ?? null
}
