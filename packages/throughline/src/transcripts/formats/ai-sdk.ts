/**
 * UI messages of the AI SDK: a list, `{ id, messages: […] }`, or one on each line. A message of the
 * assistant holds a whole run, so it becomes one message for each step and one for its tool results.
 */
import { uiMessageFields } from '../formats-data.ts'
import { RootFields } from '../json/body-messages.ts'
import { metaOf, plainText } from '../json/json-access.ts'
import { formatPath, type JsonElement } from '../json/json-elements.ts'
import { choosePatterns, elementsOf, fieldsOf, parseRaw, valueIn } from '../json/raw-json.ts'
import { type ReaderInput, readElements } from '../json/scan-source.ts'
import { UniqueNames } from '../names.ts'
import { timeOf } from '../times.ts'
import { conversationItem, messageItem, problemItem, type TranscriptItem } from '../transcript.ts'
import { parseUiMessage } from './ai-sdk-message.ts'

export async function* readAiSdk(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  const chats = new Chats(input.name ?? 'conversation')
  const isLines = input.layout === 'lines'
  yield* readElements(input, isLines ? () => 'take' : choose, (element) =>
    isLines ? chats.readLine(element) : chats.readElement(element),
  )
  yield* chats.end()
}

const choose = choosePatterns(
  ['[]'],
  ['messages', '[]'],
  ...['messages', 'id', 'title', ...uiMessageFields].map((field) => [field]),
)

interface Chat {
  readonly id: string
  readonly title: string | null
  isStarted: boolean
}

class Chats {
  readonly #name: string
  readonly #ids = new UniqueNames()
  #root: number | null = null
  #fields = new RootFields()
  #chat: Chat | null = null
  /** The chat that collects the messages of a file with one message per line. */
  #lineChat: Chat | null = null

  constructor(name: string) {
    this.#name = name
  }

  /** An element of a document that is a chat or a list of messages. */
  *readElement(element: JsonElement): Generator<TranscriptItem> {
    if (this.#root !== element.root) yield* this.end()
    this.#root = element.root
    const [field] = element.path
    if (typeof field === 'string' && field !== 'messages') {
      this.#fields.add(field, element)
      return
    }
    this.#chat ??= this.#begin(this.#fields.text('id'), this.#fields.text('title'))
    yield* messageItems(element, formatPath(element.path), this.#chat)
  }

  /** The document may have been a message itself. */
  *end(): Generator<TranscriptItem> {
    if (this.#chat === null && this.#fields.has('role') && this.#root !== null)
      yield* this.#lineItems(this.#fields.element(this.#root))
    this.#fields = new RootFields()
    this.#chat = null
  }

  /** A line is a message, or a chat of its own. */
  *readLine(element: JsonElement): Generator<TranscriptItem> {
    if (element.text.startsWith('[')) {
      yield* this.#listItems(element, this.#begin(null, null), '')
      return
    }
    const { fields, problems } = fieldsOf(element)
    yield* problems
    if (!fields.has('messages')) {
      yield* this.#lineItems(element)
      return
    }
    const [id, title] = ['id', 'title'].map((key) => plainText(valueIn(fields, key)))
    const chat = this.#begin(id ?? null, title ?? null)
    const messages = fields.get('messages')
    if (messages !== undefined) yield* this.#listItems(messages, chat, 'messages')
  }

  *#listItems(
    list: Pick<JsonElement, 'text' | 'line' | 'complete'>,
    chat: Chat,
    path: string,
  ): Generator<TranscriptItem> {
    const { elements, problems } = elementsOf(list)
    for (const element of elements)
      yield* messageItems(element, `${path}${formatPath(element.path)}`, chat)
    yield* problems
  }

  *#lineItems(element: JsonElement): Generator<TranscriptItem> {
    this.#lineChat ??= this.#begin(null, null)
    yield* messageItems(element, `line:${element.line}`, this.#lineChat)
  }

  #begin(id: string | null, title: string | null): Chat {
    return { id: this.#ids.take(id || this.#name), title: title || null, isStarted: false }
  }
}

function* messageItems(element: JsonElement, path: string, chat: Chat): Generator<TranscriptItem> {
  const { line, complete } = element
  if (!complete) return
  const value = parseRaw(element)
  const messages = value?.isObject ? parseUiMessage(value) : null
  if (value === null || messages === null) {
    const reason = value === null ? 'is not valid JSON' : 'is not a known kind of message'
    yield problemItem(line, `${path} ${reason}`)
    return
  }
  if (!chat.isStarted && messages.length > 0) {
    yield conversationItem(chat.id, chat)
    chat.isStarted = true
  }
  const id = value.filled('id') ?? path
  const metadata = value.field('metadata')
  const createdAt = timeOf(value.get('createdAt') ?? metadata.get('createdAt'))
  const meta = metaOf({ metadata: metadata.value })
  for (const [index, message] of messages.entries()) {
    const key = index === 0 ? id : `${id}/${index}`
    yield messageItem({ ...message, key, createdAt, meta }, { conversationId: chat.id, line })
  }
}
