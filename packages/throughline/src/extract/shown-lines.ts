/**
 * The lines of a file in what a tool said, without the numbers that it set before them.
 * Tools number in many ways (`  12→text`, `12<tab>text`, `00012| text`, `L12: text`); a
 * number is only taken for one if those of the lines before and behind go on from it, so
 * that a table or a list that begins with numbers stays as it is.
 */
export interface ShownLines {
  /** Of the first line, counted from 1; null where nobody says. */
  readonly firstLine: number | null
  readonly lines: readonly string[]
}

const numbered = /^[ \t]{0,8}L?(\d{1,7})(?:→|\t|\| ?|: ?)/

// A tool that shows more of a file shows no file.
export const mostLines = 20_000

/** Runs of lines that follow each other; one without numbers where the tool has set none. */
export function shownLinesIn(text: string, firstLine: number | null): readonly ShownLines[] {
  const lines = text.split('\n', mostLines)
  return runsOf(lines) ?? [{ firstLine, lines: lines.at(-1) === '' ? lines.slice(0, -1) : lines }]
}

interface Run {
  readonly firstLine: number
  readonly lines: string[]
}

/** Null where most lines have no number, or their numbers do not follow each other. */
function runsOf(lines: readonly string[]): readonly ShownLines[] | null {
  const runs: Run[] = []
  let found = 0
  let follow = 0
  let empty = 0
  for (const line of lines) {
    const hit = numbered.exec(line)
    // What a client says above or below the file has no number.
    if (hit === null) {
      if (line.trim() === '') empty += 1
      continue
    }
    found += 1
    const number = Number(hit[1])
    const rest = line.slice(hit[0].length)
    const last = runs.at(-1)
    if (last !== undefined && number === last.firstLine + last.lines.length) {
      last.lines.push(rest)
      follow += 1
    } else runs.push({ firstLine: number, lines: [rest] })
  }
  const isNumbered = found > 0 && found + empty >= lines.length * numberedShare
  const doFollow = follow >= (found - 1) * followingShare
  return isNumbered && doFollow ? runs : null
}

// A page of a file has a few lines of the client around it; a short one has as many.
const numberedShare = 0.6
const followingShare = 0.8
