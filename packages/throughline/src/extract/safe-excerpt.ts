/**
 * The beginning of a text from outside, fit for a log or a receipt: one line, no secrets,
 * nothing that moves a cursor. Secrets go first, because a cut could leave half of one that
 * nobody recognises any more.
 */
import { redactSecrets } from './redact-secrets.ts'

const excerptCharacters = 200

// More is not looked at: redacting reads all of what it is given.
const readCharacters = 4_000

export function safeExcerpt(text: string): string {
  const redacted = redactSecrets(withoutNamedKeys(beginning(text))).text
  const line = redacted.replaceAll(blanks, ' ').trim().toWellFormed()
  if (line.length <= excerptCharacters) return line
  const cut = line.slice(0, excerptCharacters - 1)
  // A pair of surrogates that the cut has parted leaves nothing.
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}…`
}

/** A last word that was cut could be half a secret; those are of plain letters and not long. */
function beginning(text: string): string {
  if (text.length <= readCharacters) return text
  let end = readCharacters
  while (end > readCharacters - secretCharacters && isPlain(text.charCodeAt(end - 1))) end -= 1
  return text.slice(0, end)
}

const secretCharacters = 1_000

function isPlain(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

/**
 * Providers quote a key that they refuse, `Incorrect API key provided: …`, and some a header.
 * Whatever stands there is one, however it looks.
 */
function withoutNamedKeys(text: string): string {
  return text.replaceAll(namedKey, (_, name: string) => `${name}[redacted: API key]`)
}

const namedKey =
  /(\bapi[ _-]?key(?: (?:provided|given|used|is|was)){0,2}["'`]? {0,2}[:=] {0,2}["'`]?|\bbearer )(?!\[redacted)[^\s"'`,;]{4,}/gi

const blanks = /[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu
