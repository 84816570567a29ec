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
  const paths = new Set<string>()
  let hitLines = 0
  let namedFiles = 0
  const totals = totalsIn(output.slice(0, 400)) ?? totalsIn(output.slice(-400))
  for (const line of output.slice(0, outputCharacters).split('\n')) {
    if (line.length < 3) continue
    const hit = fileAndLine.exec(line.length > 400 ? line.slice(0, 400) : line)
    const file = hit === null ? fileOnly.exec(line.length > 400 ? '' : line)?.[1] : undefined
    if (hit?.[1] !== undefined && isPath(hit[1])) {
      hitLines += 1
      paths.add(hit[1])
    } else if (file !== undefined && isPath(file)) {
      namedFiles += 1
      paths.add(file)
    } else if (lineOfFile.test(line)) hitLines += 1
  }
  const files = totals?.files ?? paths.size
  const matches = totals?.matches ?? (hitLines > 0 ? hitLines : namedFiles)
  return {
    matches: Math.max(matches, totals === null ? 0 : files),
    files,
    paths: [...paths].slice(0, maxPaths),
  }
}

/** `src/a.ts:12:text`, also with a drive letter; context lines have hyphens instead. */
const fileAndLine = /^((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+ -]{1,300}?):\d{1,7}(?::|$)/u
/** A file name alone, or above its lines. */
const fileOnly = /^(?:File: |- )?((?:[A-Za-z]:)?[\p{L}\p{N}_@./\\~+-]{2,300}):?\s{0,4}$/u
const lineOfFile = /^\s{0,8}(?:L|Line )?\d{1,7}:/

function isPath(text: string): boolean {
  // A context line without spaces.
  if (/\.\w{1,10}-\d{1,7}-/.test(text)) return false
  return /[/\\]|[^.]\.[A-Za-z]\w{0,9}$/.test(text) && /[\p{L}\p{N}]/u.test(text)
}

function totalsIn(text: string): Record<'matches' | 'files', number | null> | null {
  if (isEmptyResult(text)) return { matches: 0, files: 0 }
  const total = /\b(\d{1,9}) (?:total )?(?:matche?s?|results?|hits?|occurrences?)\b/i
  const matches = total.exec(text)?.[1]
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
