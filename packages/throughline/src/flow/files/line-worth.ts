/**
 * Rates how useful each known line is for further edits: the task names it, an error points at it,
 * it was read or edited last, it needs the same change, or it is an import. Reasons multiply.
 */
import type { Seq } from '../../domain/ids.ts'
import { type Message, type Part, textsOfOutput } from '../../domain/message.ts'
import { readToolUse } from '../../extract/tool-use.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { baseName, type FileText, type TextPiece } from './file-text.ts'
import { limits, patterns, strengths } from './line-worth-data.ts'
import { analysisOf, type TextLine } from './text-line.ts'

type Reason = keyof typeof strengths

/** The worth of each line of each piece, by file; `head` is the position of the next message. */
export function lineWorths(files: readonly FileText[], signals: WorkSignals, head: Seq) {
  const rarities = raritiesOf(files, signals)
  return files.map((file) =>
    file.pieces.map((piece) => pieceWorths(piece, file, { signals, rarities, head })),
  )
}

function pieceWorths(
  piece: TextPiece,
  file: FileText,
  {
    signals,
    rarities,
    head,
  }: {
    readonly signals: WorkSignals
    readonly rarities: ReadonlyMap<string, number>
    readonly head: Seq
  },
): Float64Array {
  const { lines } = piece
  const analysis = analysisOf(lines)
  const { origin } = analysis
  // The sum of logarithms: `exp` turns it into a product.
  const sums = new Float64Array(lines.length)
  const rates = new Float64Array(lines.length)
  const addSame = (reason: Reason, rate: number) => {
    const added = strengths[reason] * rate
    for (let at = 0; at < sums.length; at += 1) sums[at] = (sums[at] ?? 0) + added
  }
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
    spread(rates, analysis.spreadFactors)
    for (let at = 0; at < sums.length; at += 1)
      sums[at] = (sums[at] ?? 0) + strengths[reason] * (rates[at] ?? 0)
  }
  const addNames = (reason: Reason, weights: NameWeights | undefined) => {
    if (weights === undefined || !hasCommonKey(weights, analysis.lineCounts)) return
    add(reason, (line) => {
      let sum = 0
      for (const name of line.analysis.names) {
        const weight = weights.get(name)
        if (weight !== undefined) sum += weight * (rarities.get(name) ?? 0)
      }
      return sum === 0 ? 0 : Math.log1p(sum) / 3
    })
  }
  const recency = recencyAt(head)
  const isUnedited = file.changedSeq === null
  const asked = signals.askedByPath.get(file.path)
  const located = signals.locationsByPath.get(file.path)
  const locations = located === undefined ? null : locationWeights(piece, located)
  const importRate = asked !== undefined && isUnedited ? 1 : recency(file.lastSeq)
  addNames('asked', asked)
  addNames('mentioned', signals.mentioned)
  addNames('searched', signals.searched)
  addNames('replaced', signals.replaced)
  if (origin !== null) addSame(origin.isChange ? 'edited' : 'read', recency(origin.seq))
  else {
    add('edited', ({ seq, isChange }) => (isChange ? recency(seq) : 0))
    add('read', ({ seq, isChange }) => (isChange ? 0 : recency(seq)))
  }
  if (locations !== null) {
    add('located', (_, at) => locations[at] ?? 0)
    if (isUnedited) add('locatedUnedited', (_, at) => locations[at] ?? 0)
  }
  if (analysis.hasImport) add('imports', (line) => (line.analysis.isImport ? importRate : 0))
  let [knownSum, worth] = [Number.NaN, 0]
  return sums.map((sum, at) => {
    // Neighbouring lines mostly have the same reasons.
    if (sum !== knownSum) [knownSum, worth] = [sum, Math.exp(sum)]
    return lines[at]?.analysis.isLabel === true ? 0 : worth
  })
}

function hasCommonKey(one: ReadonlyMap<string, unknown>, other: ReadonlyMap<string, unknown>) {
  const [fewer, more] = one.size < other.size ? [one, other] : [other, one]
  for (const key of fewer.keys()) if (more.has(key)) return true
  return false
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

/** How rare the signals' names are in the lines: rare names count more, plain words less. */
function raritiesOf(files: readonly FileText[], signals: WorkSignals): ReadonlyMap<string, number> {
  const { askedByPath, mentioned, searched, replaced } = signals
  const sources = [...askedByPath.values(), mentioned, searched, replaced]
  const known = new Set(sources.flatMap((weights) => [...weights.keys()]))
  const counts = new Map<string, number>()
  let lineCount = 0
  for (const { pieces } of files)
    for (const { lines } of pieces) {
      lineCount += lines.length
      const { lineCounts } = analysisOf(lines)
      for (const name of known.size < lineCounts.size ? known : lineCounts.keys()) {
        const count = lineCounts.get(name)
        if (count !== undefined && known.has(name))
          counts.set(name, (counts.get(name) ?? 0) + count)
      }
    }
  return new Map(
    [...counts].map(([name, count]) => [
      name,
      Math.log(lineCount / count) * (patterns.identifier.test(name) ? 1 : limits.plainWordFactor),
    ]),
  )
}

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
