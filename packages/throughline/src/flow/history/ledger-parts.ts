/** Sorts the entries of a ledger in one pass: there are thousands, and a compaction needs few. */
import type { Ledger, LedgerEntry } from '../../domain/ledger.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { isUtterance, salienceAt } from './rank-entries.ts'

export interface LedgerParts {
  readonly byUser: readonly LedgerEntry[]
  readonly files: readonly LedgerEntry[]
  /** Those that can be in the text. */
  readonly listed: readonly LedgerEntry[]
  /** Of each name among those, in their order: its worth per character. */
  readonly nameWorths: Float64Array
}

export function partsOf(ledger: Ledger): LedgerParts {
  return getOrMake(known, ledger, () => sortEntries(ledger))
}

// One ledger is rendered in several sizes until one fits.
const known = new WeakMap<Ledger, LedgerParts>()

function sortEntries({ entries, to }: Ledger): LedgerParts {
  const byUser: LedgerEntry[] = []
  const files: LedgerEntry[] = []
  const listed: LedgerEntry[] = []
  const nameWorths = new Float64Array(entries.length)
  const salienceOf = salienceAt(to)
  let names = 0
  for (const entry of entries) {
    if (entry.trust === 'user') byUser.push(entry)
    if (entry.kind === 'file') files.push(entry)
    if (!isListed(entry)) continue
    listed.push(entry)
    if (!isName(entry)) continue
    nameWorths[names] = salienceOf(entry) / (entry.label.length + separatorCharacters)
    names += 1
  }
  return { byUser, files, listed, nameWorths: nameWorths.subarray(0, names) }
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
