/**
 * Whether the value behind a name that promises a secret is one: not a type, a variable, a
 * call, a sentence, or a place to fill in.
 */
import type { NamedKind } from './assigned-name.ts'
import { isVaried, looksRandom } from './looks-random.ts'
import { isPlaceholder } from './placeholder.ts'

export interface AssignedValue {
  readonly text: string
  readonly isQuoted: boolean
  /** What stands right behind it, which tells a call and a place in a list from a word. */
  readonly next: string
}

export function isSecretValue(value: AssignedValue, kind: NamedKind): boolean {
  const sample = value.text.slice(0, 256)
  if (sample.length < leastLength[kind]) return false
  // Small letters alone are words, unless someone quotes them as a password.
  if (!/[\dA-Z]/.test(sample) && !(value.isQuoted && kind === 'password')) return false
  const isLikely = looksRandom(sample)
    ? isEncoded[kind] || !isReference(sample)
    : kind === 'password' && isChosen(sample, value.isQuoted)
  if (!isLikely || /\s/.test(sample) || isPlaceholder(sample)) return false
  return value.isQuoted || isEncoded[kind] || !isCode(sample, value.next)
}

const leastLength: Readonly<Record<NamedKind, number>> = {
  password: 6,
  'API key': 12,
  token: 12,
  secret: 12,
  'AWS secret key': 12,
  'Azure key': 20,
  signature: 20,
}

/** Always base64, which can begin as a path does. */
const isEncoded: Readonly<Record<NamedKind, boolean>> = {
  password: false,
  'API key': false,
  token: false,
  secret: false,
  'AWS secret key': true,
  'Azure key': true,
  signature: true,
}

/** People choose passwords, so a digit and a mark among the letters are enough. */
function isChosen(sample: string, isQuoted: boolean): boolean {
  const hasDigit = /\d/.test(sample)
  const hasMark = (hasDigit || isQuoted) && /[!@#$%^&*+?~]/.test(sample)
  if (isQuoted ? !hasDigit && !hasMark : !hasMark) return false
  if (!isVaried(sample.slice(0, 12)) || !/[A-Za-z]/.test(sample)) return false
  return !isReference(sample) && !plainWords.test(sample)
}

/** Words with a number behind them at most: `production-2`. */
const plainWords = /^[a-z]+(?:[-_.:/][a-z]+)*(?:[-_.:/]?\d{1,4})?$/i

/** Addresses, paths, names with dots, and numbers. */
function isReference(sample: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(sample) ||
    /^\.{0,2}\/[\w.-]+\/|^[A-Za-z]:\\|^~\//.test(sample) ||
    /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(sample) ||
    /^\d[\d.,:/-]*$/.test(sample)
  )
}

/** What can stand behind `password:` or `token =` in a program. */
function isCode(sample: string, next: string): boolean {
  return (
    /^[([{`]/.test(next) ||
    fieldOfObject.test(sample) ||
    /^[!&*@][A-Za-z_.]+$/.test(sample) ||
    /[=!]=.|=>|::|->/.test(sample)
  )
}

const fieldOfObject =
  /^(?:process|import|env|os|config|this|self|props|options|req|request|ctx|params|settings|args|secrets|vault|var|local|data|module|user)\b[.?[]/
