/** Measures, cuts, pads and wraps text by terminal columns. */
import { createRequire } from 'node:module'
import { stripVTControlCharacters } from 'node:util'
import type stringWidth from 'string-width'

// One column for each character, dashes, quotes, arrows and frames among them: nothing to measure.
const plainText =
  /^[\u0020-\u007e\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027\u2190-\u2193\u2500-\u259f]*$/

export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text)
  return plainText.test(bare) ? bare.length : measureWidth()(bare)
}

let measure: typeof stringWidth | null = null

/** Loaded when a text needs it: string-width takes longer to load than most commands take to run. */
function measureWidth(): typeof stringWidth {
  measure ??= createRequire(import.meta.url)('string-width').default as typeof stringWidth
  return measure
}

/** For text without colours; `more` ends what was cut. */
export function cutTo(text: string, width: number, more: string): string {
  if (widthOf(text) <= width) return text
  const room = width - more.length
  if (room <= 0) return more.slice(0, Math.max(0, width))
  const [kept = ''] = pieces(text, room)
  return `${kept.trimEnd()}${more}`
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

export function indented(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `  ${line}`.trimEnd())
}

/** For text without colours. Breaks between words where possible. */
export function wrap(text: string, width: number): readonly string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, Math.max(1, width)))
}

function wrapLine(line: string, width: number): readonly string[] {
  if (widthOf(line) <= width) return [line]
  const lines: string[] = []
  let current = ''
  for (const word of line.split(/(?<= )(?=[^ ])/)) {
    if (current !== '' && widthOf(current + word.trimEnd()) > width) {
      lines.push(current.trimEnd())
      current = ''
    }
    const broken = widthOf(word.trimEnd()) > width ? [...pieces(word, width)] : [word]
    for (const piece of broken.slice(0, -1)) lines.push(piece)
    current += broken.at(-1) ?? ''
  }
  return [...lines, current.trimEnd()]
}

/** Cuts between graphemes. */
function* pieces(text: string, width: number): Generator<string> {
  if (plainText.test(text)) {
    for (let at = 0; at < text.length; at += width) yield text.slice(at, at + width)
    return
  }
  let [current, used] = ['', 0]
  // Made here: the segmenter takes longer to make than all of our modules to load.
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    const next = measureWidth()(segment)
    if (used + next > width && current !== '') {
      yield current
      ;[current, used] = ['', 0]
    }
    current += segment
    used += next
  }
  yield current
}
