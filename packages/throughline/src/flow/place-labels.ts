/** What a message is, in a word or two: the file that was read, the command that was run, who spoke. */
import type { Seq } from '../domain/ids.ts'
import type { LedgerEntry } from '../domain/ledger.ts'
import { cutText } from './cut-text.ts'
import { oneLine } from './one-line.ts'

/** By the place of the message, as far as the ledger tells. */
export function placeLabels(entries: readonly LedgerEntry[]): ReadonlyMap<Seq, string> {
  const labels = new Map<Seq, string>()
  for (const kind of kinds) {
    const told = entries
      .filter((entry) => entry.kind === kind && entry.value !== '')
      .map((entry) => ({ label: shortLabel(entry), sources: entry.sources }))
      // The same whatever order the entries have.
      .sort((left, right) => (left.label < right.label ? -1 : left.label > right.label ? 1 : 0))
    for (const { label, sources } of told)
      for (const seq of sources) if (!labels.has(seq)) labels.set(seq, label)
  }
  return labels
}

// What was done says more of a message than a file that came up in it.
const kinds = ['command', 'use', 'file', 'address'] as const
const labelCharacters = 28

function shortLabel({ kind, label }: LedgerEntry): string {
  const line = oneLine(label)
  if (kind !== 'file') return cutText(line, labelCharacters)
  return cutText(line.slice(line.lastIndexOf('/') + 1), labelCharacters)
}
