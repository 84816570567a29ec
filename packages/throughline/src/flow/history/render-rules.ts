/**
 * Lists what the user stated that still applies: rules, wishes, corrections, decisions and refusals of
 * messages that are not shown whole. A person's words come before names, and each is whole or left out.
 */
import type { Seq } from '../../domain/ids.ts'
import type { Ledger, LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { firmBinding } from './ledger-data.ts'
import { partsOf } from './ledger-parts.ts'
import { bindingOf, compareText } from './rank-entries.ts'

/** A line that begins with an anchor. */
export interface AnchoredLine {
  readonly seq: Seq
  readonly text: string
}

interface ListedLine extends AnchoredLine {
  /** A rule; other statements are listed only where there is room. */
  readonly isFirm: boolean
}

export function listRules(
  ledger: Ledger,
  options: {
    readonly characters: number
    /** How much of `characters` all may take together once the rules are listed. */
    readonly otherCharacters: number
    readonly isShown: (seq: Seq) => boolean
  },
): readonly ListedLine[] {
  const lines: ListedLine[] = []
  let used = 0
  for (const entry of getOrMake(ranked, ledger, () => statements(partsOf(ledger).byUser))) {
    const isFirm = bindingOf(entry) >= firmBinding
    const left = (isFirm ? options.characters : options.otherCharacters) - used
    const seq = entry.sources.at(-1) ?? 0
    const cost = entry.label.length + `#${seq}: \n`.length
    if (cost > left || entry.sources.some(options.isShown)) continue
    lines.push({ seq, text: oneLine(entry.label), isFirm })
    used += cost
  }
  return lines.sort((one, other) => one.seq - other.seq)
}

// One ledger is listed in several sizes until one fits.
const ranked = new WeakMap<Ledger, readonly LedgerEntry[]>()

/** Most binding first, then shorter first. A sentence that recurs often is a habit, not a rule. */
function statements(entries: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const current = entries.filter(
    (entry) => entry.status === 'current' && bindingOf(entry) >= leastBinding,
  )
  const byForm = Map.groupBy(current, ({ label }) => label.replace(/\d+/g, '0'))
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

/** A question binds less. */
const leastBinding = 1
/** A sentence may recur this often before it counts as a habit. */
const maxRuleTimes = 3
