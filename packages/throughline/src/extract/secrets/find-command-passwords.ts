/**
 * Passwords that are given to a command by an option without a telling name: `mysql -p…`,
 * `sshpass -p …`, `redis-cli -a …`, `docker login -p …`, `echo … | sudo -S`.
 *
 * A line is walked word by word from the first such command on, and no word is looked at twice.
 */
import { lazy } from '../../domain/lazy.ts'
import { isPlaceholder } from './looks-random.ts'
import type { Finder, Finding } from './secret-text.ts'
import {
  loginCommands,
  type PasswordOption,
  passwordCommands,
  spokenWord,
} from './secret-words-data.ts'

const optionsOf: ReadonlyMap<string, readonly PasswordOption[]> = new Map(
  passwordCommands.flatMap(({ commands, options }) =>
    commands.split(' ').map((command) => [command, options] as const),
  ),
)

const logins: ReadonlySet<string> = new Set(loginCommands.split(' '))
const loginOption: PasswordOption = { flag: '-p' }

const promising = lazy(() => {
  const commands = [...optionsOf.keys(), ...logins].join('|')
  return new RegExp(`(?<=^|[^\\w.-]|\\\\[nrt])(?:${commands})(?=["'\\s\\\\])`, 'g')
})

const option = /[\s"']-(?:p|a|w|u|n|s|-user)|stdin|chpasswd/i

export const findCommandPasswords: Finder = ({ text }) => {
  // A look that is quick, because it does not look back.
  if (!option.test(text)) return []
  const findings: Finding[] = []
  let done = 0
  for (const { index } of text.matchAll(promising()))
    if (index >= done) done = walkLine(text, index, findings)
  return findings.sort((one, other) => one.from - other.from)
}

/** A word, text in quotes, what was taken out before, or the end of a line or a command. */
const words =
  /\\\r?\n|(?:\\[^\nnrt]|[^\s"'`;|&<>()\\])+|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'|<+|\\[nrt]|[;|&\n]/g

interface Word {
  readonly text: string
  readonly from: number
  readonly isQuoted: boolean
}

/** Where the line ends; what was found is added. */
function walkLine(text: string, start: number, findings: Finding[]): number {
  const line = new CommandLine(findings)
  words.lastIndex = start
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const [found] = match
    if (found === '\n' || found === '\\n' || found === '\\r' || found === '\\t')
      return words.lastIndex
    if (found === ';' || found === '|' || found === '&') line.end(found)
    else if (!found.endsWith('\n')) line.read(wordOf(found, match.index), words.lastIndex)
  }
  return text.length
}

/** Without the quotes around it, which JSON escapes, and without the comma of a list. */
function wordOf(found: string, index: number): Word {
  const opening = /^\\{0,7}["']/.exec(found)?.[0].length ?? 0
  const rest = found.slice(opening)
  const end = opening === 0 ? escapedEnd : quotedEnd
  const text = rest.slice(0, rest.length - (end.exec(rest)?.[0].length ?? 0))
  return { text, from: index + opening, isQuoted: opening > 0 }
}

const quotedEnd = /\\{0,7}["'][,\]]?$/
const escapedEnd = /\\{1,7}["'][,\]]?$/

/** What is known of a command while its words are read. */
class CommandLine {
  readonly #findings: Finding[]
  #options: readonly PasswordOption[] = []
  #command = ''
  #awaited: PasswordOption | null = null
  #attachedAt = -1
  /** The first thing that `echo` says, and whether it goes into a pipe. */
  #said: Word | null = null

  constructor(findings: Finding[]) {
    this.#findings = findings
  }

  end(operator: string): void {
    if (operator !== '|') this.#said = null
    this.#options = []
    this.#command = ''
    this.#awaited = null
  }

  read(word: Word, end: number): void {
    // The quotes and commas between the elements of a list.
    if (word.isQuoted && /^[\s,:]*$/.test(word.text)) return
    const awaited = this.#awaited
    this.#awaited = null
    if (awaited !== null) {
      const isValue = !awaited.isAttached || (word.isQuoted && this.#attachedAt === word.from - 1)
      if (isValue) this.#find(word, awaited)
      if (isValue) return
    }
    const name = word.text.slice(word.text.lastIndexOf('/') + 1)
    const options = optionsOf.get(name)
    if (options !== undefined || logins.has(name)) {
      this.#command = name
      this.#options = options ?? []
    } else if (word.text === 'login' && logins.has(this.#command)) this.#options = [loginOption]
    else if (takesStdin(word.text)) this.#findSaid(word.text)
    else if (this.#command === 'echo' || this.#command === 'printf') this.#say(word)
    else this.#readOption(word, end)
  }

  #say(word: Word): void {
    if (this.#said === null && !/^-\w$|^%s/.test(word.text)) this.#said = word
  }

  #findSaid(reader: string): void {
    const said = this.#said
    this.#said = null
    if (said === null || this.#command === 'echo' || this.#command === 'printf') return
    this.#find(said, { flag: '', ...(reader === 'chpasswd' ? { after: ':' } : {}) })
  }

  #readOption(word: Word, end: number): void {
    for (const option of this.#options) {
      if (!word.text.startsWith(option.flag)) continue
      if (word.text.length === option.flag.length) {
        this.#awaited = option
        this.#attachedAt = end
      } else if (!option.flag.startsWith('--') || word.text[option.flag.length] === '=') {
        const skipped = option.flag.length + (word.text[option.flag.length] === '=' ? 1 : 0)
        const rest = wordOf(word.text.slice(skipped), word.from + skipped)
        this.#find({ ...rest, isQuoted: true }, option)
      }
      return
    }
  }

  #find({ text, from, isQuoted }: Word, { after }: PasswordOption): void {
    const skipped = after === undefined ? 0 : text.indexOf(after) + 1
    const value = text.slice(skipped)
    if ((after !== undefined && skipped === 0) || !isPassword(value, isQuoted || skipped > 0))
      return
    const to = from + text.length
    this.#findings.push({ from: from + skipped, to, kind: 'password', by: 'place' })
  }
}

function takesStdin(word: string): boolean {
  return word === '--password-stdin' || word === '--stdin' || word === '-S' || word === 'chpasswd'
}

function isPassword(value: string, isCertain: boolean): boolean {
  if (value.length < 3 || value.startsWith('-') || isPlaceholder(value)) return false
  if (spokenWord.test(value) || /^\d{1,5}(?::\d{1,5})*$/.test(value)) return false
  // In a sentence about the command a word comes next.
  return isCertain || !/^[a-z]{1,4}$/.test(value)
}
