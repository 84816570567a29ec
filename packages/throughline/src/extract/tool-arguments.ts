import { type Fields, fieldsIn, parsedJson } from '../domain/json.ts'
import { argumentNames, switches } from './tool-words-data.ts'

export interface Arguments {
  text(name: string): string | null
  has(name: string): boolean
  /** The call has no arguments or is unknown. */
  readonly isEmpty: boolean
  /** All texts and numbers of the call, also nested ones, without `switches`. */
  readonly values: readonly string[]
  readonly path: string | null
  /** Files of a call that names several. */
  readonly paths: readonly string[]
  /** The new text of a file or of a part of it. */
  readonly content: string | null
  /** The text that an edit replaces. */
  readonly replaced: string | null
  readonly shell: string | null
  /** Code for a tool that runs code; other tools use these argument names for other things. */
  readonly program: string | null
  readonly patch: string | null
  readonly query: string | null
  readonly address: string | null
}

// A call may write megabytes into a file; parsing more than this costs more than it gives.
const parsedCharacters = 4_000_000

export function readArguments(input: string): Arguments {
  const fields = fieldsOf(input)
  const has = (name: string) => Object.hasOwn(fields, name)
  const text = (name: string) => (has(name) ? textOf(fields[name]) : null)
  const firstText = (among: readonly string[]) =>
    among.map(text).find((value) => value !== null && value !== '') ?? null
  const shell = firstText(argumentNames.shell)
  // A shell command may contain the patch that it applies.
  const patch = patchIn(firstText(argumentNames.patch)) ?? patchIn(shell)
  return {
    text,
    has,
    isEmpty: Object.keys(fields).length === 0,
    values: valuesOf(fields),
    path: pathOf(firstText(argumentNames.path)),
    paths: pathsOf(argumentNames.paths.map((name) => (has(name) ? fields[name] : null))),
    // An edit that only deletes text has an empty replacement.
    content:
      firstText(argumentNames.content) ??
      (argumentNames.content.some((name) => text(name) === '') ? '' : null),
    replaced: firstText(argumentNames.replaced),
    shell,
    program: firstText(argumentNames.program),
    patch,
    query: firstText(argumentNames.query),
    address: addressOf(firstText(argumentNames.address)),
  }
}

function fieldsOf(input: string): Fields {
  if (input.length > parsedCharacters) return {}
  // Some models write invalid JSON, and some tools take plain text.
  const parsed = (text: string) => parsedJson(text, text)
  const value = parsed(input)
  // Some clients write the JSON of arguments as a JSON text once more.
  const inner = typeof value === 'string' && /^\s*\{/.test(value) ? parsed(value) : value
  if (typeof inner === 'string') return inner.trim() === '' ? {} : { input: inner }
  return fieldsIn(inner)
}

/** Some clients pass a command as a list of words. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value
  if (!Array.isArray(value) || value.length > maxCommandWords) return null
  if (!value.every((word) => typeof word === 'string')) return null
  const words: readonly string[] = value
  const isWrapped = words.length > 2 && shells.test(words[0] ?? '') && /^[-/]/.test(words[1] ?? '')
  return isWrapped ? (words.at(-1) ?? null) : words.map(quoted).join(' ')
}

const maxCommandWords = 10_000
const shells = /^(?:\S{0,200}[\\/])?(?:(?:ba|z|da|k)?sh|cmd|powershell|pwsh)(?:\.exe)?$/i

/** Quotes a word for a command line; words with line breaks (patches, scripts) stay as they are. */
function quoted(word: string): string {
  return /^[^\s"']*$/.test(word) || word.includes('\n') ? word : `'${word.replaceAll("'", '"')}'`
}

const pathCharacters = 1_000

function pathOf(path: string | null): string | null {
  if (path === null || path.length > pathCharacters || /[\p{Cc}]/u.test(path)) return null
  const local = path.replace(/^file:\/\//, '').toWellFormed()
  return local === '' || /^[a-z][a-z0-9+.-]{1,20}:\/\//i.test(local) ? null : local
}

const maxPaths = 100

function pathsOf(lists: readonly unknown[]): readonly string[] {
  const list = lists.find((value): value is readonly unknown[] => Array.isArray(value)) ?? []
  return list.slice(0, maxPaths).flatMap((value) => {
    const named = Object.hasOwn(fieldsIn(value), 'path') ? fieldsIn(value)['path'] : value
    const path = typeof named === 'string' ? pathOf(named) : null
    return path === null ? [] : [path]
  })
}

function addressOf(address: string | null): string | null {
  return address !== null && /^[a-z][a-z0-9+.-]{0,20}:\/\//i.test(address) ? address : null
}

const maxDepth = 8
const maxValues = 2_000

function valuesOf(fields: Fields): readonly string[] {
  const values: string[] = []
  const walk = (value: unknown, depth: number) => {
    if (values.length >= maxValues) return
    if (typeof value === 'string') values.push(value)
    else if (typeof value === 'number') values.push(String(value))
    else if (depth < maxDepth && typeof value === 'object' && value !== null)
      for (const name of Object.keys(value)) {
        if (values.length >= maxValues) return
        if (!switches.has(name)) walk((value as Fields)[name], depth + 1)
      }
  }
  walk(fields, 0)
  return values
}

// A patch starts with its header, and a command before it is shorter than this.
const headCharacters = 4_000

const patchStart =
  /^\*\*\* (?:Begin Patch|(?:Update|Add|Delete) File: \S)|^diff --git \S|^--- \S[^\n]{0,1000}\n\+\+\+ \S/m

function patchIn(text: string | null): string | null {
  if (text === null) return null
  const at = text.slice(0, headCharacters).search(patchStart)
  return at === -1 ? null : text.slice(at)
}
