/**
 * OpenAI chat: a request body `{ model, messages: […] }`, a bare list of messages, or
 * JSONL of either, as fine-tuning files have it. Messages stream one by one; what
 * stands behind them in a body is passed over.
 */
import { ChatMessages, chatUsage } from './chat-message.ts'
import { elementMessage } from './element-messages.ts'
import { fieldOf, metaOf } from './json-access.ts'
import { formatPath } from './json-path.ts'
import { parseRaw } from './raw-json.ts'
import type { Choose, JsonElement } from './scan-event.ts'
import { type ReaderInput, scanSource } from './scan-source.ts'
import { timeOf } from './times.ts'
import type { TranscriptConversation, TranscriptItem } from './transcript.ts'

interface Body {
  readonly root: number
  readonly id: string
  readonly chat: ChatMessages
  model: string | null
  begun: boolean
}

export async function* readOpenai(input: ReaderInput): AsyncGenerator<TranscriptItem> {
  let body: Body | null = null
  for await (const event of scanSource(input, chooseMessages)) {
    if (event.kind === 'problem') {
      yield event
      continue
    }
    // What breaks off was reported, and must not begin a conversation without messages.
    if (!event.complete) continue
    if (body?.root !== event.root) body = bodyOf(event.root, input.name ?? 'conversation')
    if (event.path[0] === 'model') {
      body.model = modelOf(event)
      continue
    }
    if (!body.begun) yield conversationOf(body)
    body.begun = true
    const item = messageItem(event, body)
    if (item !== null) yield item
  }
}

const chooseMessages: Choose = (path, opening) => {
  const [first] = path
  if (path.length === 0) return 'enter'
  if (typeof first === 'number') return 'take'
  if (path.length === 1 && first === 'model') return 'take'
  if (path.length === 1 && first === 'messages') return opening === '[' ? 'enter' : 'skip'
  return path.length === 2 ? 'take' : 'skip'
}

function bodyOf(root: number, name: string): Body {
  const id = root === 0 ? name : `${name}#${root + 1}`
  return { root, id, chat: new ChatMessages(), model: null, begun: false }
}

function conversationOf({ id, model }: Body): TranscriptConversation {
  return { kind: 'conversation', id, title: null, parent: null, meta: metaOf({ model }) ?? null }
}

function modelOf(element: JsonElement): string | null {
  const value = parseRaw(element)?.value
  return typeof value === 'string' && value !== '' ? value : null
}

function messageItem(element: JsonElement, body: Body): TranscriptItem | null {
  const key = formatPath(element.path)
  return elementMessage(element, { conversationId: body.id, key }, (value) => {
    const speech = body.chat.read(value, element.text, key)
    if (speech === null) return null
    const createdAt = timeOf(fieldOf(value, 'timestamp'))
    const model = speech.role === 'assistant' ? body.model : null
    return { speech: { ...speech, createdAt }, usage: chatUsage(fieldOf(value, 'usage')), model }
  })
}
