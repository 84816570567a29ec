/**
 * Lists what the user said that still applies: rules, wishes, corrections, decisions and refusals of
 * messages that are not shown whole. A person's words come before names, and each is whole or left out.
 */
import type { Seq } from '../../domain/ids.ts'
import type { Ledger, LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { firmBinding } from './ledger-data.ts'
import type { AnchoredLine } from './narrate.ts'
import { bindingOf, compareText } from './rank-entries.ts'

export function listRules(
  ledger: Ledger,
  { characters, isShown }: { readonly characters: number; readonly isShown: (seq: Seq) => boolean },
): readonly AnchoredLine[] {
  const lines: AnchoredLine[] = []
  let left = characters
  for (const { sources, label } of getOrMake(ranked, ledger, () => firmEntries(ledger.entries))) {
    if (left < minLineCharacters) break
    const seq = sources.at(-1) ?? 0
    const text = oneLine(label)
    const cost = text.length + `#${seq}: \n`.length
    if (cost > left || sources.some(isShown)) continue
    lines.push({ seq, text })
    left -= cost
  }
  return lines.sort((one, other) => one.seq - other.seq)
}

const minLineCharacters = 12
// One ledger is listed in several sizes until one fits.
const ranked = new WeakMap<Ledger, readonly LedgerEntry[]>()

/** Most binding first, then shorter first. A sentence that recurs often is a habit, not a rule. */
function firmEntries(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const firm = entries.filter(
    (entry) => entry.status === 'current' && bindingOf(entry) >= firmBinding,
  )
  const byForm = Map.groupBy(firm, ({ label }) => label.replace(/\d+/g, '0'))
  return [...byForm.values()]
    .flatMap((alike) => {
      const divisor = Math.max(1, alike.length - maxRuleTimes + 1)
      return alike.map((entry) => ({ entry, worth: bindingOf(entry) / divisor }))
    })
    .sort(
      (left, right) =>
        right.worth - left.worth ||
        left.entry.label.length - right.entry.label.length ||
        compareText(left.entry.key, right.entry.key) ||
        compareText(left.entry.kind, right.entry.kind),
    )
    .map(({ entry }) => entry)
}

/** A sentence may recur this often before it counts as a habit. */
const maxRuleTimes = 3
