/** What a word without a space is, by its form. */
import type { IdentifierKind } from './identifier.ts'
import {
  at,
  beyondAscii,
  colon,
  digit,
  dot,
  hyphen,
  innerCapital,
  listMark,
  lowLine,
  marksIn,
  numberSign,
  pathMark,
  slash,
} from './word-marks.ts'

export interface ReadWord {
  readonly kind: IdentifierKind
  readonly text: string
  readonly line: number | null
  /** How many characters behind the text belong to it all the same, such as `:12:3`. */
  readonly behind: number
}

/** Null for a plain word, and for what has to be cut first. */
export function readWord(word: string, marks: number): ReadWord | null {
  const isLocated = (marks & located) === located
  const place = isLocated ? /^(.{1,390}?):(\d{1,7})(?::\d{1,6})?(?:-\d{1,7})?$/.exec(word) : null
  if (place !== null) {
    const [, file = '', line = ''] = place
    const kind = kindOf(file, marksIn(file, 0, file.length))
    if (kind === 'path' || kind === 'file' || kind === 'host') {
      // `localhost.example:8080` is an address with its port.
      const isAddress = kind === 'host'
      const text = isAddress ? word : file
      const behind = word.length - text.length
      return { kind, text, line: isAddress ? null : Number(line), behind }
    }
  }
  const kind = kindOf(word, marks)
  return kind === null ? null : { kind, text: word, line: null, behind: 0 }
}

interface Form {
  readonly kind: IdentifierKind
  /** All of these marks are in every word of the form: most words have none of them. */
  readonly holds: number
  /** And at least one of these … */
  readonly one?: number
  /** … and none of these. */
  readonly lacks?: number
  readonly pattern: RegExp
}

const located = colon | digit

/** Of letters and digits alone, with a capital behind the first. */
const joined = {
  holds: 0,
  one: innerCapital | beyondAscii,
  lacks: colon | at | hyphen | slash | dot | lowLine | numberSign | listMark | pathMark,
} as const

/** In this order; anchored, so that each is over in one walk through the word. */
const forms: readonly Form[] = [
  {
    kind: 'url',
    holds: colon,
    pattern: /^[a-zA-Z][a-zA-Z0-9+.-]{1,20}:\/\/[^\s/?#]+.*$|^(?:mailto|data|urn):\S{3,}$/,
  },
  {
    kind: 'email',
    holds: at,
    pattern: /^[\p{L}\p{N}._%+-]+@[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+$/u,
  },
  {
    kind: 'uuid',
    holds: hyphen,
    pattern: /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i,
  },
  {
    kind: 'date',
    holds: digit,
    one: hyphen | slash | dot,
    pattern:
      /^(?:\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?|\d{4}\/\d{2}\/\d{2}|\d{1,2}\/\d{1,2}\/\d{2,4}|\d{1,2}\.\d{1,2}\.(?:19|20)\d{2})$/,
  },
  {
    kind: 'time',
    holds: colon | digit,
    pattern: /^(?:[01]?\d|2[0-4]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:[ap]m|Z)?$/i,
  },
  {
    kind: 'host',
    holds: digit,
    one: dot | colon,
    pattern: /^(?:\d{1,3}(?:\.\d{1,3}){3}|localhost:\d{1,5})$/,
  },
  {
    kind: 'version',
    holds: digit,
    pattern:
      /^(?:v\d{1,6}(?:\.\d{1,9}){0,3}|\d{1,6}(?:\.\d{1,9}){2,3})(?:-[0-9A-Za-z]+(?:[.-][0-9A-Za-z]+)*)?(?:\+[0-9A-Za-z.-]+)?$/,
  },
  {
    kind: 'amount',
    holds: digit,
    pattern:
      /^(?:\d+(?:[.,]\d+)*%|\d+(?:\.\d+)?(?:[kKMGTP]i?B|[kMG]?Hz|ms|µs|ns|px|rem|kg|km|mm|cm|kWh?|x))$/,
  },
  {
    kind: 'id',
    holds: digit,
    one: hyphen | numberSign,
    pattern: /^(?:\p{Lu}[\p{Lu}\d]{1,11}-\d{1,9}|#\d{1,9})$/u,
  },
  {
    kind: 'id',
    holds: digit | numberSign | slash,
    pattern: /^[\w.-]{1,60}\/[\w.-]{1,80}#\d{1,9}$/,
  },
  {
    kind: 'path',
    holds: slash,
    pattern: /^(?:[A-Za-z]:[\\/]|\\\\|~\/|\.{1,2}[\\/]|\/(?=[^/]))[^:*?"<>|]+$/,
  },
  {
    kind: 'path',
    holds: slash,
    pattern:
      /^[@\p{L}\p{N}_.-][\p{L}\p{N}\p{M}_.@+~%$-]*(?:[\\/][\p{L}\p{N}\p{M}_.@+~%$-]+)+[\\/]?$/u,
  },
  {
    kind: 'symbol',
    holds: colon,
    pattern: /^[\p{L}_$][\p{L}\p{N}_$]*(?:::~?[\p{L}_$][\p{L}\p{N}_$]*)+$/u,
  },
  {
    kind: 'hash',
    holds: digit,
    lacks: dot | slash | lowLine | at,
    pattern: /^(?:sha\d{1,3}[:-])?(?=[0-9a-f]*[a-f])(?=[a-f]*[0-9])[0-9a-f]{7,64}$/i,
  },
  { kind: 'file', holds: dot, pattern: /^\.[a-z][\w-]*(?:\.[\w-]+)*$/ },
  {
    kind: 'file',
    holds: dot,
    pattern: /^[\p{L}\p{N}_$@+~-][\p{L}\p{N}\p{M}_$@+~.-]*\.[A-Za-z][A-Za-z0-9]{0,9}$/u,
  },
  {
    kind: 'symbol',
    holds: dot,
    pattern: /^(?:[\p{L}_$][\p{L}\p{N}_$]*\.)+[\p{L}_$][\p{L}\p{N}_$]*$/u,
  },
  { kind: 'id', holds: lowLine | digit, pattern: /^(?=\D*\d)[a-zA-Z]{2,12}_[a-zA-Z0-9]{4,40}$/ },
  {
    kind: 'symbol',
    holds: lowLine,
    pattern: /^[\p{L}$][\p{L}\p{N}$]*(?:_+[\p{L}\p{N}$]+)+_*$|^_+\p{L}[\p{L}\p{N}_$]*$/u,
  },
  { kind: 'symbol', ...joined, pattern: /^[\p{Ll}$][\p{Ll}\p{N}$]*\p{Lu}[\p{L}\p{N}$]*$/u },
  { kind: 'symbol', ...joined, pattern: /^\p{Lu}+[\p{Ll}\p{N}]+\p{Lu}[\p{L}\p{N}$]*$/u },
  { kind: 'symbol', ...joined, pattern: /^\p{Lu}{2,}[\p{Ll}\p{N}][\p{L}\p{N}]*$/u },
  {
    kind: 'symbol',
    holds: hyphen,
    one: digit | beyondAscii,
    pattern: /^\p{Ll}[\p{Ll}\p{N}]*(?:-[\p{Ll}\p{N}]+)+$/u,
  },
  {
    kind: 'number',
    holds: digit,
    pattern: /^-?(?:\d{3,}(?:\.\d+)?|\d{1,3}(?:[,_]\d{3})+(?:\.\d+)?|\d+\.\d{2,}|0x[0-9a-fA-F]+)$/,
  },
]

function kindOf(word: string, marks: number): IdentifierKind | null {
  for (const { kind, holds, one = 0, lacks = 0, pattern } of forms) {
    if ((marks & holds) !== holds || (marks & lacks) !== 0) continue
    if ((one === 0 || (marks & one) !== 0) && pattern.test(word)) return accepted(kind, word)
  }
  return null
}

/** Forms that also fit other words are looked at once more. */
function accepted(kind: IdentifierKind, word: string): IdentifierKind | null {
  switch (kind) {
    case 'file':
      return fileKind(word)
    case 'path':
      return isPath(word) ? 'path' : null
    case 'symbol':
      // Words are joined by hyphens in any sentence; with a digit it is a name.
      return word.includes('-') && !/\p{N}/u.test(word) ? null : 'symbol'
    case 'url':
    case 'email':
    case 'uuid':
    case 'version':
    case 'date':
    case 'time':
    case 'amount':
    case 'hash':
    case 'id':
    case 'host':
    case 'number':
    case 'quoted':
    case 'name':
      return kind
  }
}

/** `a.b.c` may be a file, a host or a field of something: its last part tells. */
function fileKind(word: string): IdentifierKind | null {
  const parts = word.split('.')
  const last = parts.at(-1) ?? ''
  if (word.startsWith('.') || extensions.has(last.toLowerCase())) return 'file'
  if (parts.every((part) => /^\p{L}$/u.test(part))) return null
  if (parts[0] === 'www' || topLevel.test(last)) return parts.every(isLabel) ? 'host' : null
  if (parts.every(isSymbol)) return isSentence(parts) ? null : 'symbol'
  return /^[A-Za-z0-9]{1,5}$/.test(last) ? 'file' : null
}

/** A full stop without a space behind it. */
function isSentence(parts: readonly string[]): boolean {
  return (
    parts.length === 2 &&
    /^\p{Lu}\p{Ll}+$/u.test(parts[1] ?? '') &&
    /^\p{Ll}+$/u.test(parts[0] ?? '')
  )
}

/** Endings of files that fields of objects do not have as well, as `map` and `log` are. */
const extensions: ReadonlySet<string> = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json jsonl ndjson md mdx txt rst csv tsv yml yaml toml ini cfg conf ' +
    'lock html htm css scss less svg png jpg jpeg gif webp ico bmp pdf doc docx xls xlsx ppt pptx odt ' +
    'zip gz tgz tar bz2 xz zst rar py pyi ipynb rb go rs java kt kts scala swift c h cc cpp hpp cs php ' +
    'pl lua jl sh bash zsh fish ps1 bat cmd sql db sqlite parquet proto graphql gql xml xsd wasm dll exe ' +
    'vue svelte astro tf hcl gradle dart zig ex exs erl hs patch diff pem crt mp3 mp4 wav mov ttf woff2'
  ).split(' '),
)

/** Endings that name a part of the internet and no kind of file. */
const topLevel = /^(?:com|org|net|edu|gov|dev|app|local|internal|cloud|eu|uk|fr|info|test|example)$/

function isLabel(part: string): boolean {
  return /^[\p{L}\p{N}-]{1,63}$/u.test(part)
}

function isSymbol(part: string): boolean {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(part)
}

/** `and/or` and `1/2` have a slash and are no paths; two parts need a sign of being one. */
function isPath(word: string): boolean {
  if (/^[/~.]|^[A-Za-z]:/.test(word) || word.startsWith('\\\\')) return /[\p{L}\p{N}]/u.test(word)
  const parts = word.split(/[\\/]/).filter((part) => part !== '')
  if (parts.every((part) => /^[\d.]+$/.test(part))) return false
  return parts.length > 2 || word.startsWith('@') || /[._\d-]|[\\/]$|\p{Ll}\p{Lu}/u.test(word)
}
