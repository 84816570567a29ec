/**
 * OpenAI's requests and answers: a body of the chat API `{ model, messages: […] }` or of the Responses API
 * `{ model, instructions, input: […] }`, an answer of either, both as `{ request, response }`, a bare
 * list of messages, or JSONL of any of them, as fine-tuning files have it. Messages stream one by
 * one. Of several choices the first is the answer, and the others are ways that were not taken.
 */

import { type ElementSpeech, elementMessage, HeldBody } from '../json/body-messages.ts'
import { type Choose, formatPath, type JsonElement, type JsonPath } from '../json/json-elements.ts'
import { noNode, parseRaw } from '../json/raw-json.ts'
import { type ReadDocument, type ReaderInput, readDocuments } from '../json/scan-source.ts'
import { messageTime, timeOf } from '../times.ts'
import { messageItem, type ReportedUsage, type TranscriptItem } from '../transcript.ts'
import { ChatMessages, chatUsage } from './chat-message.ts'
import { responsesItem } from './responses-item.ts'

export function readOpenai(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readDocuments(input, choose, (root, name) => new Document(root, name))
}

/** Where bodies stand in what others have written around them; that of a batch in both. */
const wrappers: readonly unknown[] = ['request', 'response', 'body']

function bodyPath(path: JsonPath): JsonPath {
  const begins = path.findIndex((step) => !wrappers.includes(step))
  return begins < 0 ? [] : path.slice(Math.min(begins, 2))
}

const choose: Choose = (path, opening) => {
  if (path.length === 0) return 'enter'
  if (typeof path[0] === 'number') return 'take'
  const inBody = bodyPath(path)
  if (inBody.length === 0) return opening === '{' ? 'enter' : 'skip'
  return inBody[0] === 'choices' ? chooseInAnswer(inBody, opening) : chooseInBody(inBody, opening)
}

function chooseInBody([field, ...behind]: JsonPath, opening: string): ReturnType<Choose> {
  if (behind.length > 0) return 'take'
  switch (field) {
    case 'model':
    case 'instructions':
    case 'created':
    case 'usage':
      return 'take'
    case 'messages':
    case 'output':
      return opening === '[' ? 'enter' : 'skip'
    case 'input':
      return opening === '[' ? 'enter' : 'take'
    default:
      return 'skip'
  }
}

function chooseInAnswer([, choice, field]: JsonPath, opening: string): ReturnType<Choose> {
  if (choice === undefined) return opening === '[' ? 'enter' : 'skip'
  if (choice !== 0) return 'take'
  if (field === undefined) return opening === '{' ? 'enter' : 'skip'
  return field === 'message' ? 'take' : 'skip'
}

/** What an answer says of its message beside it. */
interface Figures {
  readonly createdAt: number | undefined
  readonly usage: ReportedUsage | null
  readonly model: string | null
}

const none: Figures = { createdAt: undefined, usage: null, model: null }

class Document implements ReadDocument {
  readonly root: number
  readonly #body: HeldBody
  readonly #chat = new ChatMessages()
  /** It waits for its figures, and for a request that stands behind it. */
  #answer: JsonElement | null = null
  #usage: ReportedUsage | null = null
  #createdAt: number | undefined
  /** The model that has answered, where its answer stands beside the request. */
  #answeredBy: string | null = null
  #otherChoices = 0

  constructor(root: number, name: string) {
    this.root = root
    this.#body = new HeldBody(name, root)
  }

  take(element: JsonElement): readonly TranscriptItem[] {
    const [field, ...behind] = bodyPath(element.path)
    switch (field) {
      case 'model':
        this.#named(textIn(element) || null, element.path[0] === 'response')
        return []
      case 'instructions':
        return this.#body.system(textIn(element) ?? '', element.line)
      case 'created':
        this.#createdAt = secondsIn(element)
        return []
      case 'usage':
        this.#usage = chatUsage(parseRaw(element) ?? noNode)
        return []
      case 'choices':
        if (behind[0] === 0) this.#answer = element
        else this.#otherChoices += 1
        return []
      case 'input':
      case 'output':
        return behind.length === 0 ? this.#shortInput(element) : this.#item(element)
      default:
        return this.#chatMessage(element)
    }
  }

  end(): readonly TranscriptItem[] {
    const figures = { createdAt: this.#createdAt, usage: this.#usage, model: this.#answeredBy }
    const answer = this.#answer === null ? [] : this.#chatMessage(this.#answer, figures)
    return [...answer, ...this.#body.release(), ...this.#branches()]
  }

  #named(model: string | null, inAnswer: boolean): void {
    if (!inAnswer) this.#body.model = model
    else {
      this.#answeredBy = model
      this.#body.model ??= model
    }
  }

  #branches(): readonly TranscriptItem[] {
    const branch = {
      kind: 'branch',
      conversationId: this.#body.id,
      messages: 1,
      line: null,
    } as const
    return this.#answer === null ? [] : Array.from({ length: this.#otherChoices }, () => branch)
  }

  #chatMessage(element: JsonElement, answer: Figures = none): readonly TranscriptItem[] {
    const key = formatPath(bodyPath(element.path))
    const item = elementMessage(element, { conversationId: this.#body.id, key }, (value) => {
      const speech = this.#chat.read(value, key)
      if (speech === null) return null
      const createdAt = messageTime(value) ?? answer.createdAt
      const usage = chatUsage(value.field('usage')) ?? answer.usage
      const model = answer.model ?? this.#modelOf(speech)
      return { speech: { ...speech, createdAt }, usage, model }
    })
    return this.#body.deliver(item)
  }

  #item(element: JsonElement): readonly TranscriptItem[] {
    const key = formatPath(bodyPath(element.path))
    const item = elementMessage(element, { conversationId: this.#body.id, key }, (value) => {
      const speech = responsesItem(value)
      return speech === null ? null : { speech, model: this.#modelOf(speech) }
    })
    return this.#body.hold(item, element.text.length)
  }

  #shortInput(element: JsonElement): readonly TranscriptItem[] {
    const content = textIn(element)
    if (content === null) return []
    const place = { conversationId: this.#body.id, line: element.line }
    const item = messageItem({ role: 'user', content, key: 'input' }, place)
    return this.#body.hold(item, content.length)
  }

  #modelOf({ role }: Pick<ElementSpeech['speech'], 'role'>): string | null {
    return role === 'assistant' ? this.#body.model : null
  }
}

/** Answers of the chat API count in seconds. */
function secondsIn(element: JsonElement): number | undefined {
  const value = parseRaw(element)?.value
  return typeof value === 'number' ? timeOf(value * 1_000) : undefined
}

function textIn(element: JsonElement): string | null {
  return parseRaw(element)?.asText ?? null
}
