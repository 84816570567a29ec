/** Words that show whether a place contains a secret: names, commands, placeholders. */

/** Kinds of secrets that a name announces: minimum length, and whether values are base64. */
export const namedSecretKinds = {
  password: { min: 6, isEncoded: false },
  'API key': { min: 12, isEncoded: false },
  token: { min: 12, isEncoded: false },
  secret: { min: 12, isEncoded: false },
  'AWS secret key': { min: 12, isEncoded: true },
  'Azure key': { min: 20, isEncoded: true },
  signature: { min: 20, isEncoded: true },
} as const

export const passwordName =
  /^(?:\w*(?:password|passwort|passwd|passphrase|pwd)|(?:store|key|db|smtp|ftp|root|admin|my)?pass)\d?$/

export const secretKey =
  /(?:api|access|secret|private|auth|encryption|signing|master|service|app|client|subscription|license|webhook|session|crypt|hmac|jwt|token|deploy|server|admin|storage)keys?\d?$/

export const harmlessTokenWords: ReadonlySet<string> = new Set([
  ...['next', 'page', 'continuation', 'sync', 'cursor', 'start', 'end', 'first', 'last', 'prev'],
  ...['previous', 'eos', 'bos', 'pad', 'unk', 'mask', 'special', 'stop', 'per', 'cancellation'],
])

/** Placeholders for a password in settings. */
export const namedPlaceholder =
  /^(?:\w*pass(?:word|wd|phrase)?|pwd|pw|\w*secret|\w*token|true|false|yes|no|none|null|nil|undefined|string|required|optional|prompt|ask|stdin|file|env|value|empty|test|unset|default|invalid|wrong)$/i

/** One word, or several that may end with a number: `production-2`. */
export const plainWords = /^[a-z]+(?:(?:[-_.:/][a-z]+)+(?:[-_.:/]?\d{1,4})?)?$/i

/** Names that programs number: algorithms, types, versions, fields and variables. */
export const numberedName =
  /^(?:sha|md|utf|base|oauth|pbkdf|argon|bcrypt|scrypt|aes|rc|latin|ascii|type|u?int|float|varchar|char|text|string|field|input|param|arg|value|step|test|item|version|v|\w*(?:password|passwd|pass|pwd|token|secret|key|field|input|value|name|var))_?\d+$/i

export const fieldOfObject =
  /^(?:process|import|env|os|config|this|self|props|options|req|request|ctx|params|settings|args|secrets|vault|var|local|data|module|user)\b[.?[]/

/** Placeholders for a password in documentation. */
export const documentedPassword =
  /^(?:pass(?:word|wd)?|pwd|pw|secret|token|user(?:name)?|\d{1,5})$/i

export const databaseScheme =
  /^(?:postgres|postgresql|mysql|mariadb|mongodb|redis|rediss|amqp|amqps|mssql|sqlserver|oracle|cockroachdb|clickhouse|neo4j|nats|bolt|cassandra)(?:\+|$)/i

export const sessionName =
  /sess|sid$|^sid|token|auth|jwt|csrf|xsrf|remember|login|identity|\.id$|ticket/i

export interface PasswordOption {
  readonly flag: string
  /** The value follows the flag without a space. */
  readonly isAttached?: boolean
  /** The separator between user and password in the value. */
  readonly after?: string
}

interface PasswordCommands {
  readonly commands: string
  readonly options: readonly PasswordOption[]
}

/** Commands that take a password by a short option, or print one into a pipe. */
export const passwordCommands: readonly PasswordCommands[] = [
  {
    commands: 'mysql mysqldump mysqladmin mysqlimport mariadb mariadb-dump 7z 7za 7zz rar unrar',
    options: [{ flag: '-p', isAttached: true }],
  },
  { commands: 'sshpass mongo mongosh mongodump mongorestore cqlsh', options: [{ flag: '-p' }] },
  { commands: 'sqlcmd bcp zip unzip mosquitto_pub mosquitto_sub', options: [{ flag: '-P' }] },
  { commands: 'ldapsearch ldapadd ldapmodify ldapwhoami', options: [{ flag: '-w' }] },
  { commands: 'plink pscp psftp', options: [{ flag: '-pw' }] },
  { commands: 'http https', options: [{ flag: '-a', after: ':' }] },
  { commands: 'redis-cli', options: [{ flag: '-a' }] },
  { commands: 'ssh-keygen', options: [{ flag: '-N' }, { flag: '-P' }] },
  { commands: 'smbclient', options: [{ flag: '-U', after: '%' }] },
  { commands: 'lftp', options: [{ flag: '-u', after: ',' }] },
  {
    commands: 'curl',
    options: [
      { flag: '-u', after: ':' },
      { flag: '--user', after: ':' },
    ],
  },
  { commands: 'echo printf', options: [] },
]

/** For these, `-p` is a password only with `login`; otherwise a port or a path. */
export const loginCommands = 'docker podman nerdctl helm oras crane az oc'

/** Words that follow a command in a sentence about it. */
export const sentenceWord =
  /^(?:pass(?:word|wd|phrase)?|pwd|secret|option|flag|switch|argument|parameter|value|with|when|which|where|this|that|then|prompts?|because|instead|before|after)s?[.,:;]?$/i

/** The most frequent pairs of letters in English text, which names in code share. */
export const commonPairs =
  'th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ' +
  've co me de hi ri ro ic ne ea ra ce li ch ll be ma si om ur us ec ct et pa ss ut ge lo id'

/** `$TOKEN`, `${{ secrets.X }}`, `{{token}}`, `<token>`, `%(token)s`, `%TOKEN%`, `#{x}`, `@Value`. */
export const expanded: RegExp =
  /^(?:\$[A-Za-z_{(]|\$\$|[{<[(]|%[({A-Za-z]|#\{|\*\*|\.\.)|\$\{|\{\{|<[a-z]/

/** Text that people write for others to replace. */
export const filledIn: RegExp =
  /your|example|placeholder|change.?me|replace|insert|dummy|redacted|removed|hidden|masked|x{4}|\*{3}|\.{3}|…|•|_here\b|-here\b/i

/** One character, repeated. */
export const repeated: RegExp = /^(.)\1*$/
