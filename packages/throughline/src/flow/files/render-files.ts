/** Renders lines of files word for word, because an edit must quote the replaced text exactly. */
import { defaults } from '../../defaults-data.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { withinTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import type { LogReader } from '../read/readers.ts'
import { redactLogMessage } from '../redact/redact-message.ts'
import { fileTextsOf, type TextPiece } from './file-text.ts'
import { lineWorths, workSignalsOf } from './line-worth.ts'

interface ChooseOptions {
  /** The common folder of the files; it is named once and left out of the paths. */
  readonly root: string
  /** Whether a message is shown whole; its lines are not repeated. */
  readonly isShown: (seq: Seq) => boolean
}

/** Rates the lines of redacted messages (oldest first) once; the result can be called repeatedly. */
export function piecesChooser(
  messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[],
  /** The position of the next message. */
  head: Seq,
  /** The limit for the texts of all files. */
  heldCharacters: number = Number.POSITIVE_INFINITY,
) {
  const files = fileTextsOf(messages, heldCharacters)
  const worths = lineWorths(files, workSignalsOf(messages, files), head)
  const pieces = files.flatMap(({ path, pieces: of }, at) =>
    of.map((piece, index) => ({
      path,
      piece,
      worths: worths[at]?.[index] ?? new Float64Array(),
      sizes: Int32Array.from(piece.lines, ({ text }) => text.length + 1),
    })),
  )
  return ({ root, isShown }: ChooseOptions) => {
    const left = pieces.map((of) => {
      const isBelow = root !== '' && of.path.startsWith(root)
      const path = isBelow ? of.path.slice(root.length) : of.path
      const worths = of.worths.map((worth, line) =>
        isShown(of.piece.lines[line]?.seq ?? head) ? 0 : worth,
      )
      return { ...of, path, worths, headCharacters: path.length + headingCharacters }
    })
    return (characters: number) => {
      const texts = chooseWindows(left, characters).flatMap(({ piece: at, from, to }) => {
        const of = left[at]
        return of === undefined ? [] : [windowText(of.path, of.piece, { from, to })]
      })
      return { text: texts.join('\n'), windows: texts.length }
    }
  }
}

// Upper bound for the line numbers and anchors after a path.
const headingCharacters = 60

function windowText(
  path: string,
  { firstLine, lines }: TextPiece,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const shown = lines.slice(from, to)
  const numbers = firstLine === null ? '' : ` lines ${firstLine + from}–${firstLine + to - 1}`
  const newestFirst = [...new Set(shown.map(({ seq }) => seq))].sort((one, other) => other - one)
  const anchors = newestFirst.slice(0, maxAnchors).map((seq) => ` #${seq}`)
  return [`${path}${numbers}${anchors.join('')}`, ...shown.map(({ text }) => text)].join('\n')
}

const maxAnchors = 2

export type RenderFiles = (
  options: ChooseOptions & { readonly mostTokens: number },
) => Promise<string>

const charactersPerToken = 3
// The best lines are chosen from this many times the available room.
const heldTimes = 60

/** Reads and rates the messages once, even if the files are rendered several times. */
export function filesRenderer(
  log: Pick<LogReader, 'head' | 'readBack'>,
  meter: Pick<Meter, 'text'>,
): RenderFiles {
  let chooser: Promise<ReturnType<typeof piecesChooser>> | null = null
  const createChooser = async (mostTokens: number) => {
    const messages = await log.readBack(log.head, defaults.filesMessages.value)
    return piecesChooser(
      messages.map((message) => redactLogMessage(message).message),
      log.head,
      mostTokens * charactersPerToken * heldTimes,
    )
  }
  return async ({ mostTokens, root, isShown }) => {
    if (mostTokens < defaults.summaryLeastTokens.value) return ''
    chooser ??= createChooser(mostTokens)
    const choose = (await chooser)({ root, isShown })
    const chosen = await withinTokens(mostTokens, charactersPerToken, meter, choose)
    // Tool output may contain lone surrogates, which providers refuse.
    return chosen?.text.toWellFormed() ?? ''
  }
}

export interface WorthLines {
  readonly worths: Float64Array
  readonly sizes: readonly number[] | Int32Array
  readonly headCharacters: number
}

interface LineWindow {
  readonly piece: number
  readonly from: number
  readonly to: number
}

/** Buys lines at one price per character plus a cost per run; bisects for the lowest price that fits. */
export function chooseWindows(
  pieces: readonly WorthLines[],
  characters: number,
): readonly LineWindow[] {
  const sizeOf = (windows: readonly LineWindow[]) =>
    windows.reduce((sum, window) => sum + windowSize(pieces, window), 0)
  const highest = pieces.map(highestPrice)
  const atPrice = (price: number) =>
    pieces.flatMap((lines, piece) =>
      // At the price of its best line, no line of a piece is worth buying.
      price >= (highest[piece] ?? 0)
        ? []
        : runsWorth(lines, price).map((run) => ({ piece, ...run })),
    )
  let low = 0
  let high = highest.reduce((most, price) => Math.max(most, price), 0)
  let chosen: readonly LineWindow[] = []
  for (let round = 0; round < rounds; round += 1) {
    const price = (low + high) / 2
    const windows = atPrice(price)
    if (sizeOf(windows) <= characters) {
      high = price
      chosen = windows
    } else low = price
  }
  // One step of the price may add a whole file; fill the remaining room with parts of it.
  let left = characters - sizeOf(chosen)
  const more: LineWindow[] = []
  for (const window of byWorth(pieces, atPrice(low))) {
    const { piece, from, to } = window
    if (chosen.some((each) => each.piece === piece && each.from < to && from < each.to)) continue
    const cut = cutWindow(pieces, window, left)
    if (cut === null) continue
    more.push(cut)
    left -= windowSize(pieces, cut)
  }
  return [...chosen, ...more].sort((one, other) => one.piece - other.piece || one.from - other.from)
}

function byWorth(
  pieces: readonly WorthLines[],
  windows: readonly LineWindow[],
): readonly LineWindow[] {
  return windows
    .map((window) => {
      let worth = 0
      for (const each of pieces[window.piece]?.worths.subarray(window.from, window.to) ?? [])
        worth += each
      return { window, worth: worth / Math.max(1, windowSize(pieces, window)) }
    })
    .sort((one, other) => other.worth - one.worth)
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
  const worthAt = (at: number) => (at < from || at >= to ? -1 : (lines.worths[at] ?? 0))
  const sizeAt = (at: number) => lines.sizes[at] ?? 0
  let start = from
  for (let at = from; at < to; at += 1) if (worthAt(at) > worthAt(start)) start = at
  let end = start + 1
  let left = characters - lines.headCharacters - sizeAt(start)
  if (left < 0) return null
  while (start > from || end < to) {
    const isAbove = worthAt(start - 1) > worthAt(end)
    left -= sizeAt(isAbove ? start - 1 : end)
    if (left < 0) break
    if (isAbove) start -= 1
    else end += 1
  }
  return { piece, from: start, to: end }
}

const maxExtraWindows = 200
const rounds = 30
// The extra cost of each run, so that few long runs are preferred.
const openingCharacters = 150

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
  const starts = new Int32Array(worths.length + 1).fill(-1)
  let best = 0
  let open = Number.NEGATIVE_INFINITY
  let start = 0
  for (let at = 0; at < worths.length; at += 1) {
    const opened = best - price * openingCharacters
    if (opened > open) {
      open = opened
      start = at
    }
    open += (worths[at] ?? 0) - price * (sizes[at] ?? 0)
    if (open > best) {
      best = open
      starts[at + 1] = start
    }
  }
  const runs: Run[] = []
  for (let at = worths.length; at > 0; ) {
    const from = starts[at] ?? -1
    if (from >= 0) runs.push({ from, to: at })
    at = from >= 0 ? from : at - 1
  }
  return runs.reverse()
}
