/**
 * Rates how useful each known line is for further edits: the task names it, an error points at it,
 * it was read or edited last, it needs the same change, or it is an import. Reasons multiply.
 */
import type { Seq } from '../../domain/ids.ts'
import { type Message, type Part, textsOfOutput } from '../../domain/message.ts'
import { readToolUse } from '../../extract/tool-use.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { baseName, type FileText, type TextLine, type TextPiece } from './file-text.ts'
import { limits, patterns, spreadShares, strengths } from './line-worth-data.ts'

type Reason = keyof typeof strengths

/** The worth of each line of each piece, by file; `head` is the position of the next message. */
export function lineWorths(files: readonly FileText[], signals: WorkSignals, head: Seq) {
  const names = indexNames(files, signals)
  return files.map((file) =>
    file.pieces.map((piece) => pieceWorths(piece, file, signals, names, head)),
  )
}

function pieceWorths(
  piece: TextPiece,
  file: FileText,
  signals: WorkSignals,
  { namesInLine, rarityOf }: ReturnType<typeof indexNames>,
  head: Seq,
): Float64Array {
  const { lines } = piece
  const spreadFactors = spreadFactorsOf(lines)
  // The sum of logarithms: `exp` turns it into a product.
  const sums = new Float64Array(lines.length)
  const rates = new Float64Array(lines.length)
  // Plain loops: this runs for every known line and reason, and iterators take most of its time.
  const add = (reason: Reason, rate: (line: TextLine, at: number) => number) => {
    let isAny = false
    for (let at = 0; at < lines.length; at += 1) {
      const line = lines[at]
      const value = line === undefined ? 0 : rate(line, at)
      rates[at] = value
      if (value !== 0) isAny = true
    }
    // Most reasons apply to no line of most pieces.
    if (!isAny) return
    spread(rates, spreadFactors)
    for (let at = 0; at < sums.length; at += 1)
      sums[at] = (sums[at] ?? 0) + strengths[reason] * (rates[at] ?? 0)
  }
  const addNames = (reason: Reason, weights: NameWeights | undefined) => {
    if (weights === undefined || weights.size === 0) return
    add(reason, (line) => {
      let sum = 0
      for (const name of namesInLine(line)) sum += (weights.get(name) ?? 0) * rarityOf(name)
      return Math.log1p(sum) / 3
    })
  }
  const recency = recencyAt(head)
  const isUnedited = file.changedSeq === null
  const asked = signals.askedByPath.get(file.path)
  const locations = locationWeights(piece, signals.locationsByPath.get(file.path) ?? [])
  const importRate = asked !== undefined && isUnedited ? 1 : recency(file.lastSeq)
  addNames('asked', asked)
  addNames('mentioned', signals.mentioned)
  addNames('searched', signals.searched)
  addNames('replaced', signals.replaced)
  add('edited', ({ seq, isChange }) => (isChange ? recency(seq) : 0))
  add('read', ({ seq, isChange }) => (isChange ? 0 : recency(seq)))
  add('located', (_, at) => locations[at] ?? 0)
  if (isUnedited) add('locatedUnedited', (_, at) => locations[at] ?? 0)
  add('imports', ({ text }) => (patterns.importLine.test(text) ? importRate : 0))
  // Few lines have a sign of a label, and the whole pattern is slow.
  const isLabel = (text: string) => /#|^[[DO]/.test(text) && patterns.looksLikeOurLabel.test(text)
  return sums.map((sum, at) => (isLabel(lines[at]?.text ?? '') ? 0 : Math.exp(sum)))
}

/** Remembers the last value, because neighbouring lines mostly come from one message. */
function recencyAt(head: Seq): (seq: Seq) => number {
  let [knownSeq, value] = [Number.NaN, 0]
  return (seq) => {
    if (seq !== knownSeq)
      [knownSeq, value] = [seq, 2 ** (-(head - seq) / limits.recencyHalvingMessages)]
    return value
  }
}

/** The signals' names in each line, and their rarity: rare names count more, plain words less. */
function indexNames(files: readonly FileText[], signals: WorkSignals) {
  const { askedByPath, mentioned, searched, replaced } = signals
  const sources = [...askedByPath.values(), mentioned, searched, replaced]
  const known = new Set(sources.flatMap((weights) => [...weights.keys()]))
  const namesByLine = new Map<TextLine, readonly string[]>()
  const counts = new Map<string, number>()
  for (const line of files.flatMap(({ pieces }) => pieces.flatMap(({ lines }) => lines))) {
    const names = knownNames(line.text, known)
    namesByLine.set(line, names)
    for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  const rarities = new Map(
    [...counts].map(([name, count]) => [
      name,
      Math.log(namesByLine.size / count) *
        (patterns.identifier.test(name) ? 1 : limits.plainWordFactor),
    ]),
  )
  return {
    namesInLine: (line: TextLine) => namesByLine.get(line) ?? [],
    rarityOf: (name: string) => rarities.get(name) ?? 0,
  }
}

/** Each once. Most lines have none. */
function knownNames(text: string, known: ReadonlySet<string>): readonly string[] {
  const names: string[] = []
  for (const name of text.match(patterns.names) ?? [])
    if (known.has(name) && !names.includes(name)) names.push(name)
  return names.length === 0 ? noNames : names
}

const noNames: readonly string[] = []

function locationWeights({ firstLine, lines }: TextPiece, locations: readonly Location[]) {
  const weights = new Float64Array(lines.length)
  if (firstLine === null) return weights
  for (const location of locations) {
    const lastIndex = Math.min(lines.length - 1, location.lastLine - firstLine)
    for (let at = Math.max(0, location.firstLine - firstLine); at <= lastIndex; at += 1)
      weights[at] = Math.max(weights[at] ?? 0, location.weight)
  }
  return weights
}

/** How much of a line's worth spreads to the next line: less across empty lines and declarations. */
function spreadFactorsOf(lines: readonly TextLine[]): Float64Array {
  const { line, empty, declaration } = spreadShares
  return Float64Array.from(lines, ({ text }, at) => {
    if (text.trim() === '') return line * empty
    const isAfterEmpty = at > 0 && lines[at - 1]?.text.trim() === ''
    return isAfterEmpty && /^\S/.test(text) ? line * declaration : line
  })
}

/** Spreads values down to the following lines, then up to the lines before. */
function spread(values: Float64Array, factors: Float64Array): void {
  for (let at = 1; at < values.length; at += 1)
    values[at] = Math.max(values[at] ?? 0, (values[at - 1] ?? 0) * (factors[at] ?? 0))
  for (let at = values.length - 2; at >= 0; at -= 1)
    values[at] = Math.max(values[at] ?? 0, (values[at + 1] ?? 0) * (factors[at + 1] ?? 0))
}

/** What the newest messages say about the files. Newer messages have a higher weight. */
export function workSignalsOf(
  messages: readonly Pick<Message, 'role' | 'parts'>[],
  files: readonly Pick<FileText, 'path'>[],
): WorkSignals {
  const signals = new WorkSignals(files.map(({ path }) => path))
  let turns = 0
  for (const [age, { role, parts }] of messages.toReversed().entries()) {
    if (age >= limits.maxMessages || turns >= limits.maxTurns) break
    const weight = 2 ** (-age / limits.signalHalvingMessages)
    for (const part of parts) {
      if (part.type === 'text' && role === 'user') signals.addAsked(part.text, 2 ** -turns)
      else addPart(part, role, weight, signals)
    }
    if (role === 'user' && parts.some(({ type }) => type === 'text')) turns += 1
  }
  return signals
}

function addPart(part: Part, role: Message['role'], weight: number, signals: WorkSignals): void {
  if ((part.type === 'text' && role === 'assistant') || part.type === 'reasoning')
    signals.addMentioned(part.text, weight)
  if (part.type === 'tool-result')
    for (const text of textsOfOutput(part.output)) signals.addLocated(text, weight)
  if (part.type !== 'tool-call') return
  const { family, args: input } = readToolUse(part, null)
  if (family === 'edit') signals.addReplaced(input.replaced ?? '', input.content ?? '', weight)
  if (family === 'search') signals.addSearched(input.query ?? '', weight)
  if (family === 'shell') signals.addSearched(input.shell ?? '', weight)
  if (family === 'plan') signals.addMentioned(input.values.join('\n'), weight)
}

type NameWeights = Map<string, number>

interface Location {
  readonly firstLine: number
  readonly lastLine: number
  readonly weight: number
}

class WorkSignals {
  /** Names in user messages, by the file that the text is about. */
  readonly askedByPath = new Map<string, NameWeights>()
  readonly mentioned: NameWeights = new Map()
  readonly searched: NameWeights = new Map()
  /** Names in text that an edit replaced; other lines may need the same edit. */
  readonly replaced: NameWeights = new Map()
  readonly locationsByPath = new Map<string, Location[]>()
  readonly #pathsByBaseName: ReadonlyMap<string, readonly string[]>

  constructor(paths: readonly string[]) {
    this.#pathsByBaseName = Map.groupBy(paths, baseName)
  }

  addAsked(text: string, weight: number): void {
    this.#addText(text, weight, (name, paths) => {
      for (const path of paths) {
        const weights = getOrMake(this.askedByPath, path, () => new Map())
        raiseWeight(weights, name, weight)
      }
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
    const remaining = new Set(namesIn(after))
    for (const name of namesIn(before))
      raiseWeight(this.replaced, name, remaining.has(name) ? weight / 2 : weight)
  }

  /** Line numbers after file names, in the output of a tool. */
  addLocated(text: string, weight: number): void {
    const start = text.slice(0, limits.textCharacters)
    let found = 0
    for (const { 1: line, index } of start.matchAll(patterns.lineAfterPath)) {
      if (found >= limits.maxLocationsOfText) break
      const path = pathEndingAt(start, index)
      if (!patterns.fileExtension.test(path)) continue
      found += 1
      const lineNumber = Number(line)
      const location = { firstLine: lineNumber, lastLine: lineNumber, weight }
      this.#addLocation(this.#knownPaths(path), location)
    }
  }

  #addText(text: string, weight: number, add: (name: string, paths: readonly string[]) => void) {
    let paths: readonly string[] = []
    for (const line of text.slice(0, limits.textCharacters).split('\n')) {
      const written = [...new Set(pathsIn(line))].slice(0, limits.maxPathsOfLine)
      const pathsOfLine = written.flatMap((path) => this.#knownPaths(path))
      // A heading without a file name ends the section about the last file.
      if (pathsOfLine.length > 0 || /^#{1,6} /.test(line)) paths = pathsOfLine
      for (const [, first, last = first] of line.matchAll(patterns.lineNumbers))
        this.#addLocation(paths, { firstLine: Number(first), lastLine: Number(last), weight })
      for (const name of namesIn(line)) add(name, paths)
    }
  }

  /** The files that a path may mean: a text often leaves out the first folders, or adds some. */
  #knownPaths(path: string): readonly string[] {
    const plain = path.replace(/^(?:\.?\/)+/, '')
    const sameName = this.#pathsByBaseName.get(baseName(plain)) ?? []
    return sameName
      .filter((known) => `/${known}`.endsWith(`/${plain}`) || path.endsWith(`/${known}`))
      .slice(0, limits.maxFilesOfPath)
  }

  #addLocation(paths: readonly string[], location: Location): void {
    if (location.lastLine - location.firstLine > limits.maxLinesOfLocation) return
    for (const path of paths) {
      const locations = getOrMake(this.locationsByPath, path, () => [])
      if (locations.length < limits.maxLocationsOfFile) locations.push(location)
    }
  }
}

function pathEndingAt(text: string, end: number): string {
  let start = end
  while (start > 0 && end - start < limits.pathCharacters) {
    if (!isPathCharacter(text.charCodeAt(start - 1))) break
    start -= 1
  }
  return text.slice(start, end)
}

const pathSymbols = new Set([...'_@./~+-'].map((symbol) => symbol.charCodeAt(0)))

function isPathCharacter(code: number): boolean {
  const lowerCase = code | 0x20
  const isLetter = lowerCase >= 0x61 && lowerCase <= 0x7a
  return isLetter || (code >= 0x30 && code <= 0x39) || code > 0x7f || pathSymbols.has(code)
}

/** Runs with a folder or a file extension. */
function pathsIn(line: string): readonly string[] {
  return (line.match(patterns.pathRuns) ?? [])
    .filter((run) => run.length <= limits.pathCharacters)
    .map((run) => run.replace(patterns.finalPunctuation, ''))
    .filter((run) => run.includes('/') || patterns.fileExtension.test(run))
}

function namesIn(text: string): readonly string[] {
  return text.slice(0, limits.textCharacters).match(patterns.names) ?? []
}

function raiseWeight(weights: NameWeights, name: string, weight: number): void {
  if (weight > (weights.get(name) ?? 0)) weights.set(name, weight)
}
