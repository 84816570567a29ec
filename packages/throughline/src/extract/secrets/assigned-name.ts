/**
 * What the name before a value says about it: `DB_PASSWORD`, `apiKey`, `x-auth-token`.
 *
 * The last word decides. `token` is a secret and `tokenCount` is a number; `secretName` and
 * `passwordFile` say where a secret is.
 */

export type NamedKind =
  | 'password'
  | 'API key'
  | 'token'
  | 'secret'
  | 'AWS secret key'
  | 'Azure key'
  | 'signature'

/** Null for a name that promises no secret. */
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

const passwordName =
  /^(?:\w*(?:password|passwort|passwd|passphrase|pwd)|(?:store|key|db|smtp|ftp|root|admin|my)?pass)\d?$/

const secretKey =
  /(?:api|access|secret|private|auth|encryption|signing|master|service|app|client|subscription|license|webhook|session|crypt|hmac|jwt|token|deploy|server|admin|storage)keys?\d?$/

/** Tokens that mark a place in a list, or a place in a text, are no secrets. */
function tokenOf(words: readonly string[]): NamedKind | null {
  return words.some((word) => harmless.has(word)) ? null : 'token'
}

const harmless: ReadonlySet<string> = new Set([
  ...['next', 'page', 'continuation', 'sync', 'cursor', 'start', 'end', 'first', 'last', 'prev'],
  ...['previous', 'eos', 'bos', 'pad', 'unk', 'mask', 'special', 'stop', 'per', 'cancellation'],
])

function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z0-9])(?=[A-Z])/g, '$1 ')
    .replaceAll(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
