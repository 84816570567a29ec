/** What a message is, in a word or two: the file that was read, the command that was run, who spoke. */
import type { FactKind } from '../../domain/fact.ts'
import type { Seq } from '../../domain/ids.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { cutText } from '../text/excerpt.ts'

/** By the place of the message, as far as the ledger tells. */
export function placeLabels(entries: readonly LedgerEntry[]): ReadonlyMap<Seq, string> {
  const found = new Map<Seq, { readonly rank: number; readonly label: string }>()
  for (const entry of entries) {
    const rank = entry.value === '' ? -1 : kinds.indexOf(entry.kind)
    if (rank === -1) continue
    const label = shortLabel(entry)
    for (const seq of entry.sources) {
      const known = found.get(seq)
      // The first of the alphabet, so that it is the same whatever order the entries have.
      const isBetter =
        known === undefined || rank < known.rank || (rank === known.rank && label < known.label)
      if (isBetter) found.set(seq, { rank, label })
    }
  }
  return new Map([...found].map(([seq, { label }]) => [seq, label]))
}

// What was done says more of a message than a file that came up in it.
const kinds: readonly FactKind[] = ['command', 'use', 'file', 'address']
const labelCharacters = 28

function shortLabel({ kind, label }: LedgerEntry): string {
  const line = oneLine(label)
  if (kind !== 'file') return cutText(line, labelCharacters)
  return cutText(line.slice(line.lastIndexOf('/') + 1), labelCharacters)
}
