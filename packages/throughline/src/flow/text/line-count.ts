// More than that is not counted: nobody needs to know a million lines to the line.
const countedCharacters = 1_000_000

/** How many lines a text has; null for one that is too long to be worth counting. */
export function lineCount(text: string): number | null {
  if (text.length > countedCharacters) return null
  if (text === '') return 0
  let lines = 1
  // A line end at the very end ends a line and begins none.
  for (let at = text.indexOf('\n'); at !== -1 && at < text.length - 1; ) {
    lines += 1
    at = text.indexOf('\n', at + 1)
  }
  return lines
}
