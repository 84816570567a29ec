/** Whether a text holds the lines that a call went to read. */

/** Shorter ones (`}`, `else`) stand everywhere and say nothing. */
const lineCharacters = 6
/** A file changes a little between two looks at it. */
const enough = 0.9

export function neededLines(result: string): ReadonlySet<string> {
  // What a tool adds for the model's ears is no line of the file.
  const file = result.replace(/<system-reminder>[\s\S]*?<\/system-reminder>/g, '')
  return new Set([...linesOf(file)].filter((line) => line.length >= lineCharacters))
}

/** Answers whether nearly all of some lines stand in the text; where none are asked for, no. */
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

/** A file as it is, where a tool has numbered its lines (`   12→text`). */
export function withoutLineNumbers(text: string): string {
  return text.replace(/(?<![^\n])\s*\p{Nd}+→/gu, '')
}
