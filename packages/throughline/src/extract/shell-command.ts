import {
  commandPrefixes,
  readers,
  scriptPrograms,
  searchers,
  setupPrograms,
  viewers,
  writers,
} from './tool-words-data.ts'

export interface ShellUse {
  readonly reads: readonly string[]
  readonly writes: readonly string[]
  readonly deletes: readonly string[]
  readonly gist: string
  /** The command only shows text, so error words in its output are no failure. */
  readonly onlyShowsText: boolean
  readonly isSearch: boolean
}

const gistCharacters = 120
// A here document may contain a whole file.
const commandCharacters = 20_000

export function readCommand(command: string): ShellUse {
  const text = command.slice(0, commandCharacters)
  const commands = simpleCommands(text)
  const uses = commands.map(filesUsedBy)
  const workPrograms = commands.map(programOf).filter((program) => !setupPrograms.has(program))
  const isOneOf = (...kinds: readonly ReadonlySet<string>[]) =>
    workPrograms.length > 0 &&
    workPrograms.every((program) => kinds.some((kind) => kind.has(program)))
  return {
    reads: [...new Set(uses.flatMap(({ reads }) => reads))],
    writes: [...new Set(uses.flatMap(({ writes }) => writes))],
    deletes: [...new Set(uses.flatMap(({ deletes }) => deletes))],
    gist: gistOf(text, commands),
    onlyShowsText: isOneOf(readers, searchers, viewers),
    isSearch: searchers.has(workPrograms[0] ?? '') && isOneOf(readers, searchers, viewers),
  }
}

type FilesUsed = Pick<ShellUse, 'reads' | 'writes' | 'deletes'>

function filesUsedBy(command: SimpleCommand): FilesUsed {
  const program = programOf(command)
  const { words } = command
  const files = argumentsOf(program, words).filter(isFile)
  const used: FilesUsed = {
    reads: command.readsFrom.filter(isFile),
    writes: command.writesTo.filter(isFile),
    deletes: [],
  }
  const target = files.slice(-1)
  if (program === 'rm' || program === 'git rm' || program === 'unlink')
    return { ...used, deletes: files }
  if (program === 'mv' || program === 'git mv')
    return { ...used, writes: [...used.writes, ...target], deletes: files.slice(0, -1) }
  if (program === 'cp')
    return { ...used, reads: files.slice(0, -1), writes: [...used.writes, ...target] }
  const inPlace = /^(?:sed|perl)$/.test(program) && words.some((word) => /^-[a-zA-Z]*i/.test(word))
  if (inPlace || writers.has(program)) return { ...used, writes: [...used.writes, ...files] }
  return readers.has(program) ? { ...used, reads: [...used.reads, ...files] } : used
}

function programOf({ words }: SimpleCommand): string {
  const index = programIndex(words)
  const program = (words[index] ?? '').replace(/^.*\//, '')
  return program === 'git' ? `git ${words[index + 1] ?? ''}` : program
}

function programIndex(words: readonly string[]): number {
  const index = words.findIndex(
    (word) => !/^[A-Za-z_]\w*=/.test(word) && !commandPrefixes.has(word),
  )
  return index === -1 ? words.length : index
}

function argumentsOf(program: string, words: readonly string[]): readonly string[] {
  const args = words.slice(programIndex(words) + (program.startsWith('git ') ? 2 : 1))
  if (!scriptPrograms.has(program) || args.some((word) => /^-[ef]$/.test(word))) return args
  const scriptIndex = args.findIndex((word) => !word.startsWith('-'))
  return args.slice(scriptIndex + 1)
}

/** Drops `cd /srv/app &&` but keeps `cd web &&`, which makes it a different command. */
function gistOf(text: string, commands: readonly SimpleCommand[]): string {
  const first =
    commands.find((command) => !setupPrograms.has(programOf(command)) || entersFolder(command)) ??
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

const blockCharacters = 20_000

/**
 * Agents without tools end a reply with a fenced command; its output is the next user message, with
 * a tagged exit code. Null where there is no command, or there are several.
 */
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

interface SimpleCommand {
  readonly words: string[]
  readonly readsFrom: string[]
  readonly writesTo: string[]
  at: number
}

const maxCommands = 200

/** The tokens of a shell; quotes and backslashes keep a word together. */
const tokens =
  /(?<space>[ \t\r]+|#[^\n]*|&(?=>))|(?<line>\n)|(?<end>[;|&])|(?<redirect><<<|<<-?|<|>>|>\||>&|>)|(?:'[^']*'?|"(?:\\[\s\S]|[^"\\])*"?|\\[\s\S]?|[^\s;|&<>'"\\]|[^\S \t\r\n])+/g
const quoting = /'([^']*)'?|"((?:\\[\s\S]|[^"\\])*)"?|\\(?:\n|([\s\S]?))/g

/** Splits a command line into simple commands, in one walk; here documents are skipped. */
function simpleCommands(text: string): readonly SimpleCommand[] {
  const commands: SimpleCommand[] = []
  let command = newCommand(0)
  // The words that end the here documents after the current line.
  let documentEnds: string[] = []
  let wordGoesTo: 'words' | 'readsFrom' | 'writesTo' | 'document' = 'words'
  const endCommand = (at: number) => {
    if (command.words.length + command.writesTo.length > 0) commands.push(command)
    command = newCommand(at)
    wordGoesTo = 'words'
  }
  tokens.lastIndex = 0
  for (let token = tokens.exec(text); token !== null; token = tokens.exec(text)) {
    if (commands.length >= maxCommands) break
    const { space, line, end: operator, redirect } = token.groups ?? {}
    if (space !== undefined) continue
    if (line !== undefined) {
      for (const documentEnd of documentEnds)
        tokens.lastIndex = afterDocument(text, tokens.lastIndex, documentEnd)
      documentEnds = []
      endCommand(tokens.lastIndex)
    } else if (operator !== undefined) endCommand(tokens.lastIndex)
    else if (redirect !== undefined) {
      const isDocument = redirect.startsWith('<<') && redirect !== '<<<'
      wordGoesTo = redirect.startsWith('>') ? 'writesTo' : isDocument ? 'document' : 'readsFrom'
    } else {
      const word = token[0].replace(
        quoting,
        (_, single?: string, double?: string, escaped?: string) =>
          single ?? double ?? escaped ?? '',
      )
      if (command.words.length + command.writesTo.length === 0 && wordGoesTo === 'words')
        command.at = token.index
      // `2>` is part of a redirect, not a word.
      if (/^\d$/.test(word) && /[<>]/.test(text[tokens.lastIndex] ?? '')) continue
      if (wordGoesTo === 'document') documentEnds.push(word)
      else command[wordGoesTo].push(word)
      wordGoesTo = 'words'
    }
  }
  endCommand(text.length)
  return commands
}

function newCommand(at: number): SimpleCommand {
  return { words: [], readsFrom: [], writesTo: [], at }
}

function afterDocument(text: string, from: number, word: string): number {
  for (let at = from; at < text.length; ) {
    const lineBreak = text.indexOf('\n', at)
    const end = lineBreak === -1 ? text.length : lineBreak
    if (text.slice(at, end).trim() === word) return Math.min(text.length, end + 1)
    at = end + 1
  }
  return text.length
}
