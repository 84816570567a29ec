/**
 * Rates how useful each known line is for further edits: the task names it, an error points at it,
 * it was read or edited last, it needs the same change, or it is an import. Reasons multiply.
 */
import type { Seq } from '../../domain/ids.ts'
import { type Message, type Part, textsOfOutput } from '../../domain/message.ts'
import { readToolUse } from '../../extract/tool-use.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import type { FileText, TextLine, TextPiece } from './file-text.ts'
import { carries, limits, patterns, strength } from './line-worth-data.ts'

type Reason = keyof typeof strength

/** The worth of each line of each piece, by file; `head` is the position of the next message. */
export function lineWorths(
  files: readonly FileText[],
  signals: WorkSignals,
  head: Seq,
): readonly (readonly Float64Array[])[] {
  const used = usedNames(files, signals)
  return files.map((file) =>
    file.pieces.map((piece) => worthsOf(piece, file, { signals, ...used, head })),
  )
}

interface WorthInputs {
  readonly signals: WorkSignals
  readonly namesOf: (line: TextLine) => readonly string[]
  readonly rarity: (name: string) => number
  readonly head: Seq
}

function worthsOf(piece: TextPiece, file: FileText, weighing: WorthInputs): Float64Array {
  const { lines } = piece
  const carried = spreadFactors(lines)
  const sum = new Float64Array(lines.length)
  const values = new Float64Array(lines.length)
  const add = (reason: Reason, of: (line: TextLine, at: number) => number) => {
    let isAny = false
    for (const [at, line] of lines.entries()) {
      const value = of(line, at)
      values[at] = value
      if (value !== 0) isAny = true
    }
    // Most reasons apply to no line of most pieces.
    if (!isAny) return
    spread(values, carried)
    for (let at = 0; at < sum.length; at += 1)
      sum[at] = (sum[at] ?? 0) + strength[reason] * (values[at] ?? 0)
  }
  const { signals, namesOf, rarity, head } = weighing
  const asked = signals.askedOf.get(file.path)
  const addNamed = (reason: Reason, names: Names | undefined) => {
    if (names === undefined || names.size === 0) return
    add(reason, (line) => {
      let sum = 0
      for (const name of namesOf(line)) sum += (names.get(name) ?? 0) * rarity(name)
      return Math.log1p(sum) / 3
    })
  }
  const recency = recencyFrom(head)
  const isAhead = file.changedSeq === null
  const placed = placedLines(piece, signals.placesOf.get(file.path) ?? [])
  addNamed('asked', asked)
  addNamed('mentioned', signals.mentioned)
  addNamed('searched', signals.searched)
  addNamed('replaced', signals.replaced)
  add('edited', ({ seq, isChange }) => (isChange ? recency(seq) : 0))
  add('read', ({ seq, isChange }) => (isChange ? 0 : recency(seq)))
  add('placed', (_, at) => placed[at] ?? 0)
  if (isAhead) add('placedAhead', (_, at) => placed[at] ?? 0)
  const turn = asked !== undefined && isAhead ? 1 : recency(file.lastSeq)
  add('imports', ({ text }) => (patterns.importing.test(text) ? turn : 0))
  return sum.map((value, at) =>
    patterns.looksLikeOurs.test(lines[at]?.text ?? '') ? 0 : Math.exp(value),
  )
}

/** Remembers the last value, because neighbouring lines mostly come from one message. */
function recencyFrom(head: Seq): (seq: Seq) => number {
  let [known, late] = [Number.NaN, 0]
  return (seq) => {
    if (seq === known) return late
    known = seq
    late = 2 ** (-(head - seq) / limits.halvingMessages)
    return late
  }
}

/** The used names in each line, and their rarity: rare names count more, plain words less. */
function usedNames(
  files: readonly FileText[],
  { askedOf, mentioned, searched, replaced }: WorkSignals,
): Pick<WorthInputs, 'namesOf' | 'rarity'> {
  const sources = [...askedOf.values(), mentioned, searched, replaced]
  const used = new Set(sources.flatMap((names) => [...names.keys()]))
  const inLine = new Map<TextLine, readonly string[]>()
  const counts = new Map<string, number>()
  for (const { pieces } of files)
    for (const { lines } of pieces)
      for (const line of lines) {
        const names = new Set(line.text.match(patterns.nameIn)?.filter((name) => used.has(name)))
        inLine.set(line, [...names])
        for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
      }
  const rarities = new Map(
    [...counts].map(([name, count]) => [
      name,
      Math.log(inLine.size / count) * (patterns.madeUp.test(name) ? 1 : limits.plainShare),
    ]),
  )
  return {
    namesOf: (line) => inLine.get(line) ?? [],
    rarity: (name) => rarities.get(name) ?? 0,
  }
}

function placedLines({ firstLine, lines }: TextPiece, places: readonly NamedPlace[]): Float64Array {
  const placed = new Float64Array(lines.length)
  if (firstLine === null) return placed
  for (const place of places) {
    const to = Math.min(lines.length - 1, place.lastLine - firstLine)
    for (let at = Math.max(0, place.firstLine - firstLine); at <= to; at += 1)
      placed[at] = Math.max(placed[at] ?? 0, place.weight)
  }
  return placed
}

/** How much of a line's worth spreads to the next line: less across empty lines and declarations. */
function spreadFactors(lines: readonly TextLine[]): Float64Array {
  return Float64Array.from(lines, ({ text }, at) => {
    const isAfterEmpty = at > 0 && lines[at - 1]?.text.trim() === ''
    if (text.trim() === '') return carries.line * carries.empty
    return isAfterEmpty && /^\S/.test(text) ? carries.line * carries.declaration : carries.line
  })
}

function spread(values: Float64Array, carried: Float64Array): void {
  for (let at = 1; at < values.length; at += 1)
    values[at] = Math.max(values[at] ?? 0, (values[at - 1] ?? 0) * (carried[at] ?? 0))
  for (let at = values.length - 2; at >= 0; at -= 1)
    values[at] = Math.max(values[at] ?? 0, (values[at + 1] ?? 0) * (carried[at + 1] ?? 0))
}

type Names = ReadonlyMap<string, number>

interface NamedPlace {
  readonly firstLine: number
  readonly lastLine: number
  readonly weight: number
}

interface WorkSignals {
  /** Names in user messages, by the file that the text is about. */
  readonly askedOf: ReadonlyMap<string, Names>
  readonly mentioned: Names
  readonly searched: Names
  /** Names in text that an edit replaced; other lines may need the same edit. */
  readonly replaced: Names
  readonly placesOf: ReadonlyMap<string, readonly NamedPlace[]>
}

export function workSignalsOf(
  messages: readonly Pick<Message, 'role' | 'parts'>[],
  files: readonly Pick<FileText, 'path'>[],
): WorkSignals {
  const signals = new GatheredSignals(files.map(({ path }) => path))
  let turns = 0
  for (const [age, { role, parts }] of messages.toReversed().entries()) {
    if (age >= limits.mostMessages || turns >= limits.mostTurns) break
    const late = 2 ** (-age / limits.lateMessages)
    const asked = 2 ** -turns
    for (const part of parts) gatherPart(part, { role, late, asked }, signals)
    if (role === 'user' && parts.some(({ type }) => type === 'text')) turns += 1
  }
  return signals
}

function gatherPart(
  part: Part,
  { role, late, asked }: { readonly role: Message['role']; late: number; asked: number },
  signals: GatheredSignals,
): void {
  if (part.type === 'text' && role === 'user') signals.addAsked(part.text, asked)
  else if ((part.type === 'text' && role === 'assistant') || part.type === 'reasoning')
    signals.addMentioned(part.text, late)
  else if (part.type === 'tool-result')
    for (const text of textsOfOutput(part.output)) signals.addLocated(text, late)
  if (part.type !== 'tool-call') return
  const { family, args: given } = readToolUse(part, null)
  if (family === 'edit') signals.addReplaced(given.replaced ?? '', given.content ?? '', late)
  if (family === 'search') signals.addSearched(given.query ?? '', late)
  if (family === 'shell') signals.addSearched(given.shell ?? '', late)
  if (family === 'plan') signals.addMentioned(given.values.join('\n'), late)
}

class GatheredSignals implements WorkSignals {
  readonly askedOf = new Map<string, Map<string, number>>()
  readonly mentioned = new Map<string, number>()
  readonly searched = new Map<string, number>()
  readonly replaced = new Map<string, number>()
  readonly placesOf = new Map<string, NamedPlace[]>()
  readonly #byName: ReadonlyMap<string, readonly string[]>

  constructor(paths: readonly string[]) {
    this.#byName = Map.groupBy(paths, baseName)
  }

  addAsked(text: string, weight: number): void {
    this.#addText(text, weight, (name, files) => {
      for (const file of files)
        raiseWeight(
          getOrMake(this.askedOf, file, () => new Map<string, number>()),
          name,
          weight,
        )
    })
  }

  addMentioned(text: string, weight: number): void {
    this.#addText(text, weight, (name) => raiseWeight(this.mentioned, name, weight))
  }

  addSearched(text: string, weight: number): void {
    for (const name of namesIn(text)) raiseWeight(this.searched, name, weight)
  }

  /** A removed name may need removal elsewhere too; a name that stays counts half. */
  addReplaced(before: string, after: string, weight: number): void {
    const left = new Set(namesIn(after))
    for (const name of namesIn(before))
      raiseWeight(this.replaced, name, left.has(name) ? weight / 2 : weight)
  }

  addLocated(text: string, weight: number): void {
    const looked = text.slice(0, limits.textCharacters)
    let places = 0
    for (const { 1: line, index } of looked.matchAll(patterns.lineAfter)) {
      if (places >= limits.mostLocated) break
      const path = pathEndingAt(looked, index)
      if (!patterns.ending.test(path)) continue
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
    for (const line of text.slice(0, limits.textCharacters).split('\n')) {
      const paths = [...new Set(pathsIn(line))].slice(0, limits.mostOfOneLine)
      const named = paths.flatMap((path) => this.#filesNamed(path))
      // A heading without a file name ends the section about the last file.
      if (named.length > 0 || /^#{1,6} /.test(line)) files = named
      for (const [, from, to] of line.matchAll(patterns.placeIn))
        this.#addPlaces(files, { firstLine: Number(from), lastLine: Number(to ?? from), weight })
      for (const name of namesIn(line)) add(name, files)
    }
  }

  #filesNamed(path: string): readonly string[] {
    const plain = path.replace(/^(?:\.?\/)+/, '')
    const sameName = this.#byName.get(baseName(plain)) ?? []
    return sameName
      .filter((file) => `/${file}`.endsWith(`/${plain}`) || path.endsWith(`/${file}`))
      .slice(0, limits.mostOfOneName)
  }

  #addPlaces(files: readonly string[], place: NamedPlace): void {
    if (place.lastLine - place.firstLine > limits.mostLines) return
    for (const file of files) {
      const places = getOrMake(this.placesOf, file, (): NamedPlace[] => [])
      if (places.length < limits.mostPlaces) places.push(place)
    }
  }
}

function pathEndingAt(text: string, end: number): string {
  let from = end
  while (from > 0 && end - from < limits.pathCharacters && isOfPath(text.charCodeAt(from - 1)))
    from -= 1
  return text.slice(from, end)
}

const pathMarks = new Set([...'_@./~+-'].map((mark) => mark.charCodeAt(0)))

function isOfPath(code: number): boolean {
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122
  return isLetter || (code >= 48 && code <= 57) || code > 127 || pathMarks.has(code)
}

/** Runs with a folder or a file extension. */
function pathsIn(line: string): readonly string[] {
  const runs = line.match(patterns.runIn) ?? []
  return runs
    .filter((run) => run.length <= limits.pathCharacters)
    .map((run) => run.replace(patterns.nameEnd, ''))
    .filter((run) => run.includes('/') || patterns.ending.test(run))
}

function namesIn(text: string): readonly string[] {
  return text.slice(0, limits.textCharacters).match(patterns.nameIn) ?? []
}

function raiseWeight(names: Map<string, number>, name: string, weight: number): void {
  if (weight > (names.get(name) ?? 0)) names.set(name, weight)
}

function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
