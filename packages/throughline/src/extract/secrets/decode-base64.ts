/** The characters behind base64 or base64url, one for each byte; null where it is neither. */
export function decodeBase64(encoded: string): string | null {
  let decoded = ''
  let bits = 0
  let held = 0
  for (const letter of encoded) {
    if (letter === '=') break
    const value = values.get(letter)
    if (value === undefined) return null
    held = ((held << 6) | value) & 0xffff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    decoded += String.fromCharCode((held >> bits) & 0xff)
  }
  return decoded
}

const values: ReadonlyMap<string, number> = new Map([
  ...[...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map(
    (letter, value) => [letter, value] as const,
  ),
  ['-', 62],
  ['_', 63],
])
