/**
 * Finds retired words in names, comments, documents, screens and errors. In tests it reads only names,
 * comments and titles, because conversations may use any word.
 *
 *     node scripts/check-words.ts [PATH …]    lists them by file and line
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, matchesGlob } from 'node:path'
import { allowedWords } from './allowed-words-data.ts'
import { retiredWords } from './retired-words-data.ts'

const root = join(import.meta.dirname, '..')
const retired = retiredWords.map(({ pattern, instead }) => ({
  pattern: new RegExp(`(?<![a-z])(?:${pattern})(?![a-z])`),
  instead,
}))
// Most lines have none of them, and one look finds that out.
const anyRetired = new RegExp(retired.map(({ pattern }) => pattern.source).join('|'))
const isTest = (path: string) => /\.test(?:-support)?\.ts$|^harness\/|\/test\/|^bench\//.test(path)

const problems = files(process.argv.slice(2)).flatMap(problemsIn)
for (const problem of problems) console.log(problem)
if (problems.length > 0) console.log(`${problems.length} retired words`)
process.exitCode = problems.length === 0 ? 0 : 1

function files(paths: readonly string[]): readonly string[] {
  const all = execFileSync('git', ['ls-files', '-co', '--exclude-standard', ...paths], {
    cwd: root,
    encoding: 'utf8',
  })
  return all.split('\n').filter((path) => /\.(?:ts|js|md|json)$/.test(path) && !isExempt(path))
}

function isExempt(path: string): boolean {
  return (
    [
      'scripts/retired-words-data.ts',
      'scripts/allowed-words-data.ts',
      'package-lock.json',
    ].includes(path) || /(?:^|\/)fixtures\//.test(path)
  )
}

function problemsIn(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8')
  const read = isTest(path) ? withoutConversations(text) : text
  const inName = wordsAt(splitNames(path), path).map((problem) => `${path}: ${problem}`)
  const inText = read
    .split('\n')
    .flatMap((line, index) =>
      wordsAt(splitNames(line), path).map(
        (problem) => `${path}:${index + 1}: ${problem}: ${line.trim().slice(0, 100)}`,
      ),
    )
  return [...inName, ...inText]
}

function wordsAt(text: string, path: string): readonly string[] {
  if (!anyRetired.test(text)) return []
  return retired.flatMap(({ pattern, instead }) => {
    const [word] = pattern.exec(text) ?? []
    return word === undefined || isAllowed(word, path) ? [] : [`"${word}" (${instead})`]
  })
}

function isAllowed(word: string, path: string): boolean {
  return allowedWords.some(
    (allowed) => allowed.words.includes(word) && matchesGlob(path, allowed.path),
  )
}

function splitNames(text: string): string {
  return text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/[-_]/g, ' ')
    .toLowerCase()
}

/** Blanks strings, except for test titles; keeps the line breaks. */
function withoutConversations(text: string): string {
  return text.replace(
    /(\/\*[\s\S]*?\*\/|\/\/.*|\b(?:it|test|describe|property)(?:\.\w+)?\(\s*(?:'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`))|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g,
    (found, kept?: string) => kept ?? found.replace(/[^\n]/g, ' '),
  )
}
