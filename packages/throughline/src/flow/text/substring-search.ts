/**
 * Whether a text contains each of many parts. Most parts are not in it: a table of the text's runs of
 * four characters rules them out, without a search.
 */
export function substringSearch(text: string): (part: string) => boolean {
  const runs = new Uint8Array(tableSize)
  for (let at = 0; at + runCharacters <= text.length; at += 1) runs[runHash(text, at)] = 1
  return (part) => {
    // Names with a common start differ at their ends.
    for (let at = part.length - runCharacters; at >= 0; at -= 1)
      if (runs[runHash(part, at)] === 0) return false
    return text.includes(part)
  }
}

const runCharacters = 4
const tableSize = 2 ** 16

function runHash(text: string, at: number): number {
  let hash = 0
  for (let index = at; index < at + runCharacters; index += 1)
    hash = Math.imul(hash, 31) + text.charCodeAt(index)
  return (hash ^ (hash >>> 13)) & (tableSize - 1)
}
