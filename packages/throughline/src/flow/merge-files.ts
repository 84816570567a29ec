/** The same file under several names is one entry, under the name that it has below the root. */
import type { Seq } from '../domain/ids.ts'
import type { LedgerEntry } from '../domain/ledger.ts'
import { fileKey } from '../extract/message-facts.ts'
import { workingFolderOf } from './file-root.ts'

export function mergeFiles(entries: readonly LedgerEntry[], root: string): readonly LedgerEntry[] {
  const files = entries.filter(({ kind }) => kind === 'file')
  const shortNameOf = shortNames(
    files.map(({ label }) => pathOf(label)),
    root,
  )
  const merged = new Map<string, LedgerEntry>()
  for (const entry of files) {
    const label = shortNameOf(pathOf(entry.label))
    if (label === '') continue
    const known = merged.get(label)
    merged.set(label, known === undefined ? { ...entry, label, key: label } : joined(known, entry))
  }
  const others = entries.filter(({ kind }) => kind !== 'file')
  return [...withoutBareNames([...merged.values()]), ...others]
}

/** A folder is the same with a slash behind it. */
function pathOf(label: string): string {
  const path = fileKey(label)
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Empty for the root itself. */
function shortNames(paths: readonly string[], root: string): (path: string) => string {
  if (paths.length === 0) return (path) => path
  const known = new Set(paths)
  const workingFolder = workingFolderOf(paths, root)
  // A name may have lost its first slash where it was found.
  const bareRoot = root.slice(1)
  return (path) => {
    const whole = workingFolder !== '' && known.has(workingFolder + path)
    const name = whole ? workingFolder + path : path
    if (root === '') return name
    if (`${name}/` === root || `${name}/` === bareRoot) return ''
    if (name.startsWith(root)) return name.slice(root.length)
    return name.startsWith(bareRoot) ? name.slice(bareRoot.length) : name
  }
}

/** A mere mention of a name says nothing where the file stands with its folder. */
function withoutBareNames(files: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const inFolders = new Set(
    files.flatMap(({ label }) => {
      const at = label.lastIndexOf('/')
      return at === -1 ? [] : [label.slice(at + 1)]
    }),
  )
  return files.filter(({ label, value }) => value !== '' || !inFolders.has(label))
}

function joined(one: LedgerEntry, other: LedgerEntry): LedgerEntry {
  const counts = new Map(Object.entries(one.counts))
  for (const [did, times] of Object.entries(other.counts))
    counts.set(did, (counts.get(did) ?? 0) + times)
  return {
    ...one,
    value: one.value === '' ? other.value : one.value,
    counts: Object.fromEntries(counts),
    sources: sourcesOf(one, other),
    lastSeq: Math.max(one.lastSeq, other.lastSeq),
    // One message often names a file in both ways, and uses it once.
    uses: {
      user: Math.max(one.uses.user, other.uses.user),
      assistant: Math.max(one.uses.assistant, other.uses.assistant),
      tool: Math.max(one.uses.tool, other.uses.tool),
    },
  }
}

/** Places that tell something count before those that merely name it. */
function sourcesOf(one: LedgerEntry, other: LedgerEntry): readonly Seq[] {
  if (one.value === '' && other.value !== '') return other.sources
  if (one.value !== '' && other.value === '') return one.sources
  return [...new Set([...one.sources, ...other.sources])].sort((left, right) => left - right)
}
