/**
 * Passages of a text as numbers, for telling whether it was copied. Of all runs of some words
 * a fixed part is kept, chosen by the words themselves: so the same passage gives the same
 * numbers wherever it stands, and a log of megabytes a set that fits beside it.
 */
const passageLength = 8
const oneIn = 4

/** Small letters and digits; scripts without spaces give their signs one by one. */
export function passageWords(text: string): readonly string[] {
  return text.toLowerCase().match(/[\u3040-\u30ff\u3400-\u9fff]|[\p{L}\p{N}]{1,80}/gu) ?? []
}

/** Every run of so many words. */
export function passagesOf(words: readonly string[]): readonly string[] {
  return words
    .slice(0, Math.max(0, words.length - passageLength + 1))
    .map((_, at) => words.slice(at, at + passageLength).join(' '))
}

export function* passageHashes(words: readonly string[]): Iterable<number> {
  const hashes = words.map(hashOf)
  for (let at = 0; at + passageLength <= hashes.length; at += 1) {
    let hash = 0
    for (let step = 0; step < passageLength; step += 1)
      hash = (Math.imul(hash, 0x01000193) ^ (hashes[at + step] ?? 0)) >>> 0
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d) >>> 0
    if (hash % oneIn === 0) yield hash
  }
}

function hashOf(word: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < word.length; at += 1)
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193)
  return hash >>> 0
}
