/** Cuts and redacts the texts of a turn for prompts, judges and lines by rules. */
import { redactSecrets } from '../extract/redact-secrets.ts'
import { boundaryBefore } from '../extract/text-cuts.ts'
import { firstCodePoints, lineOfText } from '../summarizers/read-answer.ts'
import { limits } from './limits-data.ts'

export function withoutSecrets(text: string): string {
  return redactSecrets(text.toWellFormed()).text
}

/** Without secrets and without bidi control characters. */
export function plainWords(text: string): string {
  // Control characters inside a secret would hide it from redaction.
  return withoutSecrets(text.replaceAll(directions, ''))
}

const directions = /[\u202a-\u202e\u2066-\u2069]/g

export function safeLine(text: string, maxCharacters: number): string {
  return cutCharacters(lineOfText(plainWords(text)), maxCharacters)
}

export function beginning(text: string): string {
  return firstCharacters(text, limits.seenCharacters)
}

/** Keeps both ends, because a user asks before or after a pasted page. */
export function bothEnds(text: string): string {
  if (text.length <= limits.seenUserCharacters) return text
  const start = firstCharacters(text, limits.seenUserCharacters - limits.endCharacters)
  const end = text.slice(-limits.endCharacters)
  // The cut may have halved a surrogate pair.
  return `${start}\n…\n${end.isWellFormed() ? end : end.slice(1)}`
}

/** The start of a message that the model saw only in part, so that readers can find it. */
export function longBeginning(text: string): string {
  return text.length <= limits.seenUserCharacters
    ? ''
    : ` (a long message: ${safeLine(text, limits.longBeginningCharacters)})`
}

/** Characters are code points; a grapheme is never cut. */
export function characterCount(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at += 1, count += 1)
    if ((text.codePointAt(at) ?? 0) > 0xffff) at += 1
  return count
}

export function firstCharacters(text: string, maxCharacters: number): string {
  const start = firstCodePoints(text, Math.max(0, maxCharacters))
  return start.slice(0, boundaryBefore(text, start.length))
}

/** At most `maxCharacters` including the `…`, cut after a complete word if one ends nearby. */
export function cutCharacters(text: string, maxCharacters: number): string {
  if (characterCount(firstCodePoints(text, maxCharacters + 1)) <= maxCharacters) return text
  if (maxCharacters < 1) return ''
  return `${beforeSign(wholeWords(firstCharacters(text, maxCharacters - 1), text))}…`
}

/** Removes trailing punctuation, so that `…` follows a word. */
export function beforeSign(start: string): string {
  let end = start.length
  while (end > 0)
    // Several full stops also mark a cut.
    if (trailingSigns.has(start[end - 1] ?? '')) end -= 1
    else if (start.endsWith('..', end)) while (start[end - 1] === '.') end -= 1
    else break
  return start.slice(0, end)
}

const trailingSigns: ReadonlySet<string> = new Set(' ,;:·…')

/** A number or name that is cut in half would read as a different one. */
export function wholeWords(start: string, text: string): string {
  if (start.length === text.length || /\s/.test(text[start.length] ?? '')) return start.trimEnd()
  const near = Math.max(0, start.length - limits.nearWordCharacters)
  const space = start.slice(near).search(/\s\S*$/)
  return space < 0 ? start : start.slice(0, near + space).trimEnd()
}

/** Text for comparing names, without differences of case, width and accent encoding. */
export function foldedText(text: string): string {
  if (asciiOnly.test(text)) return text.toLowerCase()
  // Both conversions are needed: some letters differ in one case only (ß and ẞ, σ and ς).
  return text
    .replace(stackedAccents, '$1')
    .normalize('NFKC')
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll('ς', 'σ')
}

const asciiOnly = /^[\x00-\x7f]*$/

// No language puts more accents on a letter, and normalizing them takes quadratic time. Normalizing
// turns \uff9e and \uff9f into accents.
const stackedAccents = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu
