/**
 * Removes secrets from a text before it reaches a summary, a ledger, a search index or a log.
 *
 * A secret is recognised by its form (an issuer's prefix, a checksum, a block) or by its place
 * (after a name, in an address, in a header). A label replaces it: `[redacted: GitHub token]`.
 * Linear in the text.
 */
import { findAssignments } from './secrets/find-assignments.ts'
import { findCommandPasswords } from './secrets/find-command-passwords.ts'
import {
  findAccounts,
  findAwsSecrets,
  findCards,
  findPlaced,
  findPrefixed,
  findShaped,
  findWebTokens,
} from './secrets/find-formats.ts'
import { findPrivateKeys } from './secrets/find-private-keys.ts'
import { findAddresses, findCookies, findHeaders } from './secrets/find-requests.ts'
import { type Finder, type Finding, scannedText } from './secrets/secret-text.ts'

interface RedactedText {
  readonly text: string
  /** The kinds that were removed, in the order of their first occurrence. */
  readonly redacted: readonly { readonly kind: string; readonly count: number }[]
}

/**
 * Removes passwords, keys and tokens from a text. Redacting twice changes nothing more.
 *
 * @example
 * redactSecrets('clone https://ada:hunter2@example.com/a.git')
 * // { text: 'clone https://ada:[redacted: password in an address]@example.com/a.git',
 * //   redacted: [{ kind: 'password in an address', count: 1 }] }
 */
export function redactSecrets(text: string): RedactedText {
  const findings = findSecrets(text)
  return findings.length === 0 ? { text, redacted: [] } : withoutSecrets(text, findings)
}

function withoutSecrets(text: string, found: readonly Finding[]): RedactedText {
  const counts = new Map<string, number>()
  let rest = text
  let findings = found
  // Text beside a removed secret may then look like one itself. Few rounds find all of it; the
  // limit bounds the time for hostile texts.
  for (let round = 1; findings.length > 0; round += 1) {
    for (const { kind } of findings) counts.set(kind, (counts.get(kind) ?? 0) + 1)
    rest = withoutFindings(rest, findings)
    findings = round < maxRounds ? findSecrets(rest) : []
  }
  return { text: rest, redacted: [...counts].map(([kind, count]) => ({ kind, count })) }
}

const maxRounds = 3

const finders: readonly Finder[] = [
  ...[findPrivateKeys, findPrefixed, findWebTokens, findShaped, findAwsSecrets, findAddresses],
  ...[findHeaders, findCookies, findAssignments, findCards, findAccounts],
  ...[findCommandPasswords, findPlaced],
]

function findSecrets(text: string): readonly Finding[] {
  const scanned = scannedText(blankLabels(text))
  return merged(finders.flatMap((find) => [...find(scanned)]))
}

const label = /\[redacted: [A-Za-z0-9. ]{1,40}\]/g

/** Labels of earlier redactions contain words such as `password`, which would match again. */
function blankLabels(text: string): string {
  if (!text.includes('[redacted: ')) return text
  return text.replaceAll(label, (found) => '<'.repeat(found.length))
}

function withoutFindings(text: string, findings: readonly Finding[]): string {
  const pieces: string[] = []
  let done = 0
  for (const { from, to, kind } of findings) {
    pieces.push(text.slice(done, from), `[redacted: ${kind}]`)
    done = to
  }
  return pieces.join('') + text.slice(done)
}

/**
 * Merges overlapping findings. A finding by form decides the kind before one by place, then the
 * longest.
 */
function merged(findings: readonly Finding[]): readonly Finding[] {
  const result: Finding[] = []
  for (const finding of findings.toSorted((one, other) => one.from - other.from)) {
    const last = result.at(-1)
    if (last === undefined || finding.from >= last.to) result.push(finding)
    else {
      const { kind, by } = isBetter(finding, last) ? finding : last
      result[result.length - 1] = { from: last.from, to: Math.max(last.to, finding.to), kind, by }
    }
  }
  return result
}

function isBetter(one: Finding, other: Finding): boolean {
  if (one.by !== other.by) return one.by === 'form'
  return one.to - one.from > other.to - other.from
}

const excerptCharacters = 200

// Limits the time, because redaction reads its whole input.
const readCharacters = 4_000

/** Redaction comes before the cut, which could leave half a secret that is not recognised. */
export function safeExcerpt(text: string): string {
  const redacted = redactSecrets(withoutNamedKeys(wholeWordsOf(text))).text
  const line = redacted.replaceAll(blanks, ' ').trim().toWellFormed()
  if (line.length <= excerptCharacters) return line
  const cut = line.slice(0, excerptCharacters - 1)
  // Drops half a surrogate pair at the cut.
  return `${(cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd()}…`
}

/** The start of a long text, without the word at the cut: it could be half a secret. */
function wholeWordsOf(text: string): string {
  if (text.length <= readCharacters) return text
  let end = readCharacters
  while (end > readCharacters - secretCharacters && isVisibleAscii(text.charCodeAt(end - 1)))
    end -= 1
  return text.slice(0, end)
}

const secretCharacters = 1_000

function isVisibleAscii(code: number): boolean {
  return code > 0x20 && code < 0x7f
}

/** Providers quote a refused key (`Incorrect API key provided: …`) or header, however it looks. */
function withoutNamedKeys(text: string): string {
  return text.replaceAll(namedKey, (_, name: string) => `${name}[redacted: API key]`)
}

const namedKey =
  /(\bapi[ _-]?key(?: (?:provided|given|used|is|was)){0,2}["'`]? {0,2}[:=] {0,2}["'`]?|\bbearer )(?!\[redacted)[^\s"'`,;]{4,}/gi

const blanks = /[\s\p{Cc}\p{Cf}\u2028\u2029]+/gu
