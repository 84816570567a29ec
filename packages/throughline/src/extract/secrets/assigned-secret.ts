/**
 * What the name before a value says about it (`DB_PASSWORD`, `apiKey`, `x-auth-token`), and whether
 * the value is a secret: not a type, a variable, a call, a sentence, or a place to fill in.
 */
import { isPlaceholder, isVaried, looksRandom } from './looks-random.ts'
import {
  fieldOfObject,
  harmlessTokenWords,
  namedKinds as kinds,
  namedPlaceholder,
  numberedName,
  passwordName,
  plainWords,
  secretKey,
} from './secret-words-data.ts'

export type NamedKind = keyof typeof kinds

/**
 * Null for a name that promises no secret. The last word decides. `token` is a secret and
 * `tokenCount` is a number; `secretName` and `passwordFile` say where a secret is.
 */
export function kindOfName(name: string): NamedKind | null {
  const words = wordsOf(name)
  const last = words.at(-1)
  if (last === undefined) return null
  const joined = words.join('')
  if (/^(?:account|sharedaccess)key$/.test(joined)) return 'Azure key'
  if (/secretaccesskey|awssecret/.test(joined)) return 'AWS secret key'
  if (/^sig$|signature$/.test(last))
    return /^sig$|^xamzsignature$/.test(joined) ? 'signature' : null
  // The folder that a shell is in.
  if (/^(?:OLD)?PWD$/.test(name)) return null
  if (passwordName.test(last)) return 'password'
  if (/^\w*secret\d?$/.test(last)) return 'secret'
  if (/^(?:\w*token|jwt|authorization|auth|credentials?)\d?$/.test(last)) return tokenOf(words)
  return /key\d?$/.test(last) && secretKey.test(joined) ? 'API key' : null
}

/** Tokens that mark a place in a list, or a place in a text, are no secrets. */
function tokenOf(words: readonly string[]): NamedKind | null {
  return words.some((word) => harmlessTokenWords.has(word)) ? null : 'token'
}

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}

export interface AssignedValue {
  readonly text: string
  readonly isQuoted: boolean
  /** What comes right after it: a call and a place in a list are no words. */
  readonly next: string
  /** Set from outside a program, as in `DB_PASSWORD=…` and `--password=…`: it is no code. */
  readonly isSetting: boolean
}

export function isSecretValue(value: AssignedValue, kind: NamedKind): boolean {
  const sample = value.text.slice(0, 256)
  if (value.isSetting && isSet(sample, kind)) return true
  if (sample.length < kinds[kind].least) return false
  // Small letters alone are words, unless someone quotes them as a password.
  if (!/[\dA-Z]/.test(sample) && !(value.isQuoted && kind === 'password')) return false
  const isLikely = looksRandom(sample)
    ? kinds[kind].isEncoded || !isReference(sample)
    : kind === 'password' && isChosen(sample, value.isQuoted)
  if (!isLikely || /\s/.test(sample) || isPlaceholder(sample)) return false
  return value.isQuoted || kinds[kind].isEncoded || !isCode(sample, value.next)
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

/** What can come after `password:` or `token =` in a program. */
function isCode(sample: string, next: string): boolean {
  return (
    /^[([{`]/.test(next) ||
    fieldOfObject.test(sample) ||
    /^[!&*@][A-Za-z_.]+$/.test(sample) ||
    /[=!]=.|=>|::|->/.test(sample)
  )
}
