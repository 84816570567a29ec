/** Sorts the entries of a ledger in one pass: there are thousands, and a compaction needs few. */
import type { Ledger, LedgerEntry } from '../../domain/ledger.ts'
import { stepKey } from '../../extract/message-facts.ts'
import { type PlanStep, planText } from '../../extract/plan-items.ts'
import { readCommand } from '../../extract/shell-command.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { compareText, isUtterance, salienceAt } from './rank-entries.ts'

export interface LedgerParts {
  readonly byUser: readonly LedgerEntry[]
  readonly files: readonly LedgerEntry[]
  /** Those that can be in the text. */
  readonly listed: readonly LedgerEntry[]
  /** Of each name among those, in their order: its worth per character. */
  readonly nameWorths: Float64Array
  /** The newest commands that did something, newest first. */
  readonly runs: readonly LedgerEntry[]
  /** The plan of the agent, in so many characters; null if it has none. */
  planWithin(characters: number): LedgerEntry | null
}

export function partsOf(ledger: Ledger): LedgerParts {
  return getOrMake(known, ledger, () => sortEntries(ledger))
}

// One ledger is rendered in several sizes until one fits.
const known = new WeakMap<Ledger, LedgerParts>()

function sortEntries({ entries, to }: Ledger): LedgerParts {
  const byUser: LedgerEntry[] = []
  const files: LedgerEntry[] = []
  const commands: LedgerEntry[] = []
  const plans: LedgerEntry[] = []
  const listed: LedgerEntry[] = []
  const nameWorths = new Float64Array(entries.length)
  const salienceOf = salienceAt(to)
  let names = 0
  for (const entry of entries) {
    if (entry.trust === 'user') byUser.push(entry)
    if (entry.kind === 'file') files.push(entry)
    if (!isListed(entry)) continue
    if (entry.kind === 'plan') plans.push(entry)
    // Its steps are listed together.
    if (isStep(entry)) continue
    listed.push(entry)
    if (entry.kind === 'command' && entry.value !== '') commands.push(entry)
    if (!isName(entry)) continue
    nameWorths[names] = salienceOf(entry) / (entry.label.length + separatorCharacters)
    names += 1
  }
  return {
    ...{ byUser, files, listed, runs: newestRuns(commands) },
    nameWorths: nameWorths.subarray(0, names),
    planWithin: planRenderer(plans),
  }
}

/** Clients pass their plan as a whole, or keep it step by step: the steps become one entry here. */
function planRenderer(plans: readonly LedgerEntry[]): LedgerParts['planWithin'] {
  const newest = plans.toSorted(newestFirst)[0]
  if (newest === undefined || !isStep(newest)) return () => newest ?? null
  const steps = plans.filter(isStep).sort(compareSteps)
  const texts = steps.map(({ label, value }): PlanStep => ({ text: label, state: value }))
  // Only a context that shows each step has the plan already.
  const sources = steps.flatMap((step) => step.sources.slice(-1)).sort((one, other) => one - other)
  return (characters) => ({
    ...newest,
    ...{ key: 'plan', label: planText(texts, characters), value: 'plan', sources },
  })
}

function isStep({ kind, key }: LedgerEntry): boolean {
  return kind === 'plan' && key.startsWith(stepKey)
}

/** The newest commands that did more than show text, with their outcome: was it built, did the tests pass? */
function newestRuns(commands: readonly LedgerEntry[]): readonly LedgerEntry[] {
  const runs: LedgerEntry[] = []
  for (const entry of commands.toSorted(newestFirst)) {
    if (runs.length >= maxRuns) break
    const { onlyShowsText, deletes } = readCommand(entry.label)
    // The list of files has what was deleted.
    if (!onlyShowsText && deletes.length === 0) runs.push(entry)
  }
  return runs
}

const maxRuns = 3

function newestFirst(left: LedgerEntry, right: LedgerEntry): number {
  return right.lastSeq - left.lastSeq || compareText(left.key, right.key)
}

/** By number; steps that have another id come last. */
function compareSteps(left: LedgerEntry, right: LedgerEntry): number {
  const numberOf = ({ key }: LedgerEntry) => {
    const id = Number(key.slice(stepKey.length))
    return Number.isNaN(id) ? Number.POSITIVE_INFINITY : id
  }
  return numberOf(left) - numberOf(right) || compareText(left.key, right.key)
}

export function isName({ value }: LedgerEntry): boolean {
  return value === ''
}

export const separatorCharacters = 2

function isListed(entry: LedgerEntry): boolean {
  return entry.status === 'current' && !isUtterance(entry) && isWorthNaming(entry)
}

/**
 * Blank labels say nothing. Capitalized words that only a model writes are mostly headings, and
 * numbers that only tools print are mostly sizes and times.
 */
function isWorthNaming({ kind, label, value, uses }: LedgerEntry): boolean {
  if (value === '' && uses.user === 0) {
    if (kind === 'name' && uses.assistant < minModelUses) return false
    if (kind === 'number' && uses.assistant === 0) return false
    if (label.length < minNameCharacters) return false
    if (passingStarts.includes(label.charAt(0)) && passingPlace.test(label)) return false
  }
  return label.trim() !== ''
}

const minModelUses = 3
// Shorter ones are variables and units.
const minNameCharacters = 3
/** `line 39`, `Step 2`, `#3`: they count within one text, and say nothing outside of it. */
const passingPlace = /^(?:(?:line|step) ?#?|#)\d+$/i
const passingStarts = 'lLsS#'
