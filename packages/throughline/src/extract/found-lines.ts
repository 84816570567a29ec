/** Lines of files in what a search found: `file:12:text`, with lines around it as `file-13-text`. */
import type { ShownLines } from './shown-lines.ts'

export interface FoundLines extends ShownLines {
  readonly path: string
}

const saidCharacters = 200_000
const mostLines = 2_000
const located = /^((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+-]{1,300}?)([:-])(\d{1,7})\2/u
/** A search in one file names it nowhere. */
const alone = /^(\d{1,7})[:-]/

export function foundLinesIn(said: string, path: string | null): readonly FoundLines[] {
  const runs: { readonly path: string; readonly firstLine: number; readonly lines: string[] }[] = []
  for (const line of said.slice(0, saidCharacters).split('\n', mostLines)) {
    const head = line.slice(0, headCharacters)
    const inFile = located.exec(head)
    const inOne = inFile === null && path !== null ? alone.exec(head) : null
    const name = inFile?.[1] ?? path
    const number = Number(inFile?.[3] ?? inOne?.[1])
    const start = inFile?.[0] ?? inOne?.[0]
    if (start === undefined || name === null) continue
    const rest = line.slice(start.length)
    const last = runs.at(-1)
    if (last?.path === name && number === last.firstLine + last.lines.length) last.lines.push(rest)
    else runs.push({ path: name, firstLine: number, lines: [rest] })
  }
  return runs
}

const headCharacters = 320
