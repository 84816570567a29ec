/**
 * Classifies a tool by its arguments, then by the words of its name. File families need a path
 * among the arguments.
 */
import type { Arguments } from './tool-arguments.ts'
import {
  editWords,
  families,
  fileWords,
  type Needs,
  planWords,
  runWords,
  type ToolFamily,
} from './tool-words-data.ts'

/** Fields in which a tool with several operations names one. */
const commandFields = ['command', 'action', 'operation', 'mode']

export function familyOf(name: string, given: Arguments): ToolFamily {
  const bare = bareName(name)
  const words = wordsOf(bare)
  const asked = commandFields.flatMap((field) => {
    const value = given.text(field)
    return value !== null && /^[a-z_-]{1,24}$/i.test(value) ? wordsOf(value) : []
  })
  return (
    byShape(words, asked, given) ??
    (given.path === null ? null : byWords(asked, given)) ??
    byWords(words, given) ??
    (name.startsWith('mcp__') ? 'mcp' : 'unknown')
  )
}

function bareName(name: string): string {
  if (name.startsWith('mcp__')) return name.split('__').slice(2).join('_') || name
  return /[^.:/]+$/.exec(name.slice(-nameCharacters))?.[0] ?? name
}

function byShape(
  words: readonly string[],
  asked: readonly string[],
  given: Arguments,
): ToolFamily | null {
  const has = (...among: readonly string[]) => among.some((word) => words.includes(word))
  if (given.patch !== null) return 'patch'
  if (given.path !== null) {
    if ((given.replaced !== null && given.content !== null) || given.has('edits')) return 'edit'
    if (given.content !== null)
      return (asked.length > 0 ? asked : words).some((word) => editWords.has(word))
        ? 'edit'
        : 'write'
  }
  if (given.has('subagent_type')) return 'agent'
  if (given.text('sql') !== null || isStatement(given.query)) return 'database'
  if (given.shell !== null && (given.path === null || has(...runWords))) return 'shell'
  if (given.program !== null && given.path === null && has(...runWords, 'python', 'repl'))
    return 'shell'
  if (given.address !== null)
    return has('http', 'request', 'requests', 'curl', 'post', 'api') ? 'http' : 'web'
  return null
}

function isStatement(query: string | null): boolean {
  return (
    query !== null &&
    /^\s*(?:select|insert|update|delete|create|with|alter|drop|pragma)\s/i.test(query) &&
    /\s(?:from|into|set|table|index|view|values|as)\s/i.test(query.slice(0, 2_000))
  )
}

const needs: Readonly<Record<Needs, (given: Arguments, words: readonly string[]) => boolean>> = {
  nothing: () => true,
  // For an unknown call, the name has to be enough.
  file: (given, words) =>
    given.path !== null ||
    given.paths.length > 0 ||
    (given.isEmpty && words.every((word) => fileWords.has(word))),
  unknownCall: (given) => given.isEmpty,
  noPrompt: (given, words) => !given.has('prompt') && words.every((word) => planWords.has(word)),
  prompt: (given) => given.isEmpty || given.has('prompt') || given.has('task'),
}

function byWords(words: readonly string[], given: Arguments): ToolFamily | null {
  return (
    families.find(
      ([, need, among]) => words.some((word) => among.includes(word)) && needs[need](given, words),
    )?.[0] ?? null
  )
}

const nameCharacters = 128

function wordsOf(name: string): readonly string[] {
  return name
    .slice(0, nameCharacters)
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
}
