/**
 * A JSON value as the text that it is, and ways to its pieces that keep their text.
 *
 * Parsing loses big integers, key order and escapes, so whatever must come back to
 * the letter (arguments of a call, blocks that we do not know) is cut out of the text.
 */
import type { JsonObject, JsonValue } from '../../index.ts'
import { isJsonList, isJsonObject } from './json-access.ts'
import {
  type Choose,
  formatPath,
  type JsonElement,
  type JsonPath,
  type JsonProblem,
  scanText,
} from './json-elements.ts'

export interface RawJson {
  readonly text: string
  readonly line: number
  readonly complete: boolean
}

export interface RawFields {
  readonly fields: ReadonlyMap<string, RawJson>
  readonly problems: readonly JsonProblem[]
}

interface RawElements {
  readonly elements: readonly JsonElement[]
  readonly problems: readonly JsonProblem[]
}

/** A step of a pattern is a key, a place of a list, `*` for every one, or `[]` for every place. */
type Pattern = readonly (string | number)[]

/** Enters what leads to what a pattern names, takes what one names and passes over the rest. */
export function choosePatterns(...patterns: readonly Pattern[]): Choose {
  return (path, opening) => {
    const leading = patterns.filter(
      (pattern) => leadsTo(path, pattern) && (!isPlace(pattern[path.length]) || opening === '['),
    )
    if (leading.length === 0) return 'skip'
    return leading.some((pattern) => pattern.length > path.length) ? 'enter' : 'take'
  }
}

function leadsTo(path: JsonPath, pattern: Pattern): boolean {
  if (path.length > pattern.length) return false
  return path.every((step, index) => {
    const wanted = pattern[index]
    return wanted === '*' || wanted === step || (wanted === '[]' && typeof step === 'number')
  })
}

function isPlace(step: string | number | undefined): boolean {
  return step === '[]' || typeof step === 'number'
}

/** The fields of an object: of a key that stands twice the last, as JSON.parse has it. */
export function fieldsOf(raw: RawJson): RawFields {
  if (!raw.text.startsWith('{')) return { fields: new Map(), problems: [notA('an object', raw)] }
  const { elements, problems } = pick(raw, choosePatterns(['*']))
  return {
    fields: new Map(elements.map((element) => [String(element.path[0]), element])),
    problems,
  }
}

/** The elements of a list; a field that is missing or null is an empty one. */
export function elementsOf(raw: RawJson | undefined): RawElements {
  if (raw === undefined || raw.text === 'null') return { elements: [], problems: [] }
  if (!raw.text.startsWith('[')) return { elements: [], problems: [notA('a list', raw)] }
  return pick(raw, choosePatterns(['*']))
}

function notA(wanted: string, { line }: RawJson): JsonProblem {
  return { kind: 'problem', line, reason: `a value that should be ${wanted} is something else` }
}

/** The exact text of the values that a pattern names, by their path. */
function textsAt(text: string, pattern: Pattern): ReadonlyMap<string, string> {
  const { elements } = pick({ text, line: 1, complete: true }, choosePatterns(pattern))
  return new Map(elements.map((element) => [formatPath(element.path), element.text]))
}

function pick(raw: RawJson, choose: Choose): RawElements {
  const elements: JsonElement[] = []
  const problems: JsonProblem[] = []
  for (const event of scanText(raw.text, choose, raw.line))
    if (event.kind === 'element') elements.push(event)
    else problems.push(event)
  // Where the text breaks off was said already, by whoever found that it does.
  return { elements, problems: raw.complete ? problems : [] }
}

/** The parsed value, or null for a text that is no sound JSON. */
export function parseRaw(raw: RawJson | undefined): JsonNode | null {
  if (raw === undefined || !raw.complete) return null
  try {
    return new JsonNode(JSON.parse(raw.text), () => raw.text)
  } catch {
    return null
  }
}

/** The parsed value of a field, or undefined where it is missing or broken. */
export function valueIn(fields: RawFields['fields'], key: string): JsonValue | undefined {
  return parseRaw(fields.get(key))?.value
}

/**
 * A parsed value that somebody else wrote, and the way to its exact text, which is cut out when it is
 * asked for. Only own fields are read, so that a file with a key such as `__proto__` or
 * `constructor` finds nothing of ours behind it.
 */
export class JsonNode {
  readonly value: JsonValue | undefined
  /** The text of what holds the value, and the path from there. */
  readonly #source: () => string
  readonly #path: readonly string[]

  constructor(value: JsonValue | undefined, source: () => string, path: readonly string[] = []) {
    this.value = value
    this.#source = source
    this.#path = path
  }

  get isObject(): boolean {
    return isJsonObject(this.value)
  }

  get isList(): boolean {
    return isJsonList(this.value)
  }

  /** The value, where it is a text. */
  get asText(): string | null {
    return typeof this.value === 'string' ? this.value : null
  }

  get items(): readonly JsonNode[] {
    if (!isJsonList(this.value)) return []
    let texts: ReadonlyMap<string, string> | null = null
    return this.value.map((item, index) => {
      const cut = () => {
        texts ??= textsAt(this.#source(), [...this.#path, '*'])
        return texts.get(formatPath([...this.#path, index])) ?? 'null'
      }
      return new JsonNode(item, cut)
    })
  }

  exact(fallback = 'null'): string {
    if (this.#path.length === 0) return this.#source()
    return [...textsAt(this.#source(), this.#path).values()].at(-1) ?? fallback
  }

  get(key: string): JsonValue | undefined {
    const { value } = this
    return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
  }

  has(key: string): boolean {
    return this.get(key) !== undefined
  }

  field(key: string): JsonNode {
    return new JsonNode(this.get(key), this.#source, [...this.#path, key])
  }

  list(key: string): readonly JsonNode[] {
    return this.field(key).items
  }

  object(key: string): JsonObject | null {
    const value = this.get(key)
    return isJsonObject(value) ? value : null
  }

  text(key: string): string | null {
    const value = this.get(key)
    return typeof value === 'string' ? value : null
  }

  /** Text that says something: an empty id is none. */
  filled(key: string): string | null {
    return this.text(key) || null
  }

  number(key: string): number | null {
    const value = this.get(key)
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }

  /** A count of something: never negative, never a fraction, never beyond what is exact. */
  count(key: string): number | null {
    const count = Math.round(this.number(key) ?? -1)
    return count >= 0 && Number.isSafeInteger(count) ? count : null
  }
}

/** Has nothing in it. */
export const noNode = new JsonNode(undefined, () => 'null')
