/**
 * Names as they are compared: whatever the case, and as text that every database keeps. Every
 * store asks here, so that stores cannot differ.
 */

/**
 * The names of a piece as one text, in which parts of them are looked for.
 *
 * @example
 * const text = foldedNames(['src/Invoice.ts', 'INV-2041'])
 * const part = foldedPart('invoice')
 * console.log(part !== null && text.includes(part)) // true
 */
export function foldedNames(names: readonly string[]): string {
  return names.map(folded).join('\n')
}

/**
 * A part of a name as it is looked for; null where it finds nothing: under three characters, or on two
 * lines, as no name is. See `foldedNames`.
 */
export function foldedPart(part: string): string | null {
  const text = folded(part)
  return text.includes('\n') || !/^.{3}/su.test(text) ? null : text
}

function folded(text: string): string {
  // A sigma at the end of a word is another letter only in lower case. Half a character and
  // NUL are not kept by databases, and stand for anything unreadable.
  return text.toLowerCase().replaceAll('ς', 'σ').toWellFormed().replaceAll('\0', '\ufffd')
}
