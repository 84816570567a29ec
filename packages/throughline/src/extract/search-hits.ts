/**
 * Counts hits in the formats of common tools: `file:12:text`, file names, a name with its lines
 * below, a total in words.
 */
export interface SearchHits {
  readonly matches: number
  readonly files: number
  readonly paths: readonly string[]
}

const maxPaths = 12
const outputCharacters = 200_000

export function searchHitsIn(output: string): SearchHits {
  const found = new Set<string>()
  let lines = 0
  let named = 0
  const totals = totalsIn(output.slice(0, 400)) ?? totalsIn(output.slice(-400))
  for (const line of output.slice(0, outputCharacters).split('\n')) {
    if (line.length < 3) continue
    const hit = located.exec(line.length > 400 ? line.slice(0, 400) : line)
    const alone = hit === null ? heading.exec(line.length > 400 ? '' : line)?.[1] : undefined
    if (hit?.[1] !== undefined && isPath(hit[1])) {
      lines += 1
      found.add(hit[1])
    } else if (alone !== undefined && isPath(alone)) {
      named += 1
      found.add(alone)
    } else if (numbered.test(line)) lines += 1
  }
  const files = totals?.files ?? found.size
  const matches = totals?.matches ?? (lines > 0 ? lines : named)
  const paths = [...found].slice(0, maxPaths)
  return { matches: Math.max(matches, totals === null ? 0 : files), files, paths }
}

/** `src/a.ts:12:text`, also with a drive letter; context lines have hyphens instead. */
const located = /^((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+ -]{1,300}?):\d{1,7}(?::|$)/u
const heading = /^(?:File: |- )?((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+-]{2,300}):?\s{0,4}$/u
const numbered = /^\s{0,8}(?:L|Line )?\d{1,7}:/

function isPath(text: string): boolean {
  // A context line without spaces.
  if (/\.\w{1,10}-\d{1,7}-/.test(text)) return false
  return /[/\\]|[^.]\.[A-Za-z]\w{0,9}$/.test(text) && /[\p{L}\p{N}]/u.test(text)
}

interface Totals {
  readonly matches: number | null
  readonly files: number | null
}

function totalsIn(text: string): Totals | null {
  if (isEmptyResult(text)) return { matches: 0, files: 0 }
  const matches = /\b(\d{1,9}) (?:total )?(?:matche?s?|results?|hits?|occurrences?)\b/i.exec(
    text,
  )?.[1]
  const files = /\bFound (\d{1,9}) files?\b|\b(?:across|in) (\d{1,9}) files?\b/i.exec(text)
  const fileCount = files?.[1] ?? files?.[2]
  if (matches === undefined && fileCount === undefined) return null
  return {
    matches: matches === undefined ? null : Number(matches),
    files: fileCount === undefined ? null : Number(fileCount),
  }
}

const emptyResultCharacters = 300

export function isEmptyResult(output: string): boolean {
  return (
    output.length < emptyResultCharacters &&
    /^\s*(?:\[\]|\{\}|null)?\s*$|^\s*no (?:\w{1,20} ){0,2}(?:files?|match(?:es)?|results?|hits?|entries)\b|\b(?:found 0|0 (?:matches|results|hits|files))\b|\bnothing found\b/i.test(
      output,
    )
  )
}
