/**
 * Lines of files for further edits, word for word: an edit has to name the text that it replaces
 * exactly.
 */
import { defaults } from '../../defaults-data.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import { withinTokens } from '../measure/fit-to-tokens.ts'
import type { Meter } from '../measure/measure.ts'
import type { LogReader } from '../read/readers.ts'
import { redactLogMessage } from '../redact/redact-message.ts'
import { fileTextsOf, type TextPiece } from './file-text.ts'
import { lineWorths, workSignalsOf } from './line-worth.ts'

interface ChoosingPieces {
  /** The folder that most files lie in, which is named once, beside. */
  readonly root: string
  /** Whether a message is shown as it is: its lines are not shown twice. */
  readonly isShown: (seq: Seq) => boolean
}

/** Messages are redacted, oldest first, up to the end of the log. Repeated calls weigh nothing anew. */
export function piecesChooser(
  messages: readonly Pick<Message, 'seq' | 'role' | 'parts'>[],
  /** The place that the next message will take. */
  head: Seq,
  /** Of files, at most. */
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
  return ({ root, isShown }: ChoosingPieces) => {
    const left = pieces.map((of) => {
      const isBelow = root !== '' && of.path.startsWith(root)
      const path = isBelow ? of.path.slice(root.length) : of.path
      const worths = of.worths.map((worth, line) =>
        isShown(of.piece.lines[line]?.seq ?? head) ? 0 : worth,
      )
      return { ...of, path, worths, headCharacters: path.length + placeCharacters }
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

// The most that the numbers of lines and the anchors after a path take, and the end of the line.
const placeCharacters = 60

function windowText(
  path: string,
  { firstLine, lines }: TextPiece,
  { from, to }: { readonly from: number; readonly to: number },
): string {
  const shown = lines.slice(from, to)
  const numbers = firstLine === null ? '' : ` lines ${firstLine + from}–${firstLine + to - 1}`
  const newestFirst = [...new Set(shown.map(({ seq }) => seq))].sort((one, other) => other - one)
  const anchors = newestFirst.slice(0, mostAnchors).map((seq) => ` #${seq}`)
  return [`${path}${numbers}${anchors.join('')}`, ...shown.map(({ text }) => text)].join('\n')
}

const mostAnchors = 2

export type RenderFiles = (
  options: ChoosingPieces & { readonly mostTokens: number },
) => Promise<string>

const charactersPerToken = 3
// Of so many times what there is room for, the best is chosen.
const heldTimes = 60

/** The messages are read and weighed once, however often the files are rendered. */
export function filesRenderer(
  log: Pick<LogReader, 'head' | 'readBack'>,
  meter: Pick<Meter, 'text'>,
): RenderFiles {
  let chooser: Promise<ReturnType<typeof piecesChooser>> | null = null
  const begun = async (mostTokens: number) => {
    const messages = await log.readBack(log.head, defaults.filesMessages.value)
    return piecesChooser(
      messages.map((message) => redactLogMessage(message).message),
      log.head,
      mostTokens * charactersPerToken * heldTimes,
    )
  }
  return async ({ mostTokens, root, isShown }) => {
    if (mostTokens < defaults.summaryLeastTokens.value) return ''
    chooser ??= begun(mostTokens)
    const choose = (await chooser)({ root, isShown })
    const chosen = await withinTokens(mostTokens, charactersPerToken, meter, choose)
    // Output of tools may hold halves of characters, and no provider takes those.
    return chosen?.text.toWellFormed() ?? ''
  }
}

/**
 * Buys lines at one price per character plus a cost per run; bisection finds the lowest price
 * that fits.
 */
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

export function chooseWindows(
  pieces: readonly WorthLines[],
  characters: number,
): readonly LineWindow[] {
  const sizeOf = (windows: readonly LineWindow[]) =>
    windows.reduce((sum, window) => sum + windowSize(pieces, window), 0)
  const highest = pieces.map(highestPrice)
  const atPrice = (price: number) =>
    pieces.flatMap((lines, piece) =>
      // At the price of its best line nothing of a piece is worth buying.
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
  // One step of the price may be a whole file; of what comes next is taken what finds room.
  let left = characters - sizeOf(chosen)
  const more: LineWindow[] = []
  for (const window of byWorth(pieces, atPrice(low))) {
    const { piece, from, to } = window
    if (chosen.some((each) => each.piece === piece && each.from < to && from < each.to)) continue
    const cut = withinSize(pieces, window, left)
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
    .slice(0, mostMore)
    .map(({ window }) => window)
}

/**
 * From its best line on, to the side where more is to be had, as far as there is room; null where
 * that is no line.
 */
function withinSize(
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

const mostMore = 200
const rounds = 30
// As if so many characters more had to be bought with each run.
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

/** The runs that gain most at a price, in one pass: either a line ends the best run so far, or no run. */
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
