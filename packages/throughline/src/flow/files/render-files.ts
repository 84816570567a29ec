/** Renders lines of files word for word, because an edit must quote the replaced text exactly. */
import { defaults } from '../../defaults-data.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { anchorOf, type Span } from '../../domain/span.ts'
import { withinTokens } from '../measure/fit-to-tokens.ts'
import type { TextMeter } from '../measure/measure.ts'
import type { LogReader } from '../read/readers.ts'
import { redactLogMessage } from '../redact/redact-message.ts'
import { fileTextsOf, type TextPiece } from './file-text.ts'
import { lineWorths, workSignalsOf } from './line-worth.ts'
import { analysisOf } from './text-line.ts'

interface ChooseOptions {
  /** The common folder of the files; it is named once and left out of the paths. */
  readonly root: string
  /** Whether a message is shown whole; its lines are not repeated. */
  readonly isShown: (seq: Seq) => boolean
}

/**
 * Rates the lines of redacted messages (oldest first) once; the result can be called repeatedly.
 * `head` is the position of the next message, `characterLimit` the limit for all files together.
 */
export function piecesChooser(
  messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[],
  head: Seq,
  characterLimit: number = Number.POSITIVE_INFINITY,
) {
  const files = fileTextsOf(messages, characterLimit)
  const worths = lineWorths(files, workSignalsOf(messages, files), head)
  const rated = files.flatMap(({ path, pieces }, fileIndex) =>
    pieces.map((piece, index) => ({
      path,
      piece,
      analysis: analysisOf(piece.lines),
      worths: worths[fileIndex]?.[index] ?? new Float64Array(),
    })),
  )
  const holders = new Map(files.map(({ path, pieces }) => [path, holdersOf(pieces)]))
  const choose = ({ root, isShown }: ChooseOptions) => {
    const candidates = rated.map((each) => {
      const path = each.path.startsWith(root) ? each.path.slice(root.length) : each.path
      const { origin, sizes } = each.analysis
      const isLineShown = (line: number) => isShown(each.piece.lines[line]?.seq ?? head)
      const worths =
        origin !== null && !isShown(origin.seq)
          ? each.worths
          : each.worths.map((worth, line) => (isLineShown(line) ? 0 : worth))
      return { ...each, path, sizes, worths, headCharacters: path.length + maxHeadingCharacters }
    })
    return (characters: number) => {
      const texts = chooseWindows(candidates, characters).flatMap((window) => {
        const candidate = candidates[window.piece]
        return candidate === undefined ? [] : [windowText(candidate.path, candidate.piece, window)]
      })
      return { text: texts.join('\n'), windows: texts.length }
    }
  }
  const characters = rated.reduce((sum, { piece }) => sum + piece.characters, 0)
  return { choose, holders, characters }
}

/** The anchors of the messages that have most of the known text, in the order of the log. */
function holdersOf(pieces: readonly TextPiece[]): readonly string[] {
  const characters = new Map<Seq, number>()
  for (const { lines } of pieces)
    for (const { seq, text } of lines) characters.set(seq, (characters.get(seq) ?? 0) + text.length)
  // One anchor for edits in a row: after many, each has little of the text.
  const runs: (Span & { readonly characters: number })[] = []
  for (const [seq, held] of [...characters].sort(([left], [right]) => left - right)) {
    const last = runs.at(-1)
    const continues = seq < (last?.to ?? 0) + maxRunGap && seq < (last?.from ?? 0) + maxRunMessages
    if (last !== undefined && continues)
      runs[runs.length - 1] = { ...last, to: seq + 1, characters: last.characters + held }
    else runs.push({ from: seq, to: seq + 1, characters: held })
  }
  return runs
    .toSorted((left, right) => right.characters - left.characters)
    .slice(0, maxHolders)
    .sort((left, right) => left.from - right.from)
    .map(anchorOf)
}

const maxRunGap = 3
const maxRunMessages = 16
const maxHolders = 3

// Upper bound for the line numbers and anchors after a path.
const maxHeadingCharacters = 60

function windowText(path: string, { firstLine, lines }: TextPiece, { from, to }: Run): string {
  const shown = lines.slice(from, to)
  const numbers = firstLine === null ? '' : ` lines ${firstLine + from}–${firstLine + to - 1}`
  const newestFirst = [...new Set(shown.map(({ seq }) => seq))].sort((left, right) => right - left)
  const anchors = newestFirst.slice(0, maxAnchors).map((seq) => ` #${seq}`)
  return [`${path}${numbers}${anchors.join('')}`, ...shown.map(({ text }) => text)].join('\n')
}

const maxAnchors = 2

export interface RenderedFiles {
  readonly text: string
  /** By the path of a file: the anchors of the messages that have most of its text. */
  readonly holders: ReadonlyMap<string, readonly string[]>
}

export const noFiles: RenderedFiles = { text: '', holders: new Map() }

export interface FileExcerpts {
  /** What the excerpts will have if they get as much as was asked for, about. */
  readonly expectedTokens: number
  render(options: ChooseOptions & { readonly maxTokens: number }): Promise<RenderedFiles>
}

const charactersPerToken = 3
// The best lines are chosen from this many times the available room.
const candidateTimes = 60

/** Reads the newest messages and rates the lines in them. */
export async function openFiles(
  log: Pick<LogReader, 'head' | 'readBack'>,
  meter: TextMeter,
  limitTokens: number,
): Promise<FileExcerpts> {
  if (limitTokens < defaults.summaryLeastTokens)
    return { expectedTokens: 0, render: async () => noFiles }
  const messages = await log.readBack(log.head, defaults.filesMessages)
  const { choose, holders, characters } = piecesChooser(
    messages.map((message) => redactLogMessage(message).message),
    log.head,
    limitTokens * charactersPerToken * candidateTimes,
  )
  return {
    expectedTokens: Math.min(limitTokens, characters / charactersPerToken),
    render: async ({ maxTokens, root, isShown }) => {
      const withRoot = choose({ root, isShown })
      const chosen = await withinTokens(maxTokens, charactersPerToken, meter, withRoot)
      // Tool output may contain lone surrogates, which providers refuse.
      return { text: chosen?.text.toWellFormed() ?? '', holders }
    },
  }
}

export interface WorthLines {
  readonly worths: Float64Array
  readonly sizes: readonly number[] | Int32Array
  readonly headCharacters: number
}

interface LineWindow {
  /** The index of the piece. */
  readonly piece: number
  readonly from: number
  readonly to: number
}

/**
 * Buys each run of lines whose worth exceeds its price: one price per character, plus a cost per
 * run. Bisects for the lowest price at which everything bought fits.
 */
export function chooseWindows(pieces: readonly WorthLines[], characters: number) {
  const sizeOf = (windows: readonly LineWindow[]) =>
    windows.reduce((sum, window) => sum + windowSize(pieces, window), 0)
  const highestPrices = pieces.map(highestPrice)
  const boughtAt = (price: number) =>
    pieces.flatMap((lines, piece) =>
      // At the price of its best line, no line of a piece is worth buying.
      price >= (highestPrices[piece] ?? 0)
        ? []
        : runsWorth(lines, price).map((run) => ({ piece, ...run })),
    )
  let low = 0
  let high = highestPrices.reduce((highest, price) => Math.max(highest, price), 0)
  let chosen: readonly LineWindow[] = []
  for (let round = 0; round < rounds; round += 1) {
    const price = (low + high) / 2
    const windows = boughtAt(price)
    if (sizeOf(windows) <= characters) {
      high = price
      chosen = windows
    } else low = price
  }
  // One step of the price may add a whole file; fill the remaining room with parts of it.
  let remaining = characters - sizeOf(chosen)
  const extra: LineWindow[] = []
  for (const window of bestPerCharacter(pieces, boughtAt(low))) {
    const { piece, from, to } = window
    if (chosen.some((each) => each.piece === piece && each.from < to && from < each.to)) continue
    const cut = cutWindow(pieces, window, remaining)
    if (cut === null) continue
    extra.push(cut)
    remaining -= windowSize(pieces, cut)
  }
  return [...chosen, ...extra].sort(
    (left, right) => left.piece - right.piece || left.from - right.from,
  )
}

function bestPerCharacter(pieces: readonly WorthLines[], windows: readonly LineWindow[]) {
  return windows
    .map((window) => {
      let worth = 0
      for (const each of pieces[window.piece]?.worths.subarray(window.from, window.to) ?? [])
        worth += each
      return { window, worth: worth / Math.max(1, windowSize(pieces, window)) }
    })
    .sort((left, right) => right.worth - left.worth)
    .slice(0, maxExtraWindows)
    .map(({ window }) => window)
}

/** Grows a window from its best line towards the better side; null if not even one line fits. */
function cutWindow(
  pieces: readonly WorthLines[],
  { piece, from, to }: LineWindow,
  characters: number,
): LineWindow | null {
  const lines = pieces[piece]
  if (lines === undefined) return null
  // Outside the window, -1 is below every worth.
  const worthAt = (at: number) => (at < from || at >= to ? -1 : (lines.worths[at] ?? 0))
  const sizeAt = (at: number) => lines.sizes[at] ?? 0
  let start = from
  for (let at = from; at < to; at += 1) if (worthAt(at) > worthAt(start)) start = at
  let end = start + 1
  let remaining = characters - lines.headCharacters - sizeAt(start)
  if (remaining < 0) return null
  while (start > from || end < to) {
    const isAboveBetter = worthAt(start - 1) > worthAt(end)
    remaining -= sizeAt(isAboveBetter ? start - 1 : end)
    if (remaining < 0) break
    if (isAboveBetter) start -= 1
    else end += 1
  }
  return { piece, from: start, to: end }
}

const maxExtraWindows = 200
const rounds = 30
// The cost of each run, so that few long runs are preferred.
const runCostCharacters = 150

function highestPrice({ worths, sizes }: WorthLines): number {
  let highest = 0
  for (let at = 0; at < worths.length; at += 1)
    highest = Math.max(highest, (worths[at] ?? 0) / Math.max(1, sizes[at] ?? 1))
  return highest
}

function windowSize(pieces: readonly WorthLines[], { piece, from, to }: LineWindow): number {
  let size = pieces[piece]?.headCharacters ?? 0
  for (let at = from; at < to; at += 1) size += pieces[piece]?.sizes[at] ?? 0
  return size
}

type Run = Pick<LineWindow, 'from' | 'to'>

/** The runs with the highest gain at a price, found in one pass (dynamic programming). */
function runsWorth({ worths, sizes }: WorthLines, price: number): readonly Run[] {
  // By the end of a run: its start, if the best runs up to there include it; else -1.
  const runStarts = new Int32Array(worths.length + 1).fill(-1)
  let bestGain = 0
  let openGain = Number.NEGATIVE_INFINITY
  let openStart = 0
  for (let at = 0; at < worths.length; at += 1) {
    const newRunGain = bestGain - price * runCostCharacters
    if (newRunGain > openGain) {
      openGain = newRunGain
      openStart = at
    }
    openGain += (worths[at] ?? 0) - price * (sizes[at] ?? 0)
    if (openGain > bestGain) {
      bestGain = openGain
      runStarts[at + 1] = openStart
    }
  }
  const runs: Run[] = []
  for (let at = worths.length; at > 0; ) {
    const from = runStarts[at] ?? -1
    if (from >= 0) runs.push({ from, to: at })
    at = from >= 0 ? from : at - 1
  }
  return runs.reverse()
}
