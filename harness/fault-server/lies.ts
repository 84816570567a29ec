/**
 * Changes a text as a lying model would: it keeps the sentences and changes exact values by a
 * character. Models invent this way, and only a comparison with the source reveals it.
 */
import { sha256 } from 'throughline/stores'
import { parsedJson } from '../../packages/throughline/src/adapters/unknown-json.ts'
import {
  literalsInOutput,
  type OutputLiteralKind,
} from '../../packages/throughline/src/extract/literals/output-literals.ts'
import type { ContentFault } from './faults.ts'
import type { ModelAnswer, ModelQuestion } from './responder.ts'

interface Lie {
  readonly text: string
  /** Values in the text that are in no source. */
  readonly invented: readonly string[]
}

const lyingKinds: readonly OutputLiteralKind[] = ['path', 'file', 'hash', 'id', 'version', 'number']
const triesMax = 20

/** Deterministic for a seed. JSON stays JSON, with the same schema. */
export function lieAbout(text: string, sources: string, seed: string): Lie {
  const truth = `${sources}\n${text}`
  const value = parsedJson(text)
  const isJson = typeof value === 'object' && value !== null
  const strings = isJson ? stringsIn(text) : [text]
  const lies = new Map(strings.map((string) => [string, changeNames(string, truth, seed)]))
  const invented = [...lies.values()].flatMap((lie) => lie.invented)
  const longest = strings.toSorted((one, other) => other.length - one.length)[0]
  if (invented.length === 0 && longest !== undefined) {
    // A text without an exact value gets a sentence with some.
    lies.set(longest, { text: `${longest} ${added(seed)}`.trim(), invented: addedNames(seed) })
    invented.push(...addedNames(seed))
  }
  const lied = (inner: string) => lies.get(inner)?.text ?? inner
  return { text: isJson ? eachString(text, lied) : lied(text), invented: [...new Set(invented)] }
}

function stringsIn(json: string): readonly string[] {
  const strings: string[] = []
  eachString(json, (text) => {
    strings.push(text)
    return text
  })
  return strings
}

/** Field names stay, or the JSON would break its schema. */
function eachString(json: string, change: (text: string) => string): string {
  const value: unknown = JSON.parse(json, (_, inner: unknown) =>
    typeof inner === 'string' ? change(inner) : inner,
  )
  return JSON.stringify(value)
}

function changeNames(text: string, truth: string, seed: string): Lie {
  const others = new Map<string, string>()
  for (const { text: name, kind } of literalsInOutput(text)) {
    const other = lyingKinds.includes(kind) ? otherName(name, truth, seed) : null
    if (other !== null) others.set(name, other)
  }
  if (others.size === 0) return { text, invented: [] }
  const invented = new Set<string>()
  // Longest first and in one pass: a short number must not change inside another name.
  const names = [...others.keys()].toSorted((one, other) => other.length - one.length)
  const pattern = new RegExp(`(?<!\\w)(?:${names.map(escaped).join('|')})(?!\\w)`, 'g')
  const changed = text.replace(pattern, (name) => {
    const other = others.get(name) ?? name
    invented.add(other)
    return other
  })
  return { text: changed, invented: [...invented] }
}

function escaped(name: string): string {
  return name.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
}

/** Changes one letter or digit; null if every such name is taken. */
function otherName(name: string, truth: string, seed: string): string | null {
  for (let attempt = 0; attempt < triesMax; attempt += 1) {
    const chance = sha256(`${seed}\n${name}\n${attempt}`)
    const at = Number.parseInt(chance.slice(0, 8), 16) % name.length
    const letter = otherLetter(name[at] ?? '', Number.parseInt(chance.slice(8, 12), 16))
    const other = `${name.slice(0, at)}${letter}${name.slice(at + 1)}`
    if (other !== name && !truth.includes(other)) return other
  }
  return null
}

/** Of the same kind, so that a hash stays a hash and a number a number. */
function otherLetter(letter: string, chance: number): string {
  const sort = [
    '123456789',
    'abcdef',
    'ghijklmnopqrstuvwxyz',
    'ABCDEF',
    'GHIJKLMNOPQRSTUVWXYZ',
  ].find((letters) => letters.includes(letter))
  if (sort === undefined) return letter
  return sort[(sort.indexOf(letter) + 1 + (chance % (sort.length - 1))) % sort.length] ?? letter
}

function addedNames(seed: string): readonly string[] {
  const chance = sha256(seed)
  const number = 100_000 + (Number.parseInt(chance.slice(0, 8), 16) % 900_000)
  return [`src/${chance.slice(8, 16)}/index.ts`, `${number}`, chance.slice(16, 56)]
}

function added(seed: string): string {
  const [path, number, id] = addedNames(seed)
  return `The change is in ${path}, it took ${number} ms, and its commit is ${id}.`
}

/** The content that a model returns instead of its answer, for each content fault. */
export interface AnswerContent
  extends Pick<ModelAnswer, 'text' | 'thinking' | 'refusal' | 'finish'> {
  /** Exact values that are not in the question. */
  readonly invented: readonly string[]
}

/** Services count with a tokenizer; this many characters approximate a token. */
const charactersOfToken = 4

export function tokensOf(text: string): number {
  return Math.ceil(text.length / charactersOfToken)
}

/** The answer, truncated where the service would truncate it. */
export function validContent(text: string, { maxOutputTokens }: ModelQuestion): AnswerContent {
  const most = (maxOutputTokens ?? Number.POSITIVE_INFINITY) * charactersOfToken
  const cut = text.length > most
  return { ...plain(cut ? text.slice(0, most) : text), finish: cut ? 'length' : 'stop' }
}

export function faultyContent(
  fault: ContentFault,
  answer: string,
  question: ModelQuestion,
  seed: string,
): AnswerContent {
  switch (fault) {
    case 'wrong-schema':
      return plain('{"unexpected":{"answer":[1,2,3]}}')
    case 'not-json':
      return plain('Of course! Here is what you asked for, in my own words.')
    case 'empty':
      return plain('')
    case 'whitespace':
      return plain(' \n\t \n')
    case 'refusal':
      return { ...plain(''), refusal: refusalText }
    case 'refusal-text':
      return plain(refusalText)
    case 'echo':
      return plain(lastUserText(question))
    case 'thinking-only':
      return { ...plain(''), thinking: thoughts }
    case 'thinking-text':
      return plain(`<think>\n${thoughts}\n</think>`)
    case 'cut-off':
      return { ...plain(answer.slice(0, Math.ceil(answer.length / 2))), finish: 'length' }
    case 'over-limit':
      return plain(tooMuchOf(answer, question))
    case 'error-text':
      return plain('Error: 429 Rate limit reached for requests. Please try again in 20s.')
    case 'lies':
      return { ...plain(''), ...lieAbout(answer, sourceOf(question), seed) }
  }
}

function plain(text: string): AnswerContent {
  return { text, thinking: null, refusal: null, finish: 'stop', invented: [] }
}

const refusalText = "I'm sorry, but I can't assist with that request."
const thoughts = 'The user wants something from me. Let me think about what it could be.'

function lastUserText({ messages }: ModelQuestion): string {
  return messages.findLast(({ role }) => role === 'user')?.text ?? ''
}

function sourceOf({ system, messages }: ModelQuestion): string {
  return [system, ...messages.map(({ text }) => text)].join('\n')
}

function tooMuchOf(answer: string, { maxOutputTokens }: ModelQuestion): string {
  const once = `${answer === '' ? 'And so on.' : answer} `
  const wanted = 2 * charactersOfToken * (maxOutputTokens ?? 4096)
  return once.repeat(Math.ceil(wanted / once.length) + 1)
}

/** Word by word, as in a stream. */
export function inPieces(text: string): readonly string[] {
  return text.match(/\S*\s+|\S+/g) ?? []
}
