/**
 * Hits in the forms of common tools: `file:12:text`, file names, a name with its lines below, a
 * sum in words.
 */
export interface SearchHits {
  readonly matches: number
  readonly files: number
  readonly paths: readonly string[]
}

const mostPaths = 12
const outputCharacters = 200_000

export function searchHitsIn(output: string): SearchHits {
  const found = new Set<string>()
  let lines = 0
  let named = 0
  const summed = sumIn(output.slice(0, 400)) ?? sumIn(output.slice(-400))
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
  const files = summed?.files ?? found.size
  const matches = summed?.matches ?? (lines > 0 ? lines : named)
  const paths = [...found].slice(0, mostPaths)
  return { matches: Math.max(matches, summed === null ? 0 : files), files, paths }
}

/** `src/a.ts:12:text` and the end of a drive's letter; context lines have hyphens instead. */
const located = /^((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+ -]{1,300}?):\d{1,7}(?::|$)/u
const heading = /^(?:File: |- )?((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+-]{2,300}):?\s{0,4}$/u
const numbered = /^\s{0,8}(?:L|Line )?\d{1,7}:/

function isPath(text: string): boolean {
  // A line around a hit that has no space in it.
  if (/\.\w{1,10}-\d{1,7}-/.test(text)) return false
  return /[/\\]|[^.]\.[A-Za-z]\w{0,9}$/.test(text) && /[\p{L}\p{N}]/u.test(text)
}

interface Sum {
  readonly matches: number | null
  readonly files: number | null
}

function sumIn(text: string): Sum | null {
  if (isNothing(text)) return { matches: 0, files: 0 }
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

const nothingCharacters = 300

export function isNothing(output: string): boolean {
  return (
    output.length < nothingCharacters &&
    /^\s*(?:\[\]|\{\}|null)?\s*$|^\s*no (?:\w{1,20} ){0,2}(?:files?|match(?:es)?|results?|hits?|entries)\b|\b(?:found 0|0 (?:matches|results|hits|files))\b|\bnothing found\b/i.test(
      output,
    )
  )
}
