/** Folders that stand before many names of files: the one that is named once, and the one that work goes on in. */
import type { LedgerEntry } from '../../domain/ledger.ts'

/** The folder that most files lie in; empty where there is none. */
export function rootOf(entries: readonly LedgerEntry[]): string {
  const known = roots.get(entries)
  if (known !== undefined) return known
  const root = foundRoot(entries)
  roots.set(entries, root)
  return root
}

// Whoever tells of a ledger asks.
const roots = new WeakMap<readonly LedgerEntry[], string>()

function foundRoot(entries: readonly LedgerEntry[]): string {
  const counts = new Map<string, number>()
  let absolute = 0
  for (const { kind, label, value } of entries) {
    if (kind !== 'file' || !label.startsWith('/') || value === '') continue
    absolute += 1
    const folders = label.split('/').slice(1, -1)
    for (let depth = 2; depth <= Math.min(folders.length, deepest); depth += 1) {
      const folder = `/${folders.slice(0, depth).join('/')}/`
      counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  const shared = [...counts].filter(([, times]) => times >= Math.max(2, absolute * rootShare))
  return shared.reduce(
    (longest, [folder]) => (folder.length > longest.length ? folder : longest),
    '',
  )
}

const deepest = 8
const rootShare = 0.7

/**
 * The folder that relative names are relative to, as far as files tell that are named in
 * both ways. Below the root it is not looked for: there a name is taken to begin at the root.
 */
export function workingFolderOf(paths: readonly string[], root: string): string {
  const absolute = Map.groupBy(
    paths.filter((path) => path.startsWith('/')),
    (path) => path.slice(path.lastIndexOf('/') + 1),
  )
  const counts = new Map<string, number>()
  for (const path of paths) {
    if (path.startsWith('/') || !path.includes('/')) continue
    const sameName = absolute.get(path.slice(path.lastIndexOf('/') + 1)) ?? []
    for (const whole of sameName.slice(0, mostOfOneName)) {
      const folder = whole.endsWith(`/${path}`) ? whole.slice(0, -path.length) : null
      if (folder !== null && (root === '' || root.startsWith(folder)))
        counts.set(folder, (counts.get(folder) ?? 0) + 1)
    }
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0] as const)[0]
}

const mostOfOneName = 50
