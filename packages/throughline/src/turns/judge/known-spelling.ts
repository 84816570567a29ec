/**
 * Whether words stand in a source one behind the other, and how they are spelled there. Case,
 * accents and the marks between words are what a model gets wrong; the source knows better.
 */
export class KnownSpelling {
  readonly #sources: readonly string[]
  #folded: readonly string[] | null = null

  constructor(sources: readonly string[]) {
    this.#sources = sources
  }

  /** As a source has it; null where none has it. */
  of(name: string): string | null {
    if (this.#sources.some((source) => standsIn(source, name))) return name
    const wanted = folded(name)
    if (wanted.trim() === '') return name
    this.#folded ??= this.#sources.map(folded)
    for (const [index, text] of this.#folded.entries()) {
      const at = text.indexOf(wanted)
      if (at >= 0) return spelledAt(this.#sources[index] ?? '', text.slice(0, at), wanted)
      // Scripts without spaces have names inside what looks like one word.
      if (unspaced.test(wanted) && text.includes(wanted.trim())) return name
    }
    return null
  }
}

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/

/** Letter by letter, and not as a part of a longer word. */
export function standsIn(source: string, name: string): boolean {
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
    const isWide = unspaced.test(name)
    const before = source.slice(Math.max(0, at - 2), at)
    const behind = source.slice(at + name.length, at + name.length + 2)
    if (isWide || (!/[\p{L}\p{N}]$/u.test(before) && !/^[\p{L}\p{N}\p{M}]/u.test(behind)))
      return true
  }
  return false
}

/** Its words in small letters without accents, a space around each. */
function folded(text: string): string {
  return ` ${(text.match(words) ?? []).map(foldedWord).join(' ')} `
}

const words = /[\p{L}\p{N}\p{M}]+/gu

function foldedWord(word: string): string {
  if (plain.test(word)) return word.toLowerCase()
  return word
    .normalize('NFKD')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '')
    .toLowerCase()
}

const plain = /^[A-Za-z0-9]+$/

function spelledAt(source: string, before: string, wanted: string): string {
  const first = before.split(' ').length - 1
  const count = wanted.trim().split(' ').length
  const found = [...source.matchAll(words)].slice(first, first + count)
  const from = found[0]?.index ?? 0
  const last = found.at(-1)
  return source.slice(from, (last?.index ?? 0) + (last?.[0].length ?? 0))
}
