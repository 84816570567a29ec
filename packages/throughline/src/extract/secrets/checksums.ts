/** GitHub and npm: the last six characters are the CRC-32 of the others, in base 62. */
export function hasBase62Checksum(body: string): boolean {
  if (body.length !== 36) return false
  const content = body.slice(0, -checksumLength)
  return base62(crc32(content)) === body.slice(-checksumLength)
}

/** Payment cards; spaces and hyphens between the digits do not count. */
export function passesLuhn(number: string): boolean {
  let sum = 0
  let isSecond = false
  for (let at = number.length - 1; at >= 0; at -= 1) {
    const digit = number.charCodeAt(at) - zero
    if (digit < 0) continue
    const doubled = digit * 2
    if (!isSecond) sum += digit
    else sum += doubled > 9 ? doubled - 9 : doubled
    isSecond = !isSecond
  }
  return sum % 10 === 0
}

/** Bank accounts: country and check digits go to the end, letters count from 10. */
export function passesMod97(account: string): boolean {
  let rest = 0
  for (const letter of account.slice(4) + account.slice(0, 4)) {
    const value = Number.parseInt(letter, 36)
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

const zero = '0'.charCodeAt(0)
const checksumLength = 6
const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

function base62(value: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62))
    text = base62Digits[rest % 62] + text
  return text.padStart(checksumLength, '0')
}

function crc32(text: string): number {
  let sum = 0xffffffff
  for (let at = 0; at < text.length; at += 1) {
    sum ^= text.charCodeAt(at) & 0xff
    for (let bit = 0; bit < 8; bit += 1) sum = (sum >>> 1) ^ (sum & 1 ? 0xedb88320 : 0)
  }
  return (sum ^ 0xffffffff) >>> 0
}

/** Decodes base64 or base64url to one character per byte; null where the text is neither. */
export function decodeBase64(encoded: string): string | null {
  const [digits = ''] = encoded.split('=', 1)
  if (!/^[\w+/-]*$/.test(digits)) return null
  // A single last digit is less than a byte.
  const whole = digits.length % 4 === 1 ? digits.slice(0, -1) : digits
  return atob(whole.replaceAll('-', '+').replaceAll('_', '/'))
}
