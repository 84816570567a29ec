/** Merges ledger entries that name the same file in different ways, under its shortest name. */
import type { Seq } from '../../domain/ids.ts'
import type { FactTrust, LedgerEntry } from '../../domain/ledger.ts'
import { fileKey } from '../../extract/message-facts.ts'
import { getOrMake } from '../text/bounded-cache.ts'

export function mergeFiles(entries: readonly LedgerEntry[], root: string): readonly LedgerEntry[] {
  const files = entries.filter(({ kind }) => kind === 'file')
  const paths = files.map(({ label }) => pathOf(label))
  const shortNameOf = shortNames(paths, root)
  const merged = new Map<string, LedgerEntry>()
  for (const [at, entry] of files.entries()) {
    const label = shortNameOf(paths[at] ?? '')
    if (label === '') continue
    const known = merged.get(label)
    merged.set(label, known === undefined ? renameEntry(entry, label) : mergeEntries(known, entry))
  }
  const others = entries.filter(({ kind }) => kind !== 'file')
  return withoutBareNames([...merged.values()]).concat(others)
}

// Cached by object: an entry that does not change stays the same object.
const renamedEntries = new WeakMap<LedgerEntry, LedgerEntry>()

function renameEntry(entry: LedgerEntry, label: string): LedgerEntry {
  if (entry.label === label && entry.key === label) return entry
  const rename = () => ({ ...entry, label, key: label })
  return getOrMake(renamedEntries, entry, rename, (known) => known.label === label)
}

/** A folder is the same with a slash after it. */
function pathOf(label: string): string {
  const path = fileKey(label)
  let end = path.length
  while (end > 1 && path[end - 1] === '/') end -= 1
  return path.slice(0, end)
}

/** Names below the root; empty for the root itself. */
function shortNames(paths: readonly string[], root: string): (path: string) => string {
  const workingFolder = workingFolderOf(paths, root)
  const known = new Set(workingFolder === '' ? [] : paths)
  // The extracted name may lack its first slash.
  const bareRoot = root.slice(1)
  return (path) => {
    const isRelative = workingFolder !== '' && known.has(workingFolder + path)
    const name = isRelative ? workingFolder + path : path
    if (root === '') return name
    if (`${name}/` === root || `${name}/` === bareRoot) return ''
    if (name.startsWith(root)) return name.slice(root.length)
    return name.startsWith(bareRoot) ? name.slice(bareRoot.length) : name
  }
}

/** Without files that are only mentioned, if a file in a folder has the same name. */
function withoutBareNames(files: readonly LedgerEntry[]): readonly LedgerEntry[] {
  if (files.every(({ value }) => value !== '')) return files
  const named = files.filter(({ label }) => label.includes('/'))
  const inFolders = new Set(named.map(({ label }) => label.slice(label.lastIndexOf('/') + 1)))
  return files.filter(({ label, value }) => value !== '' || !inFolders.has(label))
}

function mergeEntries(one: LedgerEntry, other: LedgerEntry): LedgerEntry {
  const counts = new Map(Object.entries(one.counts))
  for (const [did, times] of Object.entries(other.counts))
    counts.set(did, (counts.get(did) ?? 0) + times)
  // A message that names a file in both forms used it once.
  const usesBy = (by: FactTrust) => Math.max(one.uses[by], other.uses[by])
  return {
    ...one,
    value: one.value === '' ? other.value : one.value,
    counts: Object.fromEntries(counts),
    sources: sourcesOf(one, other),
    lastSeq: Math.max(one.lastSeq, other.lastSeq),
    uses: { user: usesBy('user'), assistant: usesBy('assistant'), tool: usesBy('tool') },
  }
}

/** Messages that describe the file come before those that only name it. */
function sourcesOf(one: LedgerEntry, other: LedgerEntry): readonly Seq[] {
  if (one.value === '' && other.value !== '') return other.sources
  if (one.value !== '' && other.value === '') return one.sources
  return [...new Set([...one.sources, ...other.sources])].sort((left, right) => left - right)
}

/** The folder of most files; empty if there is none. */
export function rootOf(entries: readonly LedgerEntry[]): string {
  return getOrMake(roots, entries, () => findRoot(entries))
}

const roots = new WeakMap<readonly LedgerEntry[], string>()

function findRoot(entries: readonly LedgerEntry[]): string {
  const counts = new Map<string, number>()
  let absolute = 0
  for (const { kind, label, value } of entries) {
    if (kind !== 'file' || !label.startsWith('/') || value === '') continue
    absolute += 1
    const folders = label.split('/').slice(1, -1)
    for (let depth = 2; depth <= Math.min(folders.length, maxDepth); depth += 1) {
      const folder = `/${folders.slice(0, depth).join('/')}/`
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  const shared = [...counts].filter(([, times]) => times >= Math.max(2, absolute * minRootShare))
  return shared.reduce((best, [folder]) => (folder.length > best.length ? folder : best), '')
}

const maxDepth = 8
const minRootShare = 0.7

/** The folder of relative names, found from files named in both forms; never below the root. */
export function workingFolderOf(paths: readonly string[], root: string): string {
  const absolute = Map.groupBy(
    paths.filter((path) => path.startsWith('/')),
    (path) => path.slice(path.lastIndexOf('/') + 1),
  )
  if (absolute.size === 0) return ''
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (path.startsWith('/') || !path.includes('/')) continue
    const sameName = absolute.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
    for (const whole of sameName.slice(0, maxSameName)) {
      const folder = whole.endsWith(`/${path}`) ? whole.slice(0, -path.length) : null
      if (folder !== null && (root === '' || root.startsWith(folder)))
        counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0] as const)[0]
}

const maxSameName = 50
