/**
 * Alternatives of a pattern, put together by their first letters. A pattern tries one after
 * the other at the beginning of each word; this way it tries a letter for many of them.
 */

/** The same words are found as by `sources` joined with `|`; which comes first may differ. */
export function byFirstLetters(sources: readonly string[]): string {
  const groups = Map.groupBy(sources.flatMap(alternativesOf).flatMap(unfolded), firstLetterOf)
  const rest = groups.get('') ?? []
  groups.delete('')
  const grouped = [...groups].map(([letter, all]) => {
    const behind = all.map((source) => source.slice(letter.length))
    return behind.length === 1 ? `${letter}${behind[0]}` : `${letter}(?:${behind.join('|')})`
  })
  return [...grouped, ...rest].join('|')
}

/** Empty where it begins with something else, or where the letter may be missing. */
function firstLetterOf(source: string): string {
  return /^\p{L}(?![?*+{])/u.exec(source)?.[0] ?? ''
}

/** `(?:i|we) want` is `i want` and `we want`. */
function unfolded(source: string): readonly string[] {
  if (!source.startsWith('(?:')) return [source]
  const end = groupEnd(source)
  if (/^[?*+{]/.test(source.slice(end))) return [source]
  const rest = source.slice(end)
  return alternativesOf(source.slice('(?:'.length, end - 1)).flatMap((one) => unfolded(one + rest))
}

/** Behind the bracket that closes the first. */
function groupEnd(source: string): number {
  let at = 0
  for (const { depth, index } of places(source)) {
    at = index + 1
    if (depth === 0) break
  }
  return at
}

function alternativesOf(source: string): readonly string[] {
  const found: string[] = []
  let from = 0
  for (const { letter, depth, index } of places(source))
    if (letter === '|' && depth === 0) {
      found.push(source.slice(from, index))
      from = index + 1
    }
  return [...found, source.slice(from)]
}

interface Place {
  readonly letter: string
  readonly index: number
  /** How many brackets are open behind it. */
  readonly depth: number
}

function* places(source: string): Generator<Place> {
  let depth = 0
  let isInClass = false
  for (let index = 0; index < source.length; index += 1) {
    const letter = source[index] ?? ''
    if (letter === '\\') {
      index += 1
      continue
    }
    if (letter === '[') isInClass = true
    else if (letter === ']') isInClass = false
    else if (!isInClass && letter === '(') depth += 1
    else if (!isInClass && letter === ')') depth -= 1
    if (!isInClass) yield { letter, index, depth }
  }
}
