/**
 * Runs of characters that names are made of, in the order of the text. Colons, commas,
 * quotes, brackets and the signs of Markdown end a run, so a place behind a path, an
 * argument of an address and emphasis are no part of it.
 */
export interface Run {
  readonly text: string
  readonly at: number
}

const runPattern = /[A-Za-z0-9_.\-/@+~\\\u00c0-\u024f\u0370-\u052f]+/g

// What is longer is data, and nobody writes it into a summary.
const longestRun = 400

export function* runsIn(text: string): Iterable<Run> {
  for (const found of text.matchAll(runPattern)) {
    const [whole] = found
    if (whole.length < 3 || whole.length > longestRun * 4) continue
    const from = leadingMarks(whole)
    const to = trailingMarks(whole, from)
    if (to - from >= 2 && to - from <= longestRun)
      yield { text: whole.slice(from, to).replaceAll('\\', '/'), at: found.index + from }
  }
}

/** A hyphen of a list, or the dots of an ellipsis; `./a`, `../a`, `~/a` and `.env` stay. */
function leadingMarks(run: string): number {
  let at = 0
  while (at < run.length && '-+@'.includes(run[at] ?? ' ')) at += 1
  while (run.startsWith('...', at)) at += 3
  return at
}

function trailingMarks(run: string, from: number): number {
  let to = run.length
  while (to > from && '.-+@~\\_'.includes(run[to - 1] ?? ' ')) to -= 1
  return to
}

/** What stands between slashes, without the steps up and down. */
export function segmentsOf(run: string): readonly string[] {
  return run.split('/').filter((segment) => segment !== '' && !/^(?:\.+|~)$/.test(segment))
}

/** Numbers whose digits are in groups of three, as one: `1,234,567.5` and `1.234.567,5`. */
export function groupedNumbersIn(text: string): readonly Run[] {
  return Array.from(text.matchAll(grouped), (found) => {
    const [whole] = found
    const fraction = /^\d{1,3}(?:,\d{3})+\./.test(whole) ? '.' : ','
    const at = whole.lastIndexOf(fraction)
    const isWhole = at < 0 || /^\d{1,3}(?:,\d{3})+$/.test(whole)
    const digits = (part: string) => part.replace(/\D/g, '')
    return {
      text: isWhole ? digits(whole) : `${digits(whole.slice(0, at))}.${digits(whole.slice(at))}`,
      at: found.index,
    }
  })
}

// One group behind a full stop is a fraction as well, and one behind a space another number.
const grouped =
  /(?<![\d.,])\d{1,3}(?:(?:,\d{3}){1,12}(?:\.\d{1,12})?|(?:\.\d{3}){2,12}(?:,\d{1,12})?|(?:['’_]\d{3}){1,12}|(?: \d{3}){2,12}|(?:[\u00a0\u202f]\d{3}){1,12}(?:,\d{1,12})?)(?!\d)/g
