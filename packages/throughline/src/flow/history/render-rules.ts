/**
 * Lists what the user stated that still applies: rules, wishes, corrections, decisions and refusals of
 * messages that are not shown whole. A person's words come before names, and each is whole or left out.
 */
import type { Seq } from '../../domain/ids.ts'
import type { Ledger, LedgerEntry } from '../../domain/ledger.ts'
import { oneLine } from '../../extract/one-line.ts'
import { createBoundedCache, getOrMake } from '../text/bounded-cache.ts'
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
  const most = Math.max(options.characters, options.otherCharacters)
  let used = 0
  for (const { length, statements } of getOrMake(ranked, ledger, () =>
    rank(partsOf(ledger).byUser),
  )) {
    const hasRoom = () => length + leastFrame <= most - used
    // Habits are hundreds of statements, and few of them fit.
    for (const entry of hasRoom() ? statements() : []) {
      if (!hasRoom()) break
      const isFirm = bindingOf(entry) >= firmBinding
      const left = (isFirm ? options.characters : options.otherCharacters) - used
      const seq = entry.sources.at(-1) ?? 0
      const cost = entry.label.length + `#${seq}: \n`.length
      if (cost > left || entry.sources.some(options.isShown)) continue
      lines.push({ seq, text: oneLine(entry.label), isFirm })
      used += cost
    }
  }
  return lines.sort((one, other) => one.seq - other.seq)
}

const leastFrame = '#0: \n'.length

// One ledger is listed in several sizes until one fits.
const ranked = new WeakMap<Ledger, readonly Statements[]>()

/** Statements that bind equally, with labels of one length; sorted once one of them may fit. */
interface Statements {
  readonly length: number
  readonly statements: () => readonly LedgerEntry[]
}

/** Most binding first, then shorter first. A sentence that recurs often is a habit, not a rule. */
function rank(entries: readonly LedgerEntry[]): readonly Statements[] {
  const current = entries.filter(
    (entry) => entry.status === 'current' && bindingOf(entry) >= leastBinding,
  )
  const byWorth = new Map<number, Map<number, LedgerEntry[]>>()
  for (const alike of Map.groupBy(current, ({ label }) => formOf(label)).values()) {
    const divisor = Math.max(1, alike.length - maxRuleTimes + 1)
    for (const entry of alike) {
      const byLength = getOrMake(byWorth, bindingOf(entry) / divisor, () => new Map())
      getOrMake(byLength, entry.label.length, () => []).push(entry)
    }
  }
  return [...byWorth]
    .sort(([left], [right]) => right - left)
    .flatMap(([, byLength]) => [...byLength].sort(([left], [right]) => left - right))
    .map(([length, alike]) => ({ length, statements: sortedOnce(alike) }))
}

function sortedOnce(entries: readonly LedgerEntry[]): Statements['statements'] {
  let sorted: readonly LedgerEntry[] | null = null
  const compare = (left: LedgerEntry, right: LedgerEntry) =>
    compareText(left.key, right.key) || compareText(left.kind, right.kind)
  return () => {
    sorted ??= entries.toSorted(compare)
    return sorted
  }
}

/** A sentence without its numbers. The same sentences are in the next ledger. */
function formOf(label: string): string {
  return forms.get(label, () => label.replace(/\d+/g, '0'))
}

const forms = createBoundedCache<string>(10_000)

/** A question binds less. */
const leastBinding = 1
/** A sentence may recur this often before it counts as a habit. */
const maxRuleTimes = 3
