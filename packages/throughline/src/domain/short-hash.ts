/** A short name for a text: 64 bits in 14 letters and digits. Not against those who mean harm. */
export function shortHash(text: string, salt = 0): string {
  // FNV-1a in two lanes.
  let low = 0x811c9dc5 ^ salt
  let high = 0x1b873593 ^ (salt * 31)
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    low = Math.imul(low ^ code, 0x01000193)
    high = Math.imul(high ^ code, 0x85ebca6b)
  }
  return `${word(low)}${word(high)}`
}

function word(value: number): string {
  return (value >>> 0).toString(36).padStart(7, '0')
}
