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
  /** Set from outside a program, as in `DB_PASSWORD=…` and `--password=…`: it is no code. */
  readonly isSetting: boolean
}

export function isSecretValue(value: AssignedValue, kind: NamedKind): boolean {
  const sample = value.text.slice(0, 256)
  if (value.isSetting && isSet(sample, kind)) return true
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

/** People choose passwords, so a digit or a mark among the letters is enough. */
function isChosen(sample: string, isQuoted: boolean): boolean {
  const hasDigit = /\d/.test(sample)
  const hasMark = isQuoted && /[!@#$%^&*+?~]/.test(sample)
  if (!hasDigit && !hasMark) return false
  if (!isVaried(sample.slice(0, 12)) || !/[A-Za-z]/.test(sample)) return false
  return !isReference(sample) && !plainWords.test(sample) && !numberedName.test(sample)
}

/** In a setting nothing is a type, a variable or a sentence, so nearly any word is the value. */
function isSet(sample: string, kind: NamedKind): boolean {
  if (isPlaceholder(sample) || fieldOfObject.test(sample)) return false
  if (isReference(sample) && !(kind === 'password' && /^\d{6,}$/.test(sample))) return false
  if (/\s/.test(sample) || numberedName.test(sample)) return false
  if (kind === 'password') return sample.length >= 4 && !namedPlaceholder.test(sample)
  const isMixed = /\d/.test(sample) ? /[A-Za-z]/.test(sample) : /[a-z][A-Z]/.test(sample)
  return sample.length >= 8 && isMixed && isVaried(sample) && !plainWords.test(sample)
}

/** What stands in a setting where the password is not. */
const namedPlaceholder =
  /^(?:\w*pass(?:word|wd|phrase)?|pwd|pw|\w*secret|\w*token|true|false|yes|no|none|null|nil|undefined|string|required|optional|prompt|ask|stdin|file|env|value|empty|test|unset|default|invalid|wrong)$/i

/** Words, with a number after several of them at most: `production-2`. */
const plainWords = /^[a-z]+(?:(?:[-_.:/][a-z]+)+(?:[-_.:/]?\d{1,4})?)?$/i

/** What programs number: algorithms, types, versions, fields and variables. */
const numberedName =
  /^(?:sha|md|utf|base|oauth|pbkdf|argon|bcrypt|scrypt|aes|rc|latin|ascii|type|u?int|float|varchar|char|text|string|field|input|param|arg|value|step|test|item|version|v|\w*(?:password|passwd|pass|pwd|token|secret|key|field|input|value|name|var))_?\d+$/i

/** Addresses, paths, names with dots, and numbers. */
function isReference(sample: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(sample) ||
    /^\.{0,2}\/[\w.-]+\/|^[A-Za-z]:\\|^~\//.test(sample) ||
    isDottedName(sample) ||
    /^\d[\d.,:/-]*$/.test(sample)
  )
}

/** `process.env.TOKEN`; but a key may have dots too, between parts that chance made. */
function isDottedName(sample: string): boolean {
  if (!/^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)+$/.test(sample)) return false
  return fieldOfObject.test(sample) || !looksRandom(sample.replaceAll('.', ''))
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
