/** What a shell command does with which files, as far as its words say. */

import {
  leading,
  lookers,
  prefixes,
  readers,
  scripted,
  searchers,
  writers,
} from './tool-words-data.ts'

export interface ShellUse {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly deletes: readonly string[]
  /** The command in one line, without what only leads to it. */
  readonly gist: string
  /** Whether it only shows text: words in that are nobody's failure. */
  readonly isLooking: boolean
  /** Whether finding nothing is an answer of it. */
  readonly isSearch: boolean
}

const gistCharacters = 120
// What is written with a here document may be a whole file.
const commandCharacters = 20_000

export function readCommand(command: string): ShellUse {
  const text = command.slice(0, commandCharacters)
  const commands = simpleCommands(text)
  const uses = commands.map(usedBy)
  const working = commands.map(programOf).filter((program) => !leading.has(program))
  const isOneOf = (...kinds: readonly ReadonlySet<string>[]) =>
    working.length > 0 && working.every((program) => kinds.some((kind) => kind.has(program)))
  return {
    reads: [...new Set(uses.flatMap(({ reads }) => reads))],
    writes: [...new Set(uses.flatMap(({ writes }) => writes))],
    deletes: [...new Set(uses.flatMap(({ deletes }) => deletes))],
    gist: gistOf(text, commands),
    isLooking: isOneOf(readers, searchers, lookers),
    isSearch: searchers.has(working[0] ?? '') && isOneOf(readers, searchers, lookers),
  }
}

type FilesUsed = Pick<ShellUse, 'reads' | 'writes' | 'deletes'>

function usedBy(command: SimpleCommand): FilesUsed {
  const program = programOf(command)
  const { words } = command
  const files = argumentsOf(program, words).filter(isFile)
  const used: FilesUsed = {
    reads: command.readsFrom.filter(isFile),
    writes: command.writesTo.filter(isFile),
    deletes: [],
  }
  const last = files.slice(-1)
  if (program === 'rm' || program === 'git rm' || program === 'unlink')
    return { ...used, deletes: files }
  if (program === 'mv' || program === 'git mv')
    return { ...used, writes: [...used.writes, ...last], deletes: files.slice(0, -1) }
  if (program === 'cp')
    return { ...used, reads: files.slice(0, -1), writes: [...used.writes, ...last] }
  const inPlace = /^(?:sed|perl)$/.test(program) && words.some((word) => /^-[a-zA-Z]*i/.test(word))
  if (inPlace || writers.has(program)) return { ...used, writes: [...used.writes, ...files] }
  return readers.has(program) ? { ...used, reads: [...used.reads, ...files] } : used
}

function programOf({ words }: SimpleCommand): string {
  const at = programAt(words)
  const program = (words[at] ?? '').replace(/^.*\//, '')
  return program === 'git' ? `git ${words[at + 1] ?? ''}` : program
}

/** Behind what is set for it and what starts it. */
function programAt(words: readonly string[]): number {
  const at = words.findIndex((word) => !/^[A-Za-z_]\w*=/.test(word) && !prefixes.has(word))
  return at === -1 ? words.length : at
}

function argumentsOf(program: string, words: readonly string[]): readonly string[] {
  const given = words.slice(programAt(words) + (program.startsWith('git ') ? 2 : 1))
  if (!scripted.has(program) || given.some((word) => /^-[ef]$/.test(word))) return given
  const script = given.findIndex((word) => !word.startsWith('-'))
  return given.slice(script + 1)
}

/**
 * `cd /srv/app &&` leads to a command and is none: agents write it before each of them. What
 * is run in a folder of that (`cd web && npm test`) is another command than the same elsewhere.
 */
function gistOf(text: string, commands: readonly SimpleCommand[]): string {
  const first =
    commands.find((command) => !leading.has(programOf(command)) || entersFolder(command)) ??
    commands[0]
  const rest = text.slice(first?.at ?? 0).trim()
  const [line = ''] = rest.split('\n', 1)
  const gist = line.trim()
  if (gist.length > gistCharacters) return `${gist.slice(0, gistCharacters).toWellFormed()}…`
  return gist.length < rest.length ? `${gist.toWellFormed()} …` : gist.toWellFormed()
}

function entersFolder(command: SimpleCommand): boolean {
  const folder = programOf(command) === 'cd' ? command.words.at(-1) : undefined
  return folder !== undefined && /^(?!\.\.?$)[\w.]/.test(folder) && folder !== 'cd'
}

const pathCharacters = 300

function isFile(word: string): boolean {
  if (word.length > pathCharacters || /^[-$&]/.test(word) || word.startsWith('/dev/')) return false
  return (
    /^[\p{L}\p{N}_@.~/+ -]*\/[\p{L}\p{N}_@.+ -]+$/u.test(word) ||
    /^[\p{L}\p{N}_@+-][\p{L}\p{N}_@.+ -]*\.[A-Za-z][A-Za-z0-9]{0,9}$/u.test(word) ||
    /^\.[a-z][\w.-]+$/.test(word)
  )
}

/**
 * Agents without tools write their command into a fenced block at the end of what they say.
 * What it printed comes as the next message of the user, with its exit code in a tag.
 */
const blockCharacters = 20_000

/** The command that a reply ends with; null where it ends with something else, or has several. */
export function fencedCommandIn(text: string): string | null {
  const end = text.slice(-blockCharacters).trimEnd()
  if (!end.endsWith('\n```')) return null
  const body = end.slice(0, -4)
  const at = body.lastIndexOf('```')
  const [, command] =
    /^```(?:bash|sh|shell|mswea_bash_command)[ \t\r]{0,9}\n([\s\S]*)$/.exec(body.slice(at)) ?? []
  if (at === -1 || command === undefined || command.trim() === '') return null
  return body.lastIndexOf('```bash', at - 1) === -1 ? command.trim() : null
}

/**
 * A command line in its simple commands, each in its words: as a shell cuts it, as far as
 * that needs no shell. One walk through the text; what a here document holds is passed over.
 */
interface SimpleCommand {
  readonly words: string[]
  readonly readsFrom: string[]
  readonly writesTo: string[]
  /** Where it begins in the text. */
  at: number
}

const mostCommands = 200

function simpleCommands(text: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let draft = newDraft(0)
  let documents: string[] = []
  let into: 'words' | 'readsFrom' | 'writesTo' | 'document' = 'words'
  const end = (at: number) => {
    if (draft.words.length + draft.writesTo.length > 0) commands.push(draft)
    draft = newDraft(at)
    into = 'words'
  }
  let at = 0
  while (at < text.length && commands.length < mostCommands) {
    const letter = text[at] ?? ''
    if (letter === '\n') {
      at += 1
      for (const document of documents) at = afterDocument(text, at, document)
      documents = []
      end(at)
    } else if (letter === ' ' || letter === '\t' || letter === '\r') at += 1
    else if (letter === '#') at = endOfLine(text, at)
    else if (letter === ';' || letter === '|' || letter === '&') {
      at += 1
      // `&>` writes, and `>&` names no file.
      if (letter === '&' && text[at] === '>') continue
      end(at)
    } else if (letter === '<' || letter === '>') {
      const mark = /^(?:<<<|<<-?|<|>>|>\||>&|>)/.exec(text.slice(at, at + 3))?.[0] ?? letter
      at += mark.length
      into = letter === '>' ? 'writesTo' : mark.startsWith('<<') ? 'document' : 'readsFrom'
      if (mark === '<<<') into = 'readsFrom'
    } else {
      const [word, end] = wordAt(text, at)
      if (draft.words.length + draft.writesTo.length === 0 && into === 'words') draft.at = at
      at = end
      // `2>` says which output is meant, and is no word.
      if (/^\d$/.test(word) && /[<>]/.test(text[at] ?? '')) continue
      if (into === 'document') documents.push(word)
      else draft[into].push(word)
      into = 'words'
    }
  }
  end(at)
  return commands
}

function newDraft(at: number): SimpleCommand {
  return { words: [], readsFrom: [], writesTo: [], at }
}

/** A word ends at a space or an operator outside of quotes. */
function wordAt(text: string, from: number): readonly [word: string, end: number] {
  let word = ''
  let at = from
  while (at < text.length) {
    const letter = text[at] ?? ''
    if (letter === "'" || letter === '"') {
      const close = closing(text, at + 1, letter)
      word += text.slice(at + 1, close)
      at = close + 1
    } else if (letter === '\\') {
      word += text[at + 1] === '\n' ? '' : (text[at + 1] ?? '')
      at += 2
    } else if (breaks.has(letter)) break
    else {
      word += letter
      at += 1
    }
  }
  return [word, Math.max(at, from + 1)]
}

const breaks = new Set([' ', '\t', '\r', '\n', ';', '|', '&', '<', '>'])

function closing(text: string, from: number, quote: string): number {
  for (let at = from; at < text.length; at += 1) {
    if (text[at] === '\\' && quote === '"') at += 1
    else if (text[at] === quote) return at
  }
  return text.length
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

function afterDocument(text: string, from: number, word: string): number {
  let at = from
  while (at < text.length) {
    const end = endOfLine(text, at)
    if (text.slice(at, end).trim() === word) return Math.min(text.length, end + 1)
    at = end + 1
  }
  return text.length
}
