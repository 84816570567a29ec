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

export function familyOf(name: string, args: Arguments): ToolFamily {
  const words = wordsOf(bareName(name))
  const operationWords = commandFields.flatMap((field) => {
    const value = args.text(field)
    return value !== null && /^[a-z_-]{1,24}$/i.test(value) ? wordsOf(value) : []
  })
  return (
    byShape(words, operationWords, args) ??
    (args.path === null ? null : byWords(operationWords, args)) ??
    byWords(words, args) ??
    (name.startsWith('mcp__') ? 'mcp' : 'unknown')
  )
}

function bareName(name: string): string {
  if (name.startsWith('mcp__')) return name.split('__').slice(2).join('_') || name
  return /[^.:/]+$/.exec(name.slice(-nameCharacters))?.[0] ?? name
}

function byShape(words: readonly string[], operationWords: readonly string[], args: Arguments) {
  const has = (...among: readonly string[]) => among.some((word) => words.includes(word))
  if (args.patch !== null) return 'patch'
  if (args.path !== null) {
    if ((args.replaced !== null && args.content !== null) || args.has('edits')) return 'edit'
    const named = operationWords.length > 0 ? operationWords : words
    if (args.content !== null) return named.some((word) => editWords.has(word)) ? 'edit' : 'write'
  }
  if (args.has('subagent_type')) return 'agent'
  if (args.text('sql') !== null || isStatement(args.query)) return 'database'
  if (args.shell !== null && (args.path === null || has(...runWords))) return 'shell'
  if (args.program !== null && args.path === null && has(...runWords, 'python', 'repl'))
    return 'shell'
  if (args.address !== null)
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

const needs: Readonly<Record<Needs, (args: Arguments, words: readonly string[]) => boolean>> = {
  nothing: () => true,
  // For an unknown call, the name has to be enough.
  file: (args, words) =>
    args.path !== null ||
    args.paths.length > 0 ||
    (args.isEmpty && words.every((word) => fileWords.has(word))),
  unknownCall: (args) => args.isEmpty,
  noPrompt: (args, words) => !args.has('prompt') && words.every((word) => planWords.has(word)),
  prompt: (args) => args.isEmpty || args.has('prompt') || args.has('task'),
}

function byWords(words: readonly string[], args: Arguments): ToolFamily | null {
  return (
    families.find(
      ([, need, among]) => words.some((word) => among.includes(word)) && needs[need](args, words),
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
