/** Output during work: a progress bar, a live frame, and streamed text. */
import type { Output, World } from '../world.ts'
import { cutTo, widthOf } from './cells.ts'
import { meter } from './labelled.ts'
import { duration } from './numbers.ts'
import { safeText } from './safe-text.ts'
import { styleOf } from './style.ts'

/** A bar with rate and remaining time, or the rate alone without a total. Only on a terminal. */
export function progressBar(
  { label, total, unit }: Readonly<{ label: string; total: number | null; unit: Unit }>,
  { stderr, now }: Pick<World, 'stderr' | 'now'>,
) {
  const { dot } = styleOf(stderr)
  const started = now()
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    at: (done: number): void => {
      const time = now()
      if (!stderr.redraws || time - drawnAt < betweenDrawsMs) return
      drawnAt = time
      const amount = total === null ? unit(done) : `${unit(done)} of ${unit(total)}`
      const text = [amount, ...paceTexts(done, total, time - started, unit)].join(` ${dot} `)
      const plain = { colours: false, unicode: stderr.unicode }
      const bar = total === null ? '' : `${meter(total === 0 ? 1 : done / total, barCells, plain)} `
      void stderr.write(`\r\u001b[2K${cutTo(`${label} ${bar}${text}`, stderr.width - 1, '')}`)
    },
    end: (): void => {
      if (drawnAt !== Number.NEGATIVE_INFINITY) void stderr.write('\r\u001b[2K')
    },
  }
}

type Unit = (amount: number) => string
const betweenDrawsMs = 100
const barCells = 24

export function paceTexts(done: number, total: number | null, elapsedMs: number, unit: Unit) {
  if (elapsedMs < 500) return []
  const perMs = done / elapsedMs
  const left = total === null || perMs === 0 ? [] : [`${duration((total - done) / perMs)} left`]
  return [`${unit(perMs * 1_000)}/s`, ...left]
}

/**
 * A frame that is redrawn at most fifteen times a second. It uses the normal screen, so a kill leaves the
 * terminal as it was.
 */
export function liveFrame({ stderr, now }: Pick<World, 'stderr' | 'now'>) {
  let [drawnAt, height, width] = [Number.NEGATIVE_INFINITY, 0, 0]
  const back = () => {
    if (height === 0) return ''
    // After a resize lines may have wrapped.
    if (stderr.width !== width) return '\u001b[2J\u001b[H'
    return `\u001b[${height}A\r`
  }
  return {
    /** The last frame is always drawn. */
    draw: async (lines: () => readonly string[], isLast = false): Promise<void> => {
      const time = now()
      if (!isLast && time - drawnAt < betweenFramesMs) return
      drawnAt = time
      // Lines that do not fit would scroll and could not be redrawn.
      const shown = lines()
        .slice(0, Math.max(1, stderr.height - 1))
        .map((line) => clipped(line, stderr.width - 1))
      const text = shown.map((line) => `${line}\u001b[K\n`).join('')
      const frame = `${beginFrame}${back()}${text}\u001b[J${endFrame}`
      ;[height, width] = [shown.length, stderr.width]
      await stderr.write(frame)
    },
    end: async (): Promise<void> => {
      if (height > 0) await stderr.write(`${back()}\u001b[J`)
      height = 0
    },
  }
}

const betweenFramesMs = 1_000 / 15

// Synchronized output; terminals that do not know it ignore it.
const beginFrame = '\u001b[?2026h'
const endFrame = '\u001b[?2026l'

/** As much of a line as fits, with the escape that ends its colours. */
function clipped(line: string, width: number): string {
  if (widthOf(line) <= width) return line
  let [kept, used] = ['', 0]
  for (const piece of line.split(styles)) {
    const fits = piece.startsWith('\u001b') ? piece : cutTo(piece, width - used, '')
    kept += fits
    used += widthOf(fits)
  }
  return kept
}

const styles = /(\u001b\[[\d;]*m)/

/**
 * Streams text to a terminal without control sequences, wrapped between words; a word waits until it is
 * complete. Fenced and indented code is not wrapped, so that it can be copied.
 */
export function liveText(output: Pick<Output, 'width'>) {
  let [word, blanks, column] = ['', '', 0]
  let [isCode, isFenced] = [false, false]
  const flush = (): string => {
    const shown = safeText(word)
    word = ''
    if (shown === '') return ''
    const isFirst = column === 0
    if (isFirst && shown.startsWith('```')) isFenced = !isFenced
    isCode ||= isFirst && blanks.length >= codeIndent
    const width = widthOf(shown)
    const isWrapped =
      !isCode && !isFenced && column > 0 && column + blanks.length + width > output.width - 1
    const before = isWrapped ? '\n' : blanks
    column = (isWrapped ? 0 : column + blanks.length) + width
    blanks = ''
    return `${before}${shown}`
  }
  const take = (character: string): string => {
    if (character === '\n') {
      const before = flush()
      ;[column, blanks, isCode] = [0, '', false]
      return `${before}\n`
    }
    if (character === ' ' || character === '\t') {
      const before = flush()
      blanks += character === '\t' ? '    ' : ' '
      return before
    }
    word += character
    // Scripts without spaces may break anywhere, and a very long word is written early.
    return widthOf(character) === 2 || word.length >= longestWord ? flush() : ''
  }
  return { add: (text: string): string => Array.from(text, take).join(''), end: flush }
}

const codeIndent = 4
const longestWord = 200
