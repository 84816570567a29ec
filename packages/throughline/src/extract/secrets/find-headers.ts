/** Credentials in requests: `Authorization: Bearer …`, `Basic …`, and `curl -u user:password`. */
import { base64, credentials, except } from './alphabet.ts'
import { decodeBase64 } from './decode-base64.ts'
import type { Finder, Finding } from './finding.ts'
import { looksRandom } from './looks-random.ts'
import { isPlaceholder } from './placeholder.ts'
import type { ScannedText } from './scanned-text.ts'

export const findHeaders: Finder = (scanned) => {
  const hasScheme = promising.test(scanned.text)
  const hasOption = scanned.text.includes('-u')
  if (!hasScheme && !hasOption) return []
  return [...(hasScheme ? schemes(scanned) : []), ...(hasOption ? userOptions(scanned) : [])]
}

/** A look that is quick, because it does not look back. */
const promising = /(?:bearer|basic|token|bot|apikey)(?:[ \t+]|%20)/i

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
      yield { from, to: withoutStop(text, from, to), kind, by: 'place' }
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

function withoutStop(text: string, from: number, to: number): number {
  return to - 1 > from && text[to - 1] === '.' ? to - 1 : to
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
