/**
 * A JSON value as its exact text. Parsing loses big integers, key order and escapes, so what must stay
 * exact (arguments of a call, unknown blocks) is cut out of the text.
 */
import type { JsonObject, JsonValue } from '../../index.ts'
import { isJsonList, isJsonObject, parseJson } from './json-access.ts'
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

interface RawElements extends Pick<RawFields, 'problems'> {
  readonly elements: readonly JsonElement[]
}

/** Steps are keys or indexes; `*` matches any step, `[]` any index. */
type Pattern = readonly (string | number)[]

/** Enters what leads to a match, takes matches and skips the rest. */
export function choosePatterns(...patterns: readonly Pattern[]): Choose {
  return (path, opening) => {
    const leading = patterns.filter(
      (pattern) => leadsTo(path, pattern) && (!isIndex(pattern[path.length]) || opening === '['),
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

function isIndex(step: string | number | undefined): boolean {
  return step === '[]' || typeof step === 'number'
}

/** The last of two equal keys wins, as in JSON.parse. */
export function fieldsOf(raw: RawJson): RawFields {
  if (!raw.text.startsWith('{')) return { fields: new Map(), problems: [notA('an object', raw)] }
  const { elements, problems } = pick(raw, choosePatterns(['*']))
  const fields = new Map(elements.map((element) => [String(element.path[0]), element]))
  return { fields, problems }
}

/** A missing or null field is an empty list. */
export function elementsOf(raw: RawJson | undefined): RawElements {
  if (raw === undefined || raw.text === 'null') return { elements: [], problems: [] }
  if (!raw.text.startsWith('[')) return { elements: [], problems: [notA('a list', raw)] }
  return pick(raw, choosePatterns(['*']))
}

function notA(wanted: string, { line }: RawJson): JsonProblem {
  return { kind: 'problem', line, reason: `a value that should be ${wanted} is something else` }
}

/** The exact texts of matching values, by their path. */
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
  // Where the text breaks off was already reported.
  return { elements, problems: raw.complete ? problems : [] }
}

/** Null for invalid JSON. */
export function parseRaw(raw: RawJson | undefined): JsonNode | null {
  if (raw === undefined || !raw.complete) return null
  const value = parseJson(raw.text)
  return value === undefined ? null : new JsonNode(value, () => raw.text)
}

export function valueIn(fields: RawFields['fields'], key: string): JsonValue | undefined {
  return parseRaw(fields.get(key))?.value
}

/**
 * A parsed value of a foreign file, with its exact text on demand. Only own fields are read, so keys such
 * as `__proto__` or `constructor` find nothing.
 */
export class JsonNode {
  readonly value: JsonValue | undefined
  /** The text that contains the value, and the path from there. */
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

  /** An empty text counts as none. */
  filled(key: string): string | null {
    return this.text(key) || null
  }

  number(key: string): number | null {
    const value = this.get(key)
    return typeof value === 'number' && Number.isFinite(value) ? value : null
  }

  /** Never negative, fractional or unsafe. */
  count(key: string): number | null {
    const count = Math.round(this.number(key) ?? -1)
    return count >= 0 && Number.isSafeInteger(count) ? count : null
  }
}

export const noNode = new JsonNode(undefined, () => 'null')
