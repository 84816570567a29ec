/**
 * How many bytes a text is in UTF-8, without encoding it: a text may be 64 MiB, and
 * a copy of it would be garbage at once. A surrogate alone counts as half a pair.
 */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    if (code < 0x80) continue
    // Each half of a pair is two of its four bytes.
    bytes += code < 0x800 || (code >= 0xd800 && code < 0xe000) ? 1 : 2
  }
  return bytes
}
