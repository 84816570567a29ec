/**
 * Which marks a word holds, as bits: what most forms of identifiers need, most words do not
 * have, and no pattern has to be asked for that.
 */
export const colon = 1
export const at = 2
export const hyphen = 4
/** Either way. */
export const slash = 8
export const dot = 16
export const lowLine = 32
export const numberSign = 64
export const digit = 128
/** Behind the first character. */
export const innerCapital = 256
/** What holds the parts of a list together. */
export const listMark = 512
/** What holds the parts of a path or an address together. */
export const pathMark = 1_024
const dollar = 2_048
/** Anything that is not ASCII, which may be a letter or a digit of any kind. */
export const beyondAscii = 4_096

/** Without any of these, and without a capital inside, a word is a plain one. */
export const tellingMarks =
  colon | at | hyphen | slash | dot | lowLine | numberSign | digit | pathMark | dollar

const bits: Uint16Array = new Uint16Array(128).fill(digit, 48, 58).fill(innerCapital, 65, 91)
const mark = (marks: string, bit: number) => {
  for (const letter of marks) bits[letter.charCodeAt(0)] = bit
}
mark('!,*=?&', listMark)
mark(':', colon)
mark('/\\', slash | pathMark)
mark('@', at | pathMark)
mark('#', numberSign | pathMark)
mark('%~+', pathMark)
mark('.', dot)
mark('-', hyphen)
mark('_', lowLine)
mark('$', dollar)

export function marksIn(text: string, from: number, to: number): number {
  const first = text.charCodeAt(from)
  let marks = first < 128 ? (bits[first] ?? 0) & ~innerCapital : beyondAscii
  for (let place = from + 1; place < to; place += 1) {
    const code = text.charCodeAt(place)
    marks |= code < 128 ? (bits[code] ?? 0) : beyondAscii
  }
  return marks
}
