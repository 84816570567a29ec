/** JSON web tokens: three parts in base64url, of which the first is a header in JSON. */
import { names } from './alphabet.ts'
import { decodeBase64 } from './decode-base64.ts'
import type { Finder, Finding } from './finding.ts'
import { beginsWord, type ScannedText } from './scanned-text.ts'

/** What `{"` is in base64. */
const opening = 'eyJ'

export const findWebTokens: Finder = (scanned) => {
  const { text } = scanned
  const findings: Finding[] = []
  for (let at = text.indexOf(opening); at >= 0; ) {
    const begins = beginsWord(text, at)
    const to = begins ? endOf(scanned, at) : null
    if (to !== null) findings.push({ from: at, to, kind: 'JSON web token', by: 'form' })
    // A run that is no header is done with: each of its ends would be decoded otherwise.
    const next = to ?? (begins ? scanned.runEnd(names, at) : at + opening.length)
    at = text.indexOf(opening, next)
  }
  return findings
}

/** An encrypted token has five parts, of which some may be empty. */
function endOf(scanned: ScannedText, at: number): number | null {
  const { text, runEnd } = scanned
  const headerEnd = runEnd(names, at)
  if (text[headerEnd] !== '.' || !isHeader(text.slice(at, headerEnd))) return null
  const bodyEnd = runEnd(names, headerEnd + 1)
  if (text[bodyEnd] !== '.') return null
  let to = runEnd(names, bodyEnd + 1)
  for (let part = 3; part < 5 && text[to] === '.'; part += 1) {
    const next = runEnd(names, to + 1)
    if (next === to + 1) break
    to = next
  }
  return to - headerEnd > 20 ? to : null
}

function isHeader(encoded: string): boolean {
  if (encoded.length > 4_096) return false
  const header = decodeBase64(encoded)
  return (
    header !== null && /^\{\s{0,4}"/.test(header) && /"(?:alg|typ|enc|kid)"\s{0,4}:/.test(header)
  )
}
