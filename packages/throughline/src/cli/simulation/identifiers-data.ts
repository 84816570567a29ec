/**
 * The identifiers of a text: paths, file names, hashes, symbols, numbers of three or more
 * digits. Written so that they find what Python's `re` finds, to which letters and digits of
 * every script are parts of words.
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

/** Arguments of a call that say how to work, not on what. */
export const workArguments: ReadonlySet<string> = new Set([
  'timeout',
  'offset',
  'limit',
  'taskId',
  'status',
  'output_mode',
  'subagent_type',
])
