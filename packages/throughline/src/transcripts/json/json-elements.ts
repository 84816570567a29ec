/**
 * Finds values in a JSON text that arrives in pieces, and hands out the exact text
 * of those that are wanted; nothing else is kept.
 *
 * One state machine over the characters, linear in their number. At the start of
 * each value it asks `choose`: take it whole, enter it (an object or array), or pass
 * over it. Memory is one taken value. Several documents may follow each other.
 *
 * The machine checks the structure only where it enters; a taken value is checked by
 * whoever parses it. So a value that is broken inside costs that value, and the next
 * one is found.
 */
import { maximumDepth, OpenValue } from './open-value.ts'

interface Frame {
  readonly array: boolean
  key: string | number
}

type Expect = 'root' | 'value' | 'value-or-end' | 'key' | 'key-or-end' | 'colon' | 'comma-or-end'

interface ScannerOptions {
  readonly choose: Choose
  readonly firstLine?: number | undefined
  readonly firstRoot?: number | undefined
}

export class JsonElementScanner {
  readonly #choose: Choose
  readonly #frames: Frame[] = []
  #expect: Expect = 'root'
  #open: OpenValue | null = null
  #events: ScanEvent[] = []
  #line: number
  #nextRoot: number
  #broken = false

  constructor(options: ScannerOptions) {
    this.#choose = options.choose
    this.#line = options.firstLine ?? 1
    this.#nextRoot = options.firstRoot ?? 0
  }

  /** The number that the next document would have. */
  get nextRoot(): number {
    return this.#nextRoot
  }

  push(chunk: string): readonly ScanEvent[] {
    this.#events = []
    let at = 0
    while (at < chunk.length && !this.#broken)
      at =
        this.#open === null ? this.#readStructure(chunk, at) : this.#readOpen(this.#open, chunk, at)
    return this.#events
  }

  end(): readonly ScanEvent[] {
    this.#events = []
    const open = this.#open
    if (this.#broken || (open === null && this.#frames.length === 0)) return this.#events
    if (open?.choice === 'take' && open.refusal === null) this.#emit(open, false)
    this.#line += open?.lineBreaks ?? 0
    this.#fail(`the text ends inside ${this.#place()}`)
    return this.#events
  }

  /** One character between values; returns where to go on. */
  #readStructure(chunk: string, at: number): number {
    const character = chunk.charAt(at)
    if (character === '\n') this.#line += 1
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t')
      return at + 1
    switch (this.#expect) {
      case 'root':
        if (character === '{' || character === '[') return this.#beginValue(character, at)
        return this.#stray(character, 'an object or an array')
      case 'value-or-end':
        return character === ']' ? this.#leave(at) : this.#beginValue(character, at)
      case 'value':
        return this.#beginValue(character, at)
      case 'key-or-end':
        return character === '}' ? this.#leave(at) : this.#beginKey(character, at)
      case 'key':
        return this.#beginKey(character, at)
      case 'colon':
        if (character !== ':') return this.#stray(character, 'a colon')
        this.#expect = 'value'
        return at + 1
      case 'comma-or-end':
        return this.#readSeparator(character, at)
    }
  }

  #readSeparator(character: string, at: number): number {
    const frame = this.#frames.at(-1)
    if (frame === undefined) return this.#stray(character, 'nothing more')
    if (character === (frame.array ? ']' : '}')) return this.#leave(at)
    if (character !== ',') return this.#stray(character, 'a comma')
    if (typeof frame.key === 'number') frame.key += 1
    this.#expect = frame.array ? 'value' : 'key'
    return at + 1
  }

  #beginKey(character: string, at: number): number {
    if (character !== '"') return this.#stray(character, 'a key in quotes')
    this.#open = new OpenValue('key', this.#line, character)
    return at
  }

  #beginValue(character: string, at: number): number {
    if (character === ',' || character === ':' || character === ']' || character === '}')
      return this.#stray(character, 'a value')
    if (this.#expect === 'root') this.#nextRoot += 1
    const container = character === '{' || character === '['
    const choice = this.#choose(this.#path(), character)
    if (choice === 'enter' && container && this.#frames.length < maximumDepth)
      return this.#enter(character === '[', at)
    this.#open = new OpenValue(choice === 'take' ? 'take' : 'skip', this.#line, character)
    return at
  }

  #enter(array: boolean, at: number): number {
    this.#frames.push({ array, key: array ? 0 : '' })
    this.#expect = array ? 'value-or-end' : 'key-or-end'
    return at + 1
  }

  #leave(at: number): number {
    this.#frames.pop()
    this.#expect = this.#frames.length === 0 ? 'root' : 'comma-or-end'
    return at + 1
  }

  #readOpen(open: OpenValue, chunk: string, from: number): number {
    const end = open.read(chunk, from)
    if (end < 0) return chunk.length
    if (open.choice === 'key') this.#closeKey(open)
    else this.#closeValue(open)
    this.#line += open.lineBreaks
    this.#open = null
    return end
  }

  #closeKey(open: OpenValue): void {
    const frame = this.#frames.at(-1)
    const key = parseKey(open.text)
    this.#expect = 'colon'
    if (frame === undefined || key === null) this.#fail('a key is not a sound string')
    else frame.key = key
  }

  #closeValue(open: OpenValue): void {
    if (open.choice === 'take' && open.refusal === null) this.#emit(open, true)
    if (open.choice === 'take' && open.refusal !== null)
      this.#report(open.line, `${this.#place()} ${open.refusal}`)
    this.#expect = this.#frames.length === 0 ? 'root' : 'comma-or-end'
  }

  #emit({ text, line }: OpenValue, complete: boolean): void {
    const root = this.#nextRoot - 1
    this.#events.push({ kind: 'element', path: this.#path(), text, line, root, complete })
  }

  #path(): JsonPath {
    return this.#frames.map((frame) => frame.key)
  }

  #place(): string {
    return formatPath(this.#path()) || 'the document'
  }

  #stray(character: string, wanted: string): number {
    this.#fail(`expected ${wanted} and found ${JSON.stringify(character)}`)
    return 0
  }

  #fail(reason: string): void {
    this.#report(this.#line, reason)
    this.#broken = true
  }

  #report(line: number, reason: string): void {
    this.#events.push({ kind: 'problem', line, reason })
  }
}

function parseKey(text: string): string | null {
  try {
    const key: unknown = JSON.parse(text)
    return typeof key === 'string' ? key : null
  } catch {
    return null
  }
}

/** What the scanner of JSON texts is asked, and what it answers with. */
type Choice = 'take' | 'enter' | 'skip'

/** What to do with a value. `opening` is its first character. */
export type Choose = (path: JsonPath, opening: string) => Choice

export interface JsonElement {
  readonly kind: 'element'
  readonly path: JsonPath
  readonly text: string
  /** Line where the value begins, from 1. */
  readonly line: number
  /** Which of the documents in the text it belongs to, from 0. */
  readonly root: number
  /** False if the text ended inside it. */
  readonly complete: boolean
}

export interface JsonProblem {
  readonly kind: 'problem'
  readonly line: number
  readonly reason: string
}

export type ScanEvent = JsonElement | JsonProblem

/** Where a value stands in a JSON document, and how we write that down: `simulations[3].messages[7]`. */
export type JsonPath = readonly (string | number)[]

const plainKey = /^[\w$-]+$/

export function formatPath(path: JsonPath): string {
  let text = ''
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`
    else if (!plainKey.test(step)) text += `[${JSON.stringify(step)}]`
    else text += text === '' ? step : `.${step}`
  }
  return text
}
