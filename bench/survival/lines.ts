/** Whether a text contains the lines that a call read. */

/** Shorter lines (`}`, `else`) occur everywhere and mean nothing. */
const lineCharacters = 6
/** A file may change a little between two reads. */
const enough = 0.9

export function neededLines(result: string): ReadonlySet<string> {
  // Lines that a tool adds for the model are not lines of the file.
  const file = result.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
  return new Set([...linesOf(file)].filter((line) => line.length >= lineCharacters))
}

/** Returns whether nearly all of some lines are in the text; false for no lines. */
export function heldLines(text: string): (needed: ReadonlySet<string>) => boolean {
  const held = linesOf(text)
  return (needed) => {
    const found = [...needed].filter((line) => held.has(line)).length
    return needed.size > 0 && found >= needed.size * enough
  }
}

function linesOf(text: string): ReadonlySet<string> {
  return new Set(
    withoutLineNumbers(text)
      .split('\n')
      .map((line) => line.trim()),
  )
}

/** A file without the line numbers of a tool (`   12→text`). */
export function withoutLineNumbers(text: string): string {
  return text.replace(/(?<![^\n])\s*\p{Nd}+→/gu, '')
}
