/** What a run of letters, digits and marks names, by its form alone. */
export type ExactNameKind =
  | 'path'
  | 'file'
  | 'symbol'
  | 'hash'
  | 'id'
  | 'version'
  | 'number'
  | 'date'
  | 'url'
  | 'host'
  | 'email'

export interface NamedRun {
  readonly text: string
  readonly kind: ExactNameKind
}

type SeveralRuns = { readonly kind: 'several'; readonly names: readonly NamedRun[] }

export interface Around {
  /** The codes of the characters before and behind it; zero at the edges. */
  readonly before: number
  readonly behind: number
  /** A bit for each sort of character in it, as the scanner counts them. */
  readonly sorts: number
}

const marks = 1 << 4
const digits = 1 << 3
const letters = 1 << 1

/** Null where it is a plain word. */
export function nameKind(run: string, around: Around): NamedRun | SeveralRuns | null {
  if ((around.sorts & marks) === 0) return wordKind(run, around.sorts)
  const text = trimmed(run)
  if (text.length < 2) return null
  if (text.includes(':')) return addressKind(text)
  if (text.includes('@')) return mailKind(text, around)
  if (text.includes('/')) return pathKind(text, around)
  return markedKind(text, around)
}

function named(text: string, kind: ExactNameKind): NamedRun {
  return { text, kind }
}

/** Letters and digits only. */
function wordKind(text: string, sorts: number): NamedRun | null {
  if (sorts === digits) return text.length >= 3 ? named(text, 'number') : null
  if ((sorts & digits) !== 0) {
    if (text.length >= 7 && /^[0-9a-f]{7,128}$/i.test(text)) return named(text, 'hash')
    if (/^\d+[a-zA-Z]{1,3}$/.test(text)) return null
    if (/^v\d{1,6}$/.test(text)) return named(text, 'version')
  }
  if (hasInnerCapital(text)) return named(text, 'symbol')
  return (sorts & digits) !== 0 && text.length >= 5 ? named(text, 'id') : null
}

/** A capital behind a small letter, or the last of several before one; `IDs` has none. */
function hasInnerCapital(text: string): boolean {
  if (!/[A-Z\u0080-\uffff]/.test(text)) return false
  if (isAscii(text)) return /[a-z\d][A-Z]|[A-Z]{2}[a-z]{2}/.test(text) && /[a-z]/.test(text)
  return /[\p{Ll}\d]\p{Lu}|\p{Lu}{2}\p{Ll}{2}/u.test(text) && /\p{Ll}/u.test(text)
}

function addressKind(text: string): NamedRun | null {
  return /^[A-Za-z]:/.test(text)
    ? named(text, 'path')
    : /^[a-z][a-z0-9+.-]{1,20}:\/\/[^/]/i.test(text)
      ? named(text, 'url')
      : null
}

function mailKind(text: string, around: Around): NamedRun | SeveralRuns | null {
  if (/^[\w.+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}$/u.test(text))
    return named(text, 'email')
  if (text.includes('/')) return pathKind(text, around)
  return several(text.split('@'))
}

/** `</div>` and `<br/>` are tags. */
const lessThan = 60

function pathKind(text: string, { before }: Around): NamedRun | SeveralRuns | null {
  if (before === lessThan) return null
  if (text.startsWith('//')) return several([text.slice(2)])
  const issue = text.includes('#') && /^[\w.-]{1,60}\/[\w.-]{1,80}#\d{1,9}$/.test(text)
  if (issue) return named(text, 'id')
  const parts = text.split('/').filter((part) => part !== '')
  const [first = ''] = parts
  if (!parts.some((part) => /\p{L}/u.test(part))) return dated(text)
  if (text.startsWith('/') && parts.length === 1) {
    // `/g` ends a pattern, and what stands behind a word divides it.
    return first.length < 3 || (before > 32 && !opening.has(before))
      ? several([first])
      : named(text, 'path')
  }
  const isPath = /^[/~.@]/.test(text) || parts.length > 2 || /[._\d-]|\/$|\p{Ll}\p{Lu}/u.test(text)
  return isPath ? named(text, 'path') : null
}

/** What stands before a path that begins with a slash: quotes, brackets, `=`. */
const opening: ReadonlySet<number> = new Set([...'"\'`([=:,>'].map((mark) => mark.charCodeAt(0)))

function dated(text: string): NamedRun | null {
  return /^\d{1,4}[-/]\d{1,2}[-/]\d{1,4}$/.test(text) ? named(text, 'date') : null
}

const openParenthesis = 40
const numberSign = 35

/** With dots, hyphens, low lines or a number sign. */
function markedKind(text: string, { behind, sorts }: Around): NamedRun | SeveralRuns | null {
  if (text.charCodeAt(0) === numberSign && /^#\d{1,9}$/.test(text)) return named(text, 'id')
  const hasDigits = (sorts & digits) !== 0
  if (hasDigits) {
    const found = numbered(text)
    if (found !== null) return found
  }
  const dot = text.lastIndexOf('.')
  if (dot > 0 && endings.has(text.slice(dot + 1).toLowerCase()) && behind !== openParenthesis)
    return named(text, 'file')
  if (dot === 0)
    return behind !== openParenthesis && /^\.[a-z][\w-]{2,40}$/.test(text) && !hasInnerCapital(text)
      ? named(text, 'file')
      : several([text.slice(1)])
  if (dot > 0 || /[#~+]/.test(text)) return several(text.split(/[.#~+]+/))
  if (isLowJoined(text)) return named(text, 'symbol')
  // Words are joined by hyphens in any sentence; with a digit it is a name.
  if (hasDigits && /^\p{L}[\p{L}\p{N}_]*(?:-[\p{L}\p{N}_]+)+$/u.test(text))
    return named(text, 'symbol')
  return several(text.split(/-+/, mostParts))
}

function numbered(text: string): NamedRun | null {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return named(text, 'id')
  if (/^\d{4}-\d{2}-\d{2}(?:T\d{2})?$/.test(text)) return named(text.slice(0, 10), 'date')
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(text)) return named(text, 'host')
  if (
    /^(?:v\d{1,6}(?:\.\d{1,9}){1,3}|\d{1,6}(?:\.\d{1,9}){2,3})(?:[-+][0-9A-Za-z.+-]{1,60})?$/.test(
      text,
    )
  )
    return named(text, 'version')
  if (/^[A-Z][A-Z\d]{1,11}-\d{1,9}$/.test(text)) return named(text, 'id')
  if (/^[a-zA-Z]{2,12}_(?=[a-zA-Z]*\d)[a-zA-Z0-9]{4,40}$/.test(text)) return named(text, 'id')
  if (/^\d{1,15}\.\d{1,15}$/.test(text)) return text.length > 3 ? named(text, 'number') : null
  return null
}

// Joined by marks, a run can hold as many words as it has characters.
const mostParts = 50

/** Each part is read on its own, as far down as words. */
function several(parts: readonly string[]): SeveralRuns | null {
  const names: NamedRun[] = []
  for (const part of parts.slice(0, mostParts)) {
    if (part.length < 3) continue
    if (isLowJoined(part)) names.push(named(part, 'symbol'))
    else
      for (const word of part.split(/[_-]+/, mostParts)) {
        const found = word.length < 3 ? null : wordKind(word, sortsOf(word))
        if (found !== null) names.push(found)
      }
  }
  return names.length === 0 ? null : { kind: 'several', names }
}

function isLowJoined(text: string): boolean {
  if (!text.includes('_')) return false
  if (isAscii(text)) return /^\w+$/.test(text) && /[A-Za-z]/.test(text)
  return /^_*[\p{L}\p{N}]+(?:_+[\p{L}\p{N}]+)*_*$/u.test(text) && /\p{L}/u.test(text)
}

/** Classes of Unicode make a pattern several times slower, and few names need them. */
function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > 127) return false
  return true
}

function sortsOf(word: string): number {
  if (!/\d/.test(word)) return letters
  return /^\d+$/.test(word) ? digits : digits | letters
}

/** Marks of the sentence around it. */
function trimmed(run: string): string {
  let from = 0
  let to = run.length
  while (from < to && '-+'.includes(run[from] ?? ' ')) from += 1
  while (to > from && '.-@#~+:?!=&%\\'.includes(run[to - 1] ?? ' ')) to -= 1
  while (from < to && run[from] === '.' && run[from + 1] === '.' && run[from + 2] !== '/') from += 1
  // The last of several: what is spread into an object is no file that begins with a dot.
  if (run[from - 1] === '.' && run[from] === '.' && !'./'.includes(run[from + 1] ?? '/')) from += 1
  return run.slice(from, to)
}

/** Endings of files that fields of objects do not have as well, as `map` and `log` are. */
const endings: ReadonlySet<string> = new Set(
  (
    'ts tsx mts cts js jsx mjs cjs json jsonl md mdx txt rst csv tsv yml yaml toml ini cfg conf lock ' +
    'html css scss less svg png jpg jpeg gif webp ico pdf doc docx xls xlsx zip gz tgz tar bz2 xz py ' +
    'pyi ipynb rb go rs java kt kts scala swift c h cc cpp hpp cs php pl lua jl sh bash zsh ps1 bat ' +
    'sql db sqlite parquet proto graphql xml wasm dll exe so vue svelte astro tf hcl gradle dart zig ' +
    'ex exs erl hs patch diff pem crt mp3 mp4 wav tpl tmpl po mod sum env'
  ).split(' '),
)
