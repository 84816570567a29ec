/**
 * The conversation of one request body. The system prompt is part of the conversation item, which
 * is emitted first. Many clients write it after the messages, so those wait for it, within bounds.
 */
import type { MessageInput } from '../../index.ts'
import { limits } from '../limits-data.ts'
import {
  conversationItem,
  messageItem,
  problemItem,
  type ReportedUsage,
  type TranscriptItem,
  type TranscriptMessage,
  type TranscriptProblem,
} from '../transcript.ts'
import { metaOf } from './json-access.ts'
import type { Choose, JsonElement } from './json-elements.ts'
import { type JsonNode, parseRaw, type RawJson } from './raw-json.ts'
import { type ReaderInput, readElements } from './scan-source.ts'

export async function* readBodies(
  input: ReaderInput,
  choose: Choose,
  Body: new (root: number, name: string) => RequestBody,
): AsyncGenerator<TranscriptItem> {
  let body: RequestBody | null = null
  yield* readElements(input, choose, function* (element) {
    if (body?.root !== element.root) {
      if (body !== null) yield* body.end()
      body = new Body(element.root, input.name ?? 'conversation')
    }
    yield* body.take(element)
  })
  if (body !== null) yield* (body as RequestBody).end()
}

export type BodyItem = TranscriptMessage | TranscriptProblem

export abstract class RequestBody {
  /** The index of its document in the source. */
  readonly root: number
  readonly id: string
  protected model: string | null = null
  readonly #held: BodyItem[] = []
  #heldLength = 0
  #system: string | null = null
  #isStarted = false

  constructor(root: number, name: string) {
    this.root = root
    this.id = root === 0 ? name : `${name}#${root + 1}`
  }

  abstract take(element: JsonElement): readonly TranscriptItem[]
  abstract end(): readonly TranscriptItem[]

  /** Emits an item now, with all that waits. */
  protected deliver(item: BodyItem | null): readonly TranscriptItem[] {
    if (item === null) return []
    this.#held.push(item)
    return this.release()
  }

  /** Holds an item until the system prompt comes. `length` is that of its text. */
  protected hold(item: BodyItem | null, length: number): readonly TranscriptItem[] {
    if (item === null) return []
    this.#held.push(item)
    this.#heldLength += length
    const isSettled =
      this.#isStarted || this.#system !== null || this.#heldLength > limits.heldBodyLength
    return isSettled ? this.release() : []
  }

  protected system(text: string, line: number): readonly TranscriptItem[] {
    if (text === '') return []
    if (this.#isStarted)
      return [problemItem(line, 'the system prompt is too far after the messages')]
    this.#system = text
    return this.release()
  }

  /** Emits what is held, after its conversation. */
  protected release(): readonly TranscriptItem[] {
    const items = this.#held.splice(0)
    this.#heldLength = 0
    if (this.#isStarted || !items.some(({ kind }) => kind === 'message')) return items
    this.#isStarted = true
    const meta = metaOf({ model: this.model, system: this.#system })
    return [conversationItem(this.id, { meta }), ...items]
  }
}

/** A message read from an element of a document. */
export interface ParsedElement {
  readonly message: Omit<MessageInput, 'key' | 'raw'>
  readonly usage?: ReportedUsage | null
  readonly model?: string | null
}

interface ElementPlace {
  readonly conversationId: string
  readonly key: string
  /** The element's name in a problem; the key unless set. */
  readonly path?: string
}

export function elementMessage(
  element: RawJson,
  { conversationId, key, path = key }: ElementPlace,
  read: (value: JsonNode) => ParsedElement | null,
): BodyItem | null {
  // An incomplete element was reported where the text ended.
  if (!element.complete) return null
  const { line, text } = element
  const parsed = parseRaw(element)
  if (parsed === null) return problemItem(line, `${path} is not valid JSON`)
  const found = parsed.isObject ? read(parsed) : null
  if (found === null) return problemItem(line, `${path} is not a known kind of message`)
  const { message, usage, model } = found
  return messageItem({ ...message, key, raw: text }, { conversationId, line, usage, model })
}

/** A document that turns out to be a message: it was entered as a possible long list. */
export class RootFields {
  readonly #fields = new Map<string, JsonElement>()

  add(field: string, element: JsonElement): void {
    this.#fields.set(field, element)
  }

  has(field: string): boolean {
    return this.#fields.has(field)
  }

  text(field: string): string | null {
    return parseRaw(this.#fields.get(field))?.asText ?? null
  }

  /** An object of the fields, in their order. */
  element(root: number): JsonElement {
    const [first] = this.#fields.values()
    const fields = [...this.#fields].map(([key, { text }]) => `${JSON.stringify(key)}:${text}`)
    const text = `{${fields.join(',')}}`
    return { kind: 'element', path: [], text, line: first?.line ?? 1, root, complete: true }
  }
}
