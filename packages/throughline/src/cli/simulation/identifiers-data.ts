/**
 * Patterns for the identifiers of a text: paths, file names, hashes, symbols, numbers of three or more
 * digits. They match the same text as Python's `re`, where letters of every script are parts of words.
 */
const word = '[\\p{L}\\p{N}_]'
const wordOrDash = '[\\p{L}\\p{N}_-]'
const pathWord = '[\\p{L}\\p{N}_.-]'
const edge = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
const fileKinds = 'go|py|ts|tsx|js|json|md|toml|yaml|yml|sh|sql|rs|txt|jsonl'

export const identifierPatterns = [
  `(?:${pathWord}+/)+${pathWord}+`,
  `${edge}${wordOrDash}+\\.(?:${fileKinds})${edge}`,
  `${edge}[a-f0-9]{7,40}${edge}`,
  `${edge}[A-Za-z]+[a-z0-9]+(?:[A-Z][a-z0-9]+)+${edge}`,
  `${edge}[a-z]+(?:_[a-z0-9]+)+${edge}`,
  `${edge}\\p{Nd}{3,}${edge}`,
] as const

/** Call arguments that are options of a tool, not its subject. */
export const workArguments: ReadonlySet<string> = new Set([
  'timeout',
  'offset',
  'limit',
  'taskId',
  'status',
  'output_mode',
  'subagent_type',
])
