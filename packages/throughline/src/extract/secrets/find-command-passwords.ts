/**
 * Finds passwords in short options and pipes: `mysql -p…`, `sshpass -p …`, `redis-cli -a …`,
 * `docker login -p …`, `echo … | sudo -S`. No word is read twice.
 */
import { lazy } from '../../domain/lazy.ts'
import { isPlaceholder } from './looks-random.ts'
import type { Finder, Finding } from './secret-text.ts'
import {
  loginCommands,
  type PasswordOption,
  passwordCommands,
  sentenceWord,
} from './secret-words-data.ts'

const optionsOf: ReadonlyMap<string, readonly PasswordOption[]> = new Map(
  passwordCommands.flatMap(({ commands, options }) =>
    commands.split(' ').map((command) => [command, options] as const),
  ),
)

const logins: ReadonlySet<string> = new Set(loginCommands.split(' '))
const loginOption: PasswordOption = { flag: '-p' }

const commandName = lazy(() => {
  const commands = [...optionsOf.keys(), ...logins].join('|')
  return new RegExp(`(?<=^|[^\\w.-]|\\\\[nrt])(?:${commands})(?=["'\\s\\\\])`, 'g')
})

const mayHavePassword = /[\s"']-(?:p|a|w|u|n|s|-user)|stdin|chpasswd/i

export const findCommandPasswords: Finder = ({ text }) => {
  if (!mayHavePassword.test(text)) return []
  const findings: Finding[] = []
  let done = 0
  for (const { index } of text.matchAll(commandName()))
    if (index >= done) done = walkLine(text, index, findings)
  return findings.sort((one, other) => one.from - other.from)
}

/** A word, text in quotes, an earlier redaction, or the end of a line or a command. */
const words =
  /\\\r?\n|(?:\\[^\nnrt]|[^\s"'`;|&<>()\\])+|"(?:[^"\\\n]|\\[^\n])*"|'[^'\n]*'|<+|\\[nrt]|[;|&\n]/g

interface Word {
  readonly text: string
  readonly from: number
  readonly isQuoted: boolean
}

function walkLine(text: string, start: number, findings: Finding[]): number {
  const reader = commandReader(findings)
  words.lastIndex = start
  for (let match = words.exec(text); match !== null; match = words.exec(text)) {
    const [found] = match
    if (found === '\n' || found === '\\n' || found === '\\r' || found === '\\t')
      return words.lastIndex
    if (found === ';' || found === '|' || found === '&') reader.endCommand(found)
    else if (!found.endsWith('\n')) reader.readWord(wordOf(found, match.index), words.lastIndex)
  }
  return text.length
}

/** Removes quotes, also those that JSON escaped, and the comma of a list. */
function wordOf(found: string, index: number): Word {
  const opening = /^\\{0,7}["']/.exec(found)?.[0].length ?? 0
  const rest = found.slice(opening)
  const end = opening === 0 ? escapedEnd : quotedEnd
  const text = rest.slice(0, rest.length - (end.exec(rest)?.[0].length ?? 0))
  return { text, from: index + opening, isQuoted: opening > 0 }
}

const quotedEnd = /\\{0,7}["'][,\]]?$/
const escapedEnd = /\\{1,7}["'][,\]]?$/

function commandReader(findings: Finding[]) {
  let options: readonly PasswordOption[] = []
  let command = ''
  // The option whose value is the next word.
  let awaited: { readonly option: PasswordOption; readonly at: number } | null = null
  // The first word that `echo` or `printf` writes into a pipe.
  let printed: Word | null = null

  const addPassword = ({ text, from, isQuoted }: Word, after?: string) => {
    const skipped = after === undefined ? 0 : text.indexOf(after) + 1
    if (after !== undefined && skipped === 0) return
    if (isPassword(text.slice(skipped), isQuoted || skipped > 0))
      findings.push({ from: from + skipped, to: from + text.length, kind: 'password', by: 'place' })
  }

  const readOption = (word: Word, end: number) => {
    const option = options.find(({ flag }) => word.text.startsWith(flag))
    if (option === undefined) return
    const rest = word.text.slice(option.flag.length)
    if (rest === '') awaited = { option, at: end }
    else if (!option.flag.startsWith('--') || rest.startsWith('=')) {
      const skipped = option.flag.length + (rest.startsWith('=') ? 1 : 0)
      const value = wordOf(word.text.slice(skipped), word.from + skipped)
      addPassword({ ...value, isQuoted: true }, option.after)
    }
  }

  return {
    endCommand: (operator: string) => {
      if (operator !== '|') printed = null
      options = []
      command = ''
      awaited = null
    },
    readWord: (word: Word, end: number) => {
      // Quotes and commas between the elements of a list are no words.
      if (word.isQuoted && /^[\s,:]*$/.test(word.text)) return
      const before = awaited
      awaited = null
      if (before !== null) {
        const isNext = word.isQuoted && before.at === word.from - 1
        if (!before.option.isAttached || isNext) return addPassword(word, before.option.after)
      }
      const isPrinting = command === 'echo' || command === 'printf'
      const name = word.text.slice(word.text.lastIndexOf('/') + 1)
      if (optionsOf.has(name) || logins.has(name)) {
        command = name
        options = optionsOf.get(name) ?? []
      } else if (word.text === 'login' && logins.has(command)) options = [loginOption]
      else if (stdinWords.has(word.text)) {
        if (printed !== null && !isPrinting)
          addPassword(printed, word.text === 'chpasswd' ? ':' : undefined)
        printed = null
      } else if (isPrinting) printed ??= /^-\w$|^%s/.test(word.text) ? null : word
      else readOption(word, end)
    },
  }
}

const stdinWords = new Set(['--password-stdin', '--stdin', '-S', 'chpasswd'])

function isPassword(value: string, isCertain: boolean): boolean {
  if (value.length < 3 || value.startsWith('-') || isPlaceholder(value)) return false
  if (sentenceWord.test(value) || /^\d{1,5}(?::\d{1,5})*$/.test(value)) return false
  // In a sentence about the command, a plain word follows.
  return isCertain || !/^[a-z]{1,4}$/.test(value)
}
