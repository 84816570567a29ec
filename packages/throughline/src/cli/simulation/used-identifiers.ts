/**
 * The identifiers of a text: paths, file names, hashes, symbols, numbers of three or more
 * digits. Written so that it finds what Python's `re` finds, to which letters and digits of
 * every script are parts of words.
 */
const word = '[\\p{L}\\p{N}_]'
const wordOrDash = '[\\p{L}\\p{N}_-]'
const pathWord = '[\\p{L}\\p{N}_.-]'
const edge = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`
const fileKinds = 'go|py|ts|tsx|js|json|md|toml|yaml|yml|sh|sql|rs|txt|jsonl'

const identifier = new RegExp(
  [
    `(?:${pathWord}+/)+${pathWord}+`,
    `${edge}${wordOrDash}+\\.(?:${fileKinds})${edge}`,
    `${edge}[a-f0-9]{7,40}${edge}`,
    `${edge}[A-Za-z]+[a-z0-9]+(?:[A-Z][a-z0-9]+)+${edge}`,
    `${edge}[a-z]+(?:_[a-z0-9]+)+${edge}`,
    `${edge}\\p{Nd}{3,}${edge}`,
  ].join('|'),
  'gu',
)

/** Paths are taken relative to the working folder, which itself is no identifier. */
export function identifiersOf(text: string, workingFolder: string): ReadonlySet<string> {
  const folder = workingFolder.replace(/^\/+|\/+$/g, '')
  const found = new Set<string>()
  for (const [match] of text.matchAll(identifier)) {
    const name = match.replace(/^[./]+|[./]+$/g, '')
    const inFolder = folder !== '' && name.startsWith(`${folder}/`)
    const relative = inFolder ? name.slice(folder.length + 1) : name
    if (relative !== folder) found.add(relative)
  }
  return found
}

/** A path counts as standing there if its file name does. */
export function standsIn(name: string, text: string): boolean {
  return text.includes(name) || (name.includes('/') && text.includes(fileNameOf(name)))
}

export function fileNameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
