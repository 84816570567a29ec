/**
 * OpenAI's requests: a body of the chat API `{ model, messages: […] }` or of the Responses API
 * `{ model, instructions, input: […] }`, an answer of that one, a bare list of messages, or
 * JSONL of any of them, as fine-tuning files have it. Messages stream one by one; what
 * stands behind them in a body is passed over.
 */

import { type ElementSpeech, elementMessage } from '../json/element-messages.ts'
import { HeldBody } from '../json/held-body.ts'
import { fieldOf } from '../json/json-access.ts'
import { formatPath } from '../json/json-path.ts'
import { parseRaw } from '../json/raw-json.ts'
import { type ReadDocument, readDocuments } from '../json/read-documents.ts'
import type { Choose, JsonElement } from '../json/scan-event.ts'
import type { ReaderInput } from '../json/scan-source.ts'
import { timeOf } from '../times.ts'
import type { TranscriptItem } from '../transcript.ts'
import { ChatMessages, chatUsage } from './chat-message.ts'
import { responsesItem } from './responses-item.ts'

export function readOpenai(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  return readDocuments(input, choose, (root, name) => new Document(root, name))
}

const choose: Choose = (path, opening) => {
  const [first] = path
  if (path.length === 0) return 'enter'
  if (typeof first === 'number') return 'take'
  if (path.length === 2) return 'take'
  switch (first) {
    case 'model':
    case 'instructions':
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

class Document implements ReadDocument {
  readonly root: number
  readonly #body: HeldBody
  readonly #chat = new ChatMessages()

  constructor(root: number, name: string) {
    this.root = root
    this.#body = new HeldBody(root === 0 ? name : `${name}#${root + 1}`)
  }

  take(element: JsonElement): readonly TranscriptItem[] {
    const { path, line } = element
    const [field] = path
    if (field === 'model') {
      this.#body.model = textIn(element) || null
      return []
    }
    if (field === 'instructions') return this.#body.system(textIn(element) ?? '', line)
    if (field !== 'input' && field !== 'output') return this.#chatMessage(element)
    return path.length === 1 ? this.#shortInput(element) : this.#item(element)
  }

  end(): readonly TranscriptItem[] {
    return this.#body.release()
  }

  #chatMessage(element: JsonElement): readonly TranscriptItem[] {
    const key = formatPath(element.path)
    const item = elementMessage(element, { conversationId: this.#body.id, key }, (value) => {
      const speech = this.#chat.read(value, element.text, key)
      if (speech === null) return null
      const createdAt = timeOf(fieldOf(value, 'timestamp'))
      const usage = chatUsage(fieldOf(value, 'usage'))
      return { speech: { ...speech, createdAt }, usage, model: this.#modelOf(speech) }
    })
    return item === null ? [] : this.#body.deliver(item)
  }

  #item(element: JsonElement): readonly TranscriptItem[] {
    const key = formatPath(element.path)
    const item = elementMessage(element, { conversationId: this.#body.id, key }, (value) => {
      const speech = responsesItem(value, () => element.text)
      return speech === null ? null : { speech, model: this.#modelOf(speech) }
    })
    return item === null ? [] : this.#body.hold(item, element.text.length)
  }

  #shortInput(element: JsonElement): readonly TranscriptItem[] {
    const content = textIn(element)
    if (content === null) return []
    const message = { role: 'user', content, key: 'input' } as const
    const place = { conversationId: this.#body.id, line: element.line }
    return this.#body.hold(
      { kind: 'message', ...place, message, usage: null, model: null },
      content.length,
    )
  }

  #modelOf({ role }: Pick<ElementSpeech['speech'], 'role'>): string | null {
    return role === 'assistant' ? this.#body.model : null
  }
}

function textIn(element: JsonElement): string | null {
  const value = parseRaw(element)?.value
  return typeof value === 'string' ? value : null
}
