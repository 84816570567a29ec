/** What is shown while it comes: a bar for long work, a picture that changes, and text piece by piece. */
import type { Output, World } from '../world.ts'
import { cutTo, widthOf } from './cells.ts'
import { meter } from './labelled.ts'
import { duration } from './numbers.ts'
import { safeText } from './safe-text.ts'
import { styleOf } from './style.ts'

/**
 * A bar with its rate and the time that is left; where nobody knows the total, the rate alone. `unit`: how an
 * amount is written. Only on a terminal: elsewhere it says nothing.
 */
export function progressBar(
  { label, total, unit }: ProgressOptions,
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
    /** Takes the bar away. */
    end: (): void => {
      if (drawnAt !== Number.NEGATIVE_INFINITY) void stderr.write('\r\u001b[2K')
    },
  }
}

type ProgressOptions = Readonly<{
  label: string
  total: number | null
  unit: (amount: number) => string
}>

const betweenDrawsMs = 100
const barCells = 24

/** How fast it goes, and how long it still takes; nothing before that can be told. */
export function paceTexts(
  done: number,
  total: number | null,
  elapsedMs: number,
  unit: (amount: number) => string,
): readonly string[] {
  if (elapsedMs < 500) return []
  const perMs = done / elapsedMs
  const left = total === null || perMs === 0 ? [] : [`${duration((total - done) / perMs)} left`]
  return [`${unit(perMs * 1_000)}/s`, ...left]
}

/**
 * A picture that is drawn over itself, at most fifteen times a second. It stays on the screen where
 * it is: whoever ends us at once finds a terminal as it was.
 */
export function liveFrame({ stderr, now }: Pick<World, 'stderr' | 'now'>) {
  let [drawnAt, height, width] = [Number.NEGATIVE_INFINITY, 0, 0]
  /** Back to the first line; where the screen was made narrower, lines have become several. */
  const back = () => {
    if (height === 0) return ''
    if (stderr.width !== width) return '\u001b[2J\u001b[H'
    return `\u001b[${height}A\r`
  }
  return {
    draw: async (lines: () => readonly string[]): Promise<void> => {
      const time = now()
      if (time - drawnAt < betweenFramesMs) return
      drawnAt = time
      // What does not fit would scroll, and could not be drawn over.
      const shown = lines()
        .slice(0, Math.max(1, stderr.height - 1))
        .map((line) => clipped(line, stderr.width - 1))
      const text = shown.map((line) => `${line}\u001b[K\n`).join('')
      const frame = `${beginFrame}${back()}${text}\u001b[J${endFrame}`
      ;[height, width] = [shown.length, stderr.width]
      await stderr.write(frame)
    },
    /** Takes the picture away. */
    end: async (): Promise<void> => {
      if (height > 0) await stderr.write(`${back()}\u001b[J`)
      height = 0
    },
  }
}

const betweenFramesMs = 1_000 / 15

// Terminals that know it show a frame at once; others pass over it.
const beginFrame = '\u001b[?2026h'
const endFrame = '\u001b[?2026l'

/** As much of a line as fits; colours that were begun end all the same. */
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
 * Text that comes in pieces, made fit for a terminal on the way: stripped of what a terminal would
 * obey, and broken between words. Words wait until they are whole. Code is left as it is, so that it
 * can be copied: what stands between fences, and lines that are indented.
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
    // Scripts without spaces may break anywhere, and nothing waits for ever.
    return widthOf(character) === 2 || word.length >= longestWord ? flush() : ''
  }
  return {
    /** Gives what of it can be shown by now. */
    add: (text: string): string => Array.from(text, take).join(''),
    /** Gives the rest. */
    end: flush,
  }
}

const codeIndent = 4
const longestWord = 200
