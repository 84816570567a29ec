/**
 * Names as the engine takes them: ids of conversations, keys of messages, ids of calls.
 *
 * A name that it would take stays as it is. Any other has U+FFFD for what is not allowed,
 * is cut, and ends in a mark made of the whole name: two names that differ only in what
 * was lost stay two, and the same file gives the same names whenever it is read.
 */

/** What a number behind a name that stands twice (`a#2`) may take up. */
const roomForNumber = 16

/** The engine takes ids of 512 characters. */
export const idLengthMax = 512 - roomForNumber

/** The engine takes keys of 1,024 characters. */
export const keyLengthMax = 1_024 - roomForNumber

/** Control characters and half surrogate pairs. */
const forbidden = /[\p{Cc}\p{Cs}]/gu

export function soundName(given: string, lengthMax: number): string {
  const clean = given.slice(0, lengthMax).replace(forbidden, '\uFFFD')
  if (clean === given) return given
  const mark = `~${fingerprint(given)}`
  // The cut may have halved a surrogate pair.
  return clean.slice(0, lengthMax - mark.length).toWellFormed() + mark
}

/** FNV-1a. Not safe against somebody who looks for collisions; whoever needs that numbers them. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1)
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
