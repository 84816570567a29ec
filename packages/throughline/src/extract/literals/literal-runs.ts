/**
 * The scan that all literal readers share: runs of allowed characters, with bits for the marks in
 * each run, so that plain words are skipped without a pattern. Each character is read once.
 */
import {
  atSign,
  beyondAscii,
  colon,
  digit,
  dollar,
  dot,
  hyphen,
  innerCapital,
  letter,
  listMark,
  lowLine,
  numberSign,
  pathMark,
  slash,
} from './literal-forms-data.ts'

/** A word without any of these, and without a capital inside, is plain. */
export const significantMarks: number =
  colon | atSign | hyphen | slash | dot | lowLine | numberSign | digit | pathMark | dollar

const marksOfAscii: Uint16Array = new Uint16Array(128)
  .fill(digit, 48, 58)
  .fill(letter | innerCapital, 65, 91)
  .fill(letter, 97, 123)
for (const [marks, bits] of [
  ['!,*=?&', listMark],
  [':', colon],
  ['/\\', slash | pathMark],
  ['@', atSign | pathMark],
  ['#', numberSign | pathMark],
  ['%~+', pathMark],
  ['.', dot],
  ['-', hyphen],
  ['_', lowLine],
  ['$', dollar],
] as const)
  for (const mark of marks) marksOfAscii[mark.charCodeAt(0)] = bits

/** The characters that a run may contain, as the bits that they set; 0 ends a run. */
export interface RunAlphabet {
  readonly ascii: Uint16Array
  readonly beyond: (code: number) => number
  /** Runs without any of these bits are plain words and are skipped. */
  readonly significant: number
}

export function runAlphabet(marks: string, { beyond, significant }: Omit<RunAlphabet, 'ascii'>) {
  const ascii = marksOfAscii.map((bits) => ((bits & (letter | digit)) === 0 ? 0 : bits))
  for (const mark of marks) {
    const code = mark.charCodeAt(0)
    ascii[code] = marksOfAscii[code] ?? 0
  }
  return { ascii, beyond, significant }
}

/** Returns where the scan continues: at the end of this run, or after it. */
export type VisitRun = (from: number, to: number, marks: number) => number

export function eachRun(text: string, alphabet: RunAlphabet, visit: VisitRun): void {
  const { ascii, beyond, significant } = alphabet
  for (let index = 0; index < text.length; index += 1) {
    let code = text.charCodeAt(index)
    let bits = code < 128 ? (ascii[code] ?? 0) : beyond(code)
    if (bits === 0) continue
    const from = index
    let marks = bits & ~innerCapital
    for (index += 1; index < text.length; index += 1) {
      code = text.charCodeAt(index)
      bits = code < 128 ? (ascii[code] ?? 0) : beyond(code)
      if (bits === 0) break
      marks |= bits
    }
    // A colon may be the start of an address, after any run.
    if ((marks & significant) !== 0 || (code === colonCode && index < text.length))
      index = visit(from, index, marks) - 1
  }
}

const colonCode = 58

/** The bits of all characters in a range. */
export function marksIn(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from)
  let marks = first < 128 ? (marksOfAscii[first] ?? 0) & ~innerCapital : beyondAscii
  for (let index = from + 1; index < to; index += 1) {
    const code = text.charCodeAt(index)
    marks |= code < 128 ? (marksOfAscii[code] ?? 0) : beyondAscii
  }
  return marks
}
