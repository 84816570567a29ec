/** Tables of literal forms: the pattern of each kind, and the words that decide. */

/** Bits for the marks in a run of characters. */
export const colon = 1
export const atSign = 2
export const hyphen = 4
/** Forward or backward. */
export const slash = 8
export const dot = 16
export const lowLine = 32
export const numberSign = 64
export const digit = 128
/** A capital after the first character. */
export const innerCapital = 256
/** Joins the parts of a list. */
export const listMark = 512
/** Joins the parts of a path or an address. */
export const pathMark = 1_024
export const dollar = 2_048
/** Anything that is not ASCII, which may be a letter or a digit of any kind. */
export const beyondAscii = 4_096
/** An ASCII letter, or another character that counts as one. */
export const letter = 8_192
/** A digit beyond ASCII. */
export const digitBeyond = 16_384

export type LiteralKind = keyof typeof specificity

export interface LiteralForm {
  readonly kind: LiteralKind
  /** Every word of the form has all of these marks; most words have none. */
  readonly allOf: number
  /** And at least one of these … */
  readonly oneOf?: number
  /** … and none of these. */
  readonly noneOf?: number
  readonly pattern: RegExp
}

/** Only letters and digits, with a capital after the first character. */
const joined = {
  allOf: 0,
  oneOf: innerCapital | beyondAscii,
  noneOf: colon | atSign | hyphen | slash | dot | lowLine | numberSign | listMark | pathMark,
} as const

/** Forms of a word in prose; the first match wins. Anchored, so each reads the word once. */
export const proseForms: readonly LiteralForm[] = [
  {
    kind: 'url',
    allOf: colon,
    pattern: /^[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\/\/[^\s/?#]+.*$|^(?:mailto|data|urn):\S{3,}$/,
  },
  {
    kind: 'email',
    allOf: atSign,
    pattern: /^[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u,
  },
  {
    kind: 'uuid',
    allOf: hyphen,
    pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  },
  {
    kind: 'date',
    allOf: digit,
    oneOf: hyphen | slash | dot,
    pattern:
      /^(?:\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{4}\/\d{2}\/\d{2}|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{1,2}\.\d{1,2}\.(?:19|20)\d{2})$/,
  },
  {
    kind: 'time',
    allOf: colon | digit,
    pattern: /^(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:[ap]m|Z)?$/i,
  },
  {
    kind: 'host',
    allOf: digit,
    oneOf: dot | colon,
    pattern: /^(?:\d{1,3}(?:\.\d{1,3}){3}|localhost:\d{1,5})$/,
  },
  {
    kind: 'version',
    allOf: digit,
    pattern:
      /^(?:v\d{1,6}(?:\.\d{1,9}){0,3}|\d{1,6}(?:\.\d{1,9}){2,3})(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?(?:\+[0-9A-Za-z.-]+)?$/,
  },
  {
    kind: 'amount',
    allOf: digit,
    pattern:
      /^(?:\d+(?:[.,]\d+)*%|\d+(?:\.\d+)?(?:[kKMGTP]i?B|[kMG]?Hz|ms|µs|ns|px|rem|kg|km|mm|cm|kWh?|x))$/,
  },
  {
    kind: 'id',
    allOf: digit,
    oneOf: hyphen | numberSign,
    pattern: /^(?:\p{Lu}[\p{Lu}\d]{1,11}-\d{1,9}|#\d{1,9})$/u,
  },
  {
    kind: 'id',
    allOf: digit | numberSign | slash,
    pattern: /^[\w.-]{1,60}\/[\w.-]{1,80}#\d{1,9}$/,
  },
  {
    kind: 'path',
    allOf: slash,
    pattern: /^(?:[A-Za-z]:[\\/]|\\\\|~\/|\.{1,2}[\\/]|\/(?=[^/]))[^:*?"<>|]+$/,
  },
  {
    kind: 'path',
    allOf: slash,
    pattern:
      /^[@\p{L}\p{N}_.-][\p{L}\p{N}\p{M}_.@+~%$-]*(?:[\\/][\p{L}\p{N}\p{M}_.@+~%$-]+)+[\\/]?$/u,
  },
  {
    kind: 'symbol',
    allOf: colon,
    pattern: /^[\p{L}_$][\p{L}\p{N}_$]*(?:::~?[\p{L}_$][\p{L}\p{N}_$]*)+$/u,
  },
  {
    kind: 'hash',
    allOf: digit,
    noneOf: dot | slash | lowLine | atSign,
    pattern: /^(?:sha\d{1,3}[:-])?(?=[0-9a-f]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}$/i,
  },
  { kind: 'file', allOf: dot, pattern: /^\.[a-z][\w-]*(?:\.[\w-]+)*$/ },
  {
    kind: 'file',
    allOf: dot,
    pattern: /^[\p{L}\p{N}_$@+~-][\p{L}\p{N}\p{M}_$@+~.-]*\.[A-Za-z][A-Za-z0-9]{0,9}$/u,
  },
  {
    kind: 'symbol',
    allOf: dot,
    pattern: /^(?:[\p{L}_$][\p{L}\p{N}_$]*\.)+[\p{L}_$][\p{L}\p{N}_$]*$/u,
  },
  { kind: 'id', allOf: lowLine | digit, pattern: /^(?=\D*\d)[a-zA-Z]{2,12}_[a-zA-Z0-9]{4,40}$/ },
  {
    kind: 'symbol',
    allOf: lowLine,
    pattern: /^[\p{L}$][\p{L}\p{N}$]*(?:_+[\p{L}\p{N}$]+)+_*$|^_+\p{L}[\p{L}\p{N}_$]*$/u,
  },
  { kind: 'symbol', ...joined, pattern: /^[\p{Ll}$][\p{Ll}\p{N}$]*\p{Lu}[\p{L}\p{N}$]*$/u },
  { kind: 'symbol', ...joined, pattern: /^\p{Lu}+[\p{Ll}\p{N}]+\p{Lu}[\p{L}\p{N}$]*$/u },
  { kind: 'symbol', ...joined, pattern: /^\p{Lu}{2,}[\p{Ll}\p{N}][\p{L}\p{N}]*$/u },
  {
    kind: 'symbol',
    allOf: hyphen,
    oneOf: digit | beyondAscii,
    pattern: /^\p{Ll}[\p{Ll}\p{N}]*(?:-[\p{Ll}\p{N}]+)+$/u,
  },
  {
    kind: 'number',
    allOf: digit,
    pattern: /^-?(?:\d{3,}(?:\.\d+)?|\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|\d+\.\d{2,}|0x[0-9a-fA-F]+)$/,
  },
]

/** Of overlapping literals, the kind with the larger number wins. */
export const specificity = {
  url: 16,
  email: 15,
  uuid: 14,
  date: 13,
  time: 12,
  version: 11,
  amount: 10,
  path: 9,
  id: 8,
  hash: 7,
  file: 6,
  symbol: 5,
  host: 4,
  number: 3,
  name: 2,
  quoted: 1,
} as const

/** Text in quotes, one pattern for each style of quotes. */
export const quoteForms: readonly RegExp[] = [
  /(?<![\p{L}\p{N}])"([^"\r\n]{2,60})"(?![\p{L}\p{N}])/gu,
  /(?<![\p{L}\p{N}])'([^'\r\n]{2,60})'(?![\p{L}\p{N}])/gu,
  /`([^`\r\n]{2,60})`/g,
  /“([^“”\r\n]{2,60})”/g,
  /‘([^‘’\r\n]{2,60})’(?![\p{L}\p{N}])/gu,
  /«\s?([^«»\r\n]{2,60}?)\s?»/g,
  /„([^„“”\r\n]{2,60})[“”]/g,
  /「([^「」『』\r\n]{2,60})[」』]/g,
  /『([^「」『』\r\n]{2,60})[」』]/g,
]

/** File extensions that are not also names of fields, as `map` and `log` are. */
const endings =
  'ts tsx mts cts js jsx mjs cjs json jsonl md mdx txt rst csv tsv yml yaml toml ini cfg conf lock ' +
  'html css scss less svg png jpg jpeg gif webp ico pdf doc docx xls xlsx zip gz tgz tar bz2 xz py ' +
  'pyi ipynb rb go rs java kt kts scala swift c h cc cpp hpp cs php pl lua jl sh bash zsh ps1 bat ' +
  'sql db sqlite parquet proto graphql xml wasm dll exe vue svelte astro tf hcl gradle dart zig ' +
  'ex exs erl hs patch diff pem crt mp3 mp4 wav'

export const fileEndingsInProse: ReadonlySet<string> = new Set(
  `${endings} ndjson htm bmp ppt pptx odt zst rar fish cmd gql xsd mov ttf woff2`.split(' '),
)

/** Code has other extensions, and uses words such as `cmd` and `fish` as fields. */
export const fileEndingsInOutput: ReadonlySet<string> = new Set(
  `${endings} so tpl tmpl po mod sum env`.split(' '),
)

/** Endings of host names rather than of files. */
export const topLevelDomain =
  /^(?:com|org|net|edu|gov|dev|app|local|internal|cloud|eu|uk|fr|info|test|example)$/

/** Parts of patterns. */
const month =
  '(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?)'
const unit =
  '(?:[KMGTP]i?B|[kKMGT]?[Bb]ytes?|bits?|[kMG]bps|[kMG]?Hz|ms|µs|ns|s|sec(?:onds?)?|min(?:utes?)?|h|hours?|days?|weeks?|months?|years?|px|kg|g|mg|km|m|cm|mm|mi|miles|kWh?|W|V|°[CF]|percent|tokens|lines|files|USD|EUR|GBP|CHF|JPY|CNY|INR|dollars|euros|pounds|million|billion|thousand)'

/** `STEP-12` is a count, not an issue key. */
export const countedKeys: ReadonlySet<string> = new Set(
  'WP PR STEP PHASE PART PHASES TASK GPT MP'.split(' '),
)

/** Standards have the form of a key, but are common knowledge. */
export const standards: ReadonlySet<string> = new Set(
  (
    'UTF-8 UTF-16 UTF-32 SHA-1 SHA-2 SHA-3 SHA-224 SHA-256 SHA-384 SHA-512 AES-128 AES-256 MD-5 ISO-8601 ' +
    'ISO-8859 ISO-27001 ISO-9001 RFC-3339 RFC-2119 ES-2015 HTTP-2 HTTP-3 COVID-19 CP-1252 ' +
    'ISO8601 RFC3339 RFC2119 RFC2616 RFC6749 RFC7231 RFC7519 RFC9110 RSA2048 RSA4096 ISO27001 ISO9001'
  ).split(' '),
)

/** Scripts without spaces, as members of a character class. */
export const unspacedScripts =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Hangul}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー'

/** Text after a number that makes it a date, an amount or a time. */
export const afterNumber: readonly (readonly [LiteralKind, RegExp])[] = [
  ['date', new RegExp(String.raw`(?:st|nd|rd|th|\.)? ${month}\.?,?(?: \d{4})?(?!\d)`, 'uy')],
  ['amount', new RegExp(String.raw` ?(?:%|\p{Sc}|${unit}(?![\p{L}\p{N}_/-]))`, 'uy')],
  ['time', /(?::\d{2})? ?[AaPp]\.?[Mm]\.?(?!\w)/uy],
  ['date', /-\d{2}-\d{2} \d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?Z?/uy],
]

const word = String.raw`(?<![\p{L}\p{N}_])`

/** A word or a mark, followed by a number. */
export const phraseForms: readonly (readonly [LiteralKind, RegExp])[] = [
  [
    'date',
    new RegExp(String.raw`${word}${month}\.? \d{1,2}(?:st|nd|rd|th)?(?:,? \d{4})?(?!\d)`, 'gu'),
  ],
  ['date', new RegExp(String.raw`${word}${month}\.? \d{4}(?!\d)`, 'gu')],
  ['date', /(?<!\d)\d{4}[年년] ?\d{1,2}[月월](?: ?\d{1,2}[日일])?/g],
  [
    'amount',
    /(?<![\p{L}\p{N}.])\p{Sc} ?\d{1,15}(?:[.,]\d{1,9}){0,5}(?: ?(?:million|billion|thousand|[kKmMbB])(?![\p{L}\p{N}]))?/gu,
  ],
  [
    'id',
    /(?<![\p{L}\p{N}_])(?:PR|MR|RFC|CVE|ADR|[Pp]ull [Rr]equest|[Ii]ssue|[Tt]icket|[Oo]rder|[Ii]nvoice|[Bb]uild|[Cc]ase|[Ss]tep|[Ll]ine) ?#?\d{1,9}(?![\p{L}\p{N}_])/gu,
  ],
]

/** Values that only an exact copy gets right, stricter than the forms of prose. */
export const exactEmail =
  /^[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}\.[A-Za-z]{2,24}$/
export const exactDecimal = /^(\d{1,30}\.\d{1,30})[A-Za-z]{0,3}$/
export const exactVersion =
  /^(?:[A-Za-z][\w.-]{0,60}@|[A-Za-z]{1,12}-)?[vV^~=]?(\d{1,6}(?:\.\d{1,9}){2,3}(?:-(?:alpha|beta|rc|next|dev|pre|canary|preview)[.\d-]{0,20})?)$/
export const exactUuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Ids as services issue them: a type prefix and a unique part. */
export const prefixedKey = /^[A-Za-z]{2,12}_(?=[A-Za-z]{0,40}\d[A-Za-z]{0,40}\d)[A-Za-z0-9]{6,60}$/
/** At least two letters, because `L197-214` is a range of lines. */
export const issueKey = /^([A-Z]{2}[A-Z0-9]{0,8})-\d{1,9}$/
// A single group could be a fraction after a full stop, or another number after a space.
export const groupedDigits =
  /(?<![\d.,])\d{1,3}(?:(?:,\d{3}){1,12}(?:\.\d{1,12})?|(?:\.\d{3}){2,12}(?:,\d{1,12})?|(?:['’_]\d{3}){1,12}|(?: \d{3}){2,12}|(?:[\u00a0\u202f]\d{3}){1,12}(?:,\d{1,12})?)(?!\d)/g

/** Forms of runs with digits in tool output; the first match wins. */
export const numberedForms = [
  ['id', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i],
  ['date', /^\d{4}-\d{2}-\d{2}(?:T\d{2})?$/],
  ['host', /^\d{1,3}(?:\.\d{1,3}){3}$/],
  [
    'version',
    /^(?:v\d{1,6}(?:\.\d{1,9}){1,3}|\d{1,6}(?:\.\d{1,9}){2,3})(?:[-+][0-9A-Za-z.+-]{1,60})?$/,
  ],
  ['id', /^[A-Z][A-Z\d]{1,11}-\d{1,9}$/],
  ['id', /^[a-zA-Z]{2,12}_(?=[a-zA-Z]*\d)[a-zA-Z0-9]{4,40}$/],
  ['number', /^\d{1,15}\.\d{1,15}$/],
] as const

interface Cut {
  /** Every piece that is cut there has one of these bits. */
  readonly marks: number
  /** The characters to cut at. */
  readonly at: string
  /** How many equal characters in a row are needed for a cut. */
  readonly minRepeats: number
}

/** Loosest first: a mark that joins a list never joins a name. */
export const cuts: readonly Cut[] = [
  { marks: listMark, at: '!,*=?&', minRepeats: 1 },
  { marks: colon, at: ':', minRepeats: 1 },
  { marks: pathMark, at: '/\\@#%~+', minRepeats: 1 },
  { marks: dot | hyphen, at: '.-', minRepeats: 2 },
  { marks: dot | hyphen, at: '.-', minRepeats: 1 },
]
