/**
 * A JSON value as the text that it is, and ways to its pieces that keep their text.
 *
 * Parsing loses big integers, key order and escapes, so whatever must come back to
 * the letter (arguments of a call, blocks that we do not know) is cut out of the text.
 */
import type { JsonValue } from '../../index.ts'
import {
  type Choose,
  formatPath,
  type JsonElement,
  JsonElementScanner,
  type JsonPath,
  type JsonProblem,
  type ScanEvent,
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

/** A step of a pattern is a key, `*` for every key or place, or `[]` for every place of a list. */
type Pattern = readonly string[]

/** Takes what a pattern names, enters what leads there and passes over the rest. */
export function choosePatterns(...patterns: readonly Pattern[]): Choose {
  return (path, opening) => {
    const leading = patterns.filter(
      (pattern) => leadsTo(path, pattern) && (pattern[path.length] !== '[]' || opening === '['),
    )
    if (leading.length === 0) return 'skip'
    return leading.some((pattern) => pattern.length === path.length) ? 'take' : 'enter'
  }
}

function leadsTo(path: JsonPath, pattern: Pattern): boolean {
  if (path.length > pattern.length) return false
  return path.every((step, index) => {
    const wanted = pattern[index]
    return wanted === '*' || wanted === (typeof step === 'number' ? '[]' : step)
  })
}

function scanText(raw: RawJson, choose: Choose): readonly ScanEvent[] {
  const scanner = new JsonElementScanner({ choose, firstLine: raw.line })
  return [...scanner.push(raw.text), ...scanner.end()]
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
export function textsAt(text: string, pattern: Pattern): ReadonlyMap<string, string> {
  const { elements } = pick({ text, line: 1, complete: true }, choosePatterns(pattern))
  return new Map(elements.map((element) => [formatPath(element.path), element.text]))
}

function pick(raw: RawJson, choose: Choose): RawElements {
  const elements: JsonElement[] = []
  const problems: JsonProblem[] = []
  for (const event of scanText(raw, choose))
    if (event.kind === 'element') elements.push(event)
    else problems.push(event)
  // Where the text breaks off was said already, by whoever found that it does.
  return { elements, problems: raw.complete ? problems : [] }
}

/** The parsed value, or null for a text that is no sound JSON. */
export function parseRaw(raw: RawJson | undefined): { readonly value: JsonValue } | null {
  if (raw === undefined || !raw.complete) return null
  try {
    return { value: JSON.parse(raw.text) }
  } catch {
    return null
  }
}

/** The parsed value of a field, or undefined where it is missing or broken. */
export function valueIn(fields: RawFields['fields'], key: string): JsonValue | undefined {
  return parseRaw(fields.get(key))?.value
}

/** The exact texts of a list inside a record, cut out once, when the first is asked for. */
export type ExactText = (index: number) => string

export function exactTexts(recordText: () => string, path: readonly string[]): ExactText {
  let texts: ReadonlyMap<string, string> | null = null
  return (index) => {
    texts ??= textsAt(recordText(), [...path, '*'])
    return texts.get(formatPath([...path, index])) ?? 'null'
  }
}
