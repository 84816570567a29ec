/**
 * Finds credentials in addresses (`scheme://user:password@host`), headers, cookies and `curl -u
 * user:password`.
 */
import { decodeBase64 } from './checksums.ts'
import { isPlaceholder, isVaried, looksRandom } from './looks-random.ts'
import {
  alphabet,
  alphabets,
  except,
  type Finder,
  type Finding,
  type ScannedText,
  withoutStop,
} from './secret-text.ts'
import { databaseScheme, documentedPassword, sessionName } from './secret-words-data.ts'

const { base64, credentials, names } = alphabets

const authority = except('/\\ \t\r\n"\'`<>|')
const schemeText = alphabet('-A-Za-z0-9+.')

export const findAddresses: Finder = ({ text, runEnd }) => {
  const findings: Finding[] = []
  for (let at = text.indexOf('://'); at >= 0; at = text.indexOf('://', at + 3)) {
    const from = at + 3
    const to = Math.min(runEnd(authority, from), from + longestAuthority)
    const authorityText = text.slice(from, to)
    const hostAt = authorityText.lastIndexOf('@')
    const colonAt = authorityText.indexOf(':')
    if (hostAt > 0 && (colonAt < 0 || colonAt > hostAt)) {
      // The part before the host may be a token alone.
      if (looksRandom(text.slice(from, from + hostAt)) && hostAt >= 16)
        findings.push({ from, to: from + hostAt, kind: 'token', by: 'place' })
      continue
    }
    if (colonAt < 0 || hostAt - colonAt < 2) continue
    const password = text.slice(from + colonAt + 1, from + hostAt)
    if (isPlaceholder(password) || documentedPassword.test(password)) continue
    const isDatabase = databaseScheme.test(schemeBefore(text, at))
    const kind = isDatabase ? 'database password' : 'password in an address'
    findings.push({ from: from + colonAt + 1, to: from + hostAt, kind, by: 'place' })
  }
  return findings
}

const longestAuthority = 1_024

function schemeBefore(text: string, end: number): string {
  let from = end
  while (from > 0 && end - from < 24 && schemeText[text.charCodeAt(from - 1)] === 1) from -= 1
  return text.slice(from, end)
}

export const findHeaders: Finder = (scanned) => {
  const hasScheme = mentionsScheme.test(scanned.text)
  const hasOption = scanned.text.includes('-u')
  if (!hasScheme && !hasOption) return []
  return [...(hasScheme ? schemes(scanned) : []), ...(hasOption ? userOptions(scanned) : [])]
}

/** Fast, because it has no lookbehind. */
const mentionsScheme = /(?:bearer|basic|token|bot|apikey)(?:[ \t+]|%20)/i

const scheme =
  /(?:(?<![\w+-])|(?<=\\[nrt]))(?<name>bearer|basic|token|bot|apikey)(?:[ \t]{1,4}|%20|\+)/gi

function* schemes({ text, runEnd }: ScannedText): Generator<Finding> {
  for (const { index, 0: words, groups } of text.matchAll(scheme)) {
    const from = index + words.length
    const isBasic = groups?.['name']?.toLowerCase() === 'basic'
    const to = runEnd(isBasic ? base64 : credentials, from)
    const value = text.slice(from, Math.min(to, from + longestCredential))
    if (isBasic ? isUserAndPassword(value) : isToken(value)) {
      const kind = isBasic ? 'basic credentials' : 'bearer token'
      yield { from, to: withoutStop(text, { from, to }, '.'), kind, by: 'place' }
    }
  }
}

const longestCredential = 2_048

function isToken(value: string): boolean {
  return value.length >= 16 && looksRandom(value) && !isPlaceholder(value)
}

function isUserAndPassword(value: string): boolean {
  if (value.length < 8) return false
  return /^[\x20-\x7e]{1,255}:[\x20-\x7e\x80-\xff]{1,1200}$/.test(decodeBase64(value) ?? '')
}

const userOption = /(?:(?<![\w-])|(?<=\\[nrt]))(?:-u|--user|--proxy-user)[ =]["']?[\w.@+-]{1,64}:/g
const optionText = except(' \t\r\n"\'`')

function* userOptions({ text, runEnd }: ScannedText): Generator<Finding> {
  for (const { index, 0: option } of text.matchAll(userOption)) {
    const from = index + option.length
    const to = runEnd(optionText, from)
    const value = text.slice(from, to)
    // `docker run --user 1000:1000` names a group, not a password.
    if (value.length < 6 || !/[\dA-Z]/.test(value.slice(0, 64)) || /^[\d.]+$/.test(value)) continue
    if (!isPlaceholder(value)) yield { from, to, kind: 'password', by: 'place' }
  }
}

const cookieOpening =
  /(?:(?<![\w-])|(?<=\\[nrt]))(?:--cookie|-b|(?:set-)?cookie)(?:\\?["'] {0,2})?[:=, ][ \t]{0,4}\\?["']?(?=[\w.-])/gi
const nameText = names.with('.'.charCodeAt(0), 1)
const valueText = except(' \t\r\n"\'`;,\\')

/** Finds cookies of a session, by their name or because their value looks random. */
export const findCookies: Finder = (scanned) => {
  const { text } = scanned
  if (!/cookie|-b/i.test(text)) return []
  const findings: Finding[] = []
  let done = 0
  for (const { index, 0: words } of text.matchAll(cookieOpening)) {
    if (index < done) continue
    done = readPairs(scanned, index + words.length, findings)
  }
  return findings
}

function readPairs({ text, runEnd }: ScannedText, start: number, findings: Finding[]): number {
  let at = start
  for (;;) {
    const nameEnd = runEnd(nameText, at)
    if (nameEnd === at || text[nameEnd] !== '=') return nameEnd
    const from = nameEnd + 1
    const to = runEnd(valueText, from)
    if (isSessionCookie(text.slice(at, Math.min(nameEnd, at + 80)), text.slice(from, to)))
      findings.push({ from, to, kind: 'session cookie', by: 'place' })
    if (text[to] !== ';') return to
    at = to + 1
    while (text[at] === ' ') at += 1
  }
}

function isSessionCookie(name: string, value: string): boolean {
  if (isPlaceholder(value)) return false
  if (sessionName.test(name)) return value.length >= 8 && isVaried(value)
  return value.length >= 20 && looksRandom(value)
}
