/**
 * Finds values in a JSON text that arrives in pieces and emits the exact text of the wanted ones. One
 * state machine, linear in the characters. At each value it asks `choose`: take it whole, enter it (an
 * object or array), or skip it. Memory is one taken value; several documents may follow each other. The
 * structure is checked only where it enters: a value that is broken inside costs that value alone.
 */
import { parseJson } from './json-access.ts'
import { maximumDepth, OpenValue } from './open-value.ts'

interface Frame {
  readonly closing: ']' | '}'
  key: string | number
}

export class JsonElementScanner {
  readonly #choose: Choose
  readonly #frames: Frame[] = []
  #expect: 'root' | 'value' | 'key' | 'colon' | 'comma' = 'root'
  /** Nothing has come yet in the innermost frame, so it may end. */
  #isEmpty = false
  #open: OpenValue | null = null
  #events: ScanEvent[] = []
  #line: number
  #nextRoot: number
  #broken = false

  constructor(choose: Choose, firstLine = 1, firstRoot = 0) {
    this.#choose = choose
    this.#line = firstLine
    this.#nextRoot = firstRoot
  }

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

  /** Reads one character between values and returns the next position. */
  #readStructure(chunk: string, at: number): number {
    const character = chunk.charAt(at)
    if (character === '\n') this.#line += 1
    if (character === ' ' || character === '\n' || character === '\r' || character === '\t')
      return at + 1
    const frame = this.#frames.at(-1)
    if (character === frame?.closing && (this.#isEmpty || this.#expect === 'comma')) {
      this.#frames.pop()
      this.#closed()
      return at + 1
    }
    switch (this.#expect) {
      case 'root':
        if (character === '{' || character === '[') return this.#beginValue(character, at)
        return this.#stray(character, 'an object or an array')
      case 'value':
        return this.#beginValue(character, at)
      case 'key':
        if (character !== '"') return this.#stray(character, 'a key in quotes')
        this.#open = new OpenValue('key', this.#line, character)
        return at
      case 'colon':
        if (character !== ':') return this.#stray(character, 'a colon')
        this.#expect = 'value'
        return at + 1
      case 'comma':
        if (character !== ',') return this.#stray(character, 'a comma')
        this.#expect = 'key'
        if (typeof frame?.key === 'number') {
          frame.key += 1
          this.#expect = 'value'
        }
        return at + 1
    }
  }

  #beginValue(character: string, at: number): number {
    if (character === ',' || character === ':' || character === ']' || character === '}')
      return this.#stray(character, 'a value')
    if (this.#expect === 'root') this.#nextRoot += 1
    const isContainer = character === '{' || character === '['
    const choice = this.#choose(this.#path(), character)
    if (choice === 'enter' && isContainer && this.#frames.length < maximumDepth)
      return this.#enter(character === '[', at)
    this.#open = new OpenValue(choice === 'take' ? 'take' : 'skip', this.#line, character)
    return at
  }

  #enter(isArray: boolean, at: number): number {
    this.#frames.push(isArray ? { closing: ']', key: 0 } : { closing: '}', key: '' })
    this.#expect = isArray ? 'value' : 'key'
    this.#isEmpty = true
    return at + 1
  }

  #closed(): void {
    this.#expect = this.#frames.length === 0 ? 'root' : 'comma'
    this.#isEmpty = false
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
    const key = parseJson(open.text)
    this.#expect = 'colon'
    this.#isEmpty = false
    if (frame === undefined || typeof key !== 'string') this.#fail('a key is not a valid string')
    else frame.key = key
  }

  #closeValue(open: OpenValue): void {
    if (open.choice === 'take' && open.refusal === null) this.#emit(open, true)
    if (open.choice === 'take' && open.refusal !== null)
      this.#report(open.line, `${this.#place()} ${open.refusal}`)
    this.#closed()
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

export function scanText(text: string, choose: Choose, firstLine = 1): readonly ScanEvent[] {
  const scanner = new JsonElementScanner(choose, firstLine)
  return [...scanner.push(text), ...scanner.end()]
}

/** `opening` is the first character of the value. */
export type Choose = (path: JsonPath, opening: string) => 'take' | 'enter' | 'skip'

export interface JsonElement {
  readonly kind: 'element'
  readonly path: JsonPath
  readonly text: string
  /** From 1. */
  readonly line: number
  /** The index of its document in the text, from 0. */
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

/** Written as `simulations[3].messages[7]`. */
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
