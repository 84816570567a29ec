/**
 * What work goes on: the names that people and the assistant use, what was searched for and
 * what edits took away, with more weight the later it was said; and the places in files that
 * somebody names. Under the name of a file, a name is taken to be in that file.
 */
import { type Message, type Part, type ToolCallPart, textsOfOutput } from '../../domain/message.ts'
import { readToolUse } from '../../extract/tool-use.ts'

/** Names with their weights, from 0 to 1. */
export type Names = ReadonlyMap<string, number>

export interface NamedPlace {
  readonly firstLine: number
  readonly lastLine: number
  readonly weight: number
}

export interface WorkSignals {
  /** What users ask for, by the file that they name it under. */
  readonly askedOf: ReadonlyMap<string, Names>
  readonly mentioned: Names
  readonly searched: Names
  /** In the place of which an edit has put something else. */
  readonly replaced: Names
  readonly placesOf: ReadonlyMap<string, readonly NamedPlace[]>
}

type Spoken = Pick<Message, 'role' | 'parts'>

/** The paths are those of the files that are known. */
export function workSignalsOf(messages: readonly Spoken[], paths: readonly string[]): WorkSignals {
  const signals = new GatheredSignals(paths)
  let turns = 0
  for (const [age, { role, parts }] of messages.toReversed().entries()) {
    if (age >= mostMessages || turns >= mostTurns) break
    const late = 2 ** (-age / halvingMessages)
    const asked = 2 ** -turns
    for (const part of parts) gatherPart(part, { role, late, asked }, signals)
    if (role === 'user' && parts.some(({ type }) => type === 'text')) turns += 1
  }
  return signals
}

const mostMessages = 400
const mostTurns = 6
const halvingMessages = 15

function gatherPart(
  part: Part,
  { role, late, asked }: { readonly role: Message['role']; late: number; asked: number },
  signals: GatheredSignals,
): void {
  if (part.type === 'text' && role === 'user') signals.addAsked(part.text, asked)
  else if ((part.type === 'text' && role === 'assistant') || part.type === 'reasoning')
    signals.addMentioned(part.text, late)
  else if (part.type === 'tool-call') gatherCall(part, late, signals)
  else if (part.type === 'tool-result')
    for (const text of textsOfOutput(part.output)) signals.addLocated(text, late)
}

function gatherCall(call: ToolCallPart, late: number, signals: GatheredSignals): void {
  const { family, arguments: given } = readToolUse(call, null)
  if (family === 'edit') signals.addReplaced(given.replaced ?? '', given.content ?? '', late)
  if (family === 'search') signals.addSearched(given.query ?? '', late)
  if (family === 'shell') signals.addSearched(given.shell ?? '', late)
  if (family === 'plan') signals.addMentioned(given.values.join('\n'), late)
}

export const nameIn = /[\p{L}_$][\p{L}\p{N}_$]{2,60}/gu
/** Anything that a path could be; a run is matched once, however long it is. */
const runIn = /[\p{L}\p{N}_@./~+-]+/gu
const nameEnd = /[.+-]+$/
const ending = /\.[A-Za-z]\w{0,9}$/
const placeIn = /(?:\blines?\s{1,2}~?|:|\bL)(\d{1,6})(?:\s?[-–]\s?L?(\d{1,6}))?/gi
/** After a name, as compilers and tests write it. */
const lineAfter = /:(\d{1,6})(?!\w)/g
const pathCharacters = 200

const textCharacters = 40_000
const mostPlaces = 100
// A log with more is no list of errors.
const mostLocated = 500
const mostLines = 400
const mostOfOneName = 8
const mostOfOneLine = 20

class GatheredSignals implements WorkSignals {
  readonly askedOf = new Map<string, Map<string, number>>()
  readonly mentioned = new Map<string, number>()
  readonly searched = new Map<string, number>()
  readonly replaced = new Map<string, number>()
  readonly placesOf = new Map<string, NamedPlace[]>()
  readonly #byName: ReadonlyMap<string, readonly string[]>

  constructor(paths: readonly string[]) {
    this.#byName = Map.groupBy(paths, lastOf)
  }

  addAsked(text: string, weight: number): void {
    this.#addText(text, weight, (name, files) => {
      for (const file of files) {
        const names = this.askedOf.get(file) ?? new Map<string, number>()
        this.askedOf.set(file, names)
        raise(names, name, weight)
      }
    })
  }

  addMentioned(text: string, weight: number): void {
    this.#addText(text, weight, (name) => raise(this.mentioned, name, weight))
  }

  addSearched(text: string, weight: number): void {
    for (const name of namesIn(text)) raise(this.searched, name, weight)
  }

  /** What an edit leaves as it was is where work goes on; what it takes away may be elsewhere too. */
  addReplaced(before: string, after: string, weight: number): void {
    const left = new Set(namesIn(after))
    for (const name of namesIn(before))
      raise(this.replaced, name, left.has(name) ? weight / 2 : weight)
  }

  addLocated(text: string, weight: number): void {
    const looked = text.slice(0, textCharacters)
    let places = 0
    for (const { 1: line, index } of looked.matchAll(lineAfter)) {
      if (places >= mostLocated) break
      const path = pathEndingAt(looked, index)
      if (!ending.test(path)) continue
      places += 1
      const [firstLine, lastLine] = [Number(line), Number(line)]
      this.#addPlaces(this.#filesNamed(path), { firstLine, lastLine, weight })
    }
  }

  #addText(
    text: string,
    weight: number,
    add: (name: string, files: readonly string[]) => void,
  ): void {
    let files: readonly string[] = []
    for (const line of text.slice(0, textCharacters).split('\n')) {
      const paths = [...new Set(pathsIn(line))].slice(0, mostOfOneLine)
      const named = paths.flatMap((path) => this.#filesNamed(path))
      // A heading that names no file ends what was said of one.
      if (named.length > 0 || /^#{1,6} /.test(line)) files = named
      for (const [, from, to] of line.matchAll(placeIn))
        this.#addPlaces(files, { firstLine: Number(from), lastLine: Number(to ?? from), weight })
      for (const name of namesIn(line)) add(name, files)
    }
  }

  #filesNamed(path: string): readonly string[] {
    const plain = path.replace(/^(?:\.?\/)+/, '')
    const sameName = this.#byName.get(lastOf(plain)) ?? []
    return sameName
      .filter((file) => `/${file}`.endsWith(`/${plain}`) || path.endsWith(`/${file}`))
      .slice(0, mostOfOneName)
  }

  #addPlaces(files: readonly string[], place: NamedPlace): void {
    if (place.lastLine - place.firstLine > mostLines) return
    for (const file of files) {
      const places = this.placesOf.get(file) ?? []
      this.placesOf.set(file, places)
      if (places.length < mostPlaces) places.push(place)
    }
  }
}

function pathEndingAt(text: string, end: number): string {
  let from = end
  while (from > 0 && end - from < pathCharacters && isOfPath(text.charCodeAt(from - 1))) from -= 1
  return text.slice(from, end)
}

const pathMarks = new Set([...'_@./~+-'].map((mark) => mark.charCodeAt(0)))

function isOfPath(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122
  return isLetter || (code >= 48 && code <= 57) || code > 127 || pathMarks.has(code)
}

/** What has a folder before it, or an ending after it. */
function pathsIn(line: string): readonly string[] {
  const runs = line.match(runIn) ?? []
  return runs
    .filter((run) => run.length <= pathCharacters)
    .map((run) => run.replace(nameEnd, ''))
    .filter((run) => run.includes('/') || ending.test(run))
}

function namesIn(text: string): readonly string[] {
  return text.slice(0, textCharacters).match(nameIn) ?? []
}

function raise(names: Map<string, number>, name: string, weight: number): void {
  if (weight > (names.get(name) ?? 0)) names.set(name, weight)
}

function lastOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
