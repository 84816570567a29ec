/**
 * Finds secrets with a form of their own, by the rules of secret-prefixes-data.ts and
 * secret-patterns-data.ts.
 */
import { lazy } from '../../domain/lazy.ts'
import { decodeBase64, hasBase62Checksum, passesLuhn, passesMod97 } from './checksums.ts'
import { isPlaceholder, isVaried, isVariedAt, looksRandom } from './looks-random.ts'
import {
  accountLengths,
  accountShape,
  cardIssuers,
  cardShape,
  placedPatterns,
  type SecretPattern,
  shapedPatterns,
} from './secret-patterns-data.ts'
import { type PrefixRule, prefixRules } from './secret-prefixes-data.ts'
import {
  alphabets,
  beginsWord,
  endsWord,
  type Finder,
  type Finding,
  type ScannedText,
} from './secret-text.ts'

export const findPrefixed: Finder = (scanned) => {
  const { text } = scanned
  const { pattern, rules } = prefixSearch()
  const findings: Finding[] = []
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { 0: prefix, index: from } = found
    const rule = rules.get(prefix)
    const to =
      rule !== undefined && beginsWord(text, from)
        ? prefixedEnd(scanned, rule, from + prefix.length)
        : null
    if (rule !== undefined && to !== null) findings.push({ from, to, kind: rule.kind, by: 'form' })
    pattern.lastIndex = to ?? from + 1
  }
  return findings
}

/** The longest prefix comes first, because it is the most specific. */
const prefixSearch = lazy(() => {
  const rules = new Map(
    prefixRules.flatMap((rule) =>
      rule.prefixes.split(' ').map((prefix) => [prefix, rule] as const),
    ),
  )
  const prefixes = [...rules.keys()].sort((one, other) => other.length - one.length)
  return {
    rules,
    pattern: new RegExp(
      prefixes.map((prefix) => prefix.replaceAll(/[./]/g, '\\$&')).join('|'),
      'g',
    ),
  }
})

function prefixedEnd({ text, runEnd }: ScannedText, rule: PrefixRule, from: number) {
  const end = runEnd(alphabets[rule.body], from)
  // Removes at most an ellipsis: reading further back could take quadratic time.
  let to = end
  while (to > from && end - to < 3 && text[to - 1] === '.') to -= 1
  const length = to - from
  if (length < rule.min || length > (rule.max ?? length)) return null
  if (!rule.checksum && !isVariedAt(text, from, to)) return null
  return endsWord(text, to) && isBody(text.slice(from, to), rule) ? to : null
}

function isBody(body: string, { doubtful, checksum, shape }: PrefixRule): boolean {
  if (shape?.test(body) === false) return false
  if (checksum && hasBase62Checksum(body)) return true
  return (doubtful ? looksRandom(body) : isVaried(body)) && !isPlaceholder(body)
}

export const findShaped: Finder = ({ text }) =>
  shapedPatterns.flatMap((rule) => matchesOf(text, rule, 'form'))

export const findPlaced: Finder = ({ text }) =>
  placedPatterns.flatMap((rule) => matchesOf(text, rule, 'place'))

/** Longer than any text that a `before` pattern matches. */
const beforeCharacters = 48

function matchesOf(text: string, rule: SecretPattern, by: Finding['by']): readonly Finding[] {
  if (!text.includes(rule.needs)) return []
  return [...text.matchAll(rule.pattern)].flatMap(({ index, indices }) => {
    const before = rule.before?.exec(text.slice(Math.max(0, index - beforeCharacters), index))
    const [start, to] = indices?.[1] ?? indices?.[0] ?? [0, 0]
    const from = start - (before?.[1]?.length ?? 0)
    const secret = text.slice(from, to)
    if (before === null || isPlaceholder(secret)) return []
    const isSecret = by === 'form' ? isVaried(secret) : !/^(?:pass(?:word)?|secret)$/i.test(secret)
    if (!isSecret || (rule.startsWithUserId && !startsWithUserId(secret))) return []
    return [{ from, to, kind: rule.kind, by }]
  })
}

function startsWithUserId(secret: string): boolean {
  return /^\d{15,20}$/.test(decodeBase64(secret.slice(0, secret.indexOf('.'))) ?? '')
}

/** `{"` in base64. */
const jsonOpening = 'eyJ'

/** JSON web tokens: three parts in base64url, of which the first is a header in JSON. */
export const findWebTokens: Finder = (scanned) => {
  const { text } = scanned
  const findings: Finding[] = []
  for (let at = text.indexOf(jsonOpening); at >= 0; ) {
    const begins = beginsWord(text, at)
    const to = begins ? webTokenEnd(scanned, at) : null
    if (to !== null) findings.push({ from: at, to, kind: 'JSON web token', by: 'form' })
    // Skips a run that is no header; otherwise each of its suffixes would be decoded.
    const next = to ?? (begins ? scanned.runEnd(alphabets.names, at) : at + jsonOpening.length)
    at = text.indexOf(jsonOpening, next)
  }
  return findings
}

/** An encrypted token has five parts, of which some may be empty. */
function webTokenEnd({ text, runEnd }: ScannedText, at: number): number | null {
  const { names } = alphabets
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
  const header = encoded.length > 4_096 ? null : decodeBase64(encoded)
  return (
    header !== null && /^\{\s{0,4}"/.test(header) && /"(?:alg|typ|enc|kid)"\s{0,4}:/.test(header)
  )
}

export const findCards: Finder = ({ text }) => {
  if (!/\d{4}[ -]?\d{4}/.test(text)) return []
  return [...text.matchAll(cardShape)].flatMap(({ index, 0: written }) =>
    passesLuhn(written) && isCard(written.replaceAll(/[ -]/g, ''))
      ? [{ from: index, to: index + written.length, kind: 'payment card', by: 'form' as const }]
      : [],
  )
}

function isCard(number: string): boolean {
  // Trailing zeros pass every checksum.
  const isVariedEnough = new Set(number).size > 2 || number.startsWith('4111')
  return isVariedEnough && cardIssuers.some((issuer) => issuer.test(number))
}

/** Bank accounts (IBAN). */
export const findAccounts: Finder = ({ text }) => {
  if (!/[A-Z]{2}\d{2} ?[A-Z0-9]{4}/.test(text)) return []
  return [...text.matchAll(accountShape)].flatMap(({ index, 0: written }) => {
    const to = accountEnd(text, index, written)
    return to === null ? [] : [{ from: index, to, kind: 'bank account', by: 'form' as const }]
  })
}

/** The country fixes the length, so capitals after an account are no part of it. */
function accountEnd(text: string, from: number, written: string): number | null {
  const expected = accountLengths.get(written.slice(0, 2)) ?? 0
  let account = ''
  let to = from
  for (; to < from + written.length && account.length < expected; to += 1)
    if (text[to] !== ' ') account += text[to]
  const isWhole = account.length === expected && expected > 0 && endsWord(text, to)
  return isWhole && passesMod97(account) ? to : null
}

const accessKey = /(?:(?<![A-Za-z0-9])|(?<=\\[nrt]))A(?:KI|SI)A[A-Z0-9]{16}(?![A-Za-z0-9])/g
const secretKey = /(?<![A-Za-z0-9+/])[A-Za-z0-9+/]{40}(?![A-Za-z0-9+/=])/g
const reachCharacters = 240

/**
 * An AWS secret key is just forty characters of base64, so it is searched for only near an access
 * key.
 */
export const findAwsSecrets: Finder = ({ text }) => {
  if (!text.includes('AKIA') && !text.includes('ASIA')) return []
  const findings: Finding[] = []
  let done = 0
  for (const { index } of text.matchAll(accessKey)) {
    // Skips the text that was searched for the previous access key.
    const start = Math.max(0, Math.max(done, index - reachCharacters) - 1)
    done = index + reachCharacters
    for (const match of text.slice(start, done + 41).matchAll(secretKey)) {
      const from = start + match.index
      if (from < done && isAwsSecret(match[0]))
        findings.push({ from, to: from + match[0].length, kind: 'AWS secret key', by: 'place' })
    }
  }
  return findings
}

/** Forty hexadecimal digits are the hash of a commit. */
function isAwsSecret(value: string): boolean {
  return /[A-Z]/.test(value) && /[a-z]/.test(value) && looksRandom(value) && !/example/i.test(value)
}
