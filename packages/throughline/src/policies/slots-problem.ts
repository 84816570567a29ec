/** The slots of a caller's own policy, checked: which there are, in which order, and how much they may have. */
import type { SlotKind } from '../domain/context.ts'
import { policies } from '../policies.ts'
import { isCount } from './field-checks.ts'

const coreKinds: readonly SlotKind[] = policies.balanced.slots.map(({ kind }) => kind)
/** A policy may leave these out, and those of a context extension. */
const freeKinds: readonly SlotKind[] = ['summary', 'ledger', 'files']
/** What is cut to its share; other slots have none. */
const sharedKinds: readonly unknown[] = ['profile', 'retrieved', 'summary', 'ledger', 'files']

export function slotsProblem(slots: unknown, extensionSlots: readonly string[]): string | null {
  if (!Array.isArray(slots)) return 'slots must be an array'
  const kinds = slots.map((slot) => (slot as { kind?: unknown } | null)?.kind)
  const slotKinds = [...coreKinds, ...extensionSlots]
  const needed = coreKinds.filter((kind) => !freeKinds.includes(kind))
  if (needed.some((kind) => !kinds.includes(kind))) return `slots must hold ${needed.join(', ')}`
  const unknown = kinds.findIndex(
    (kind, index) => !slotKinds.some((known) => known === kind) || kinds.indexOf(kind) !== index,
  )
  if (unknown !== -1) return `slots may hold each of ${slotKinds.join(', ')} once`
  if (kinds.includes('turns') !== kinds.includes('history'))
    return 'the slots turns and history go together: what leaves the one comes into the other'
  if (kinds[0] !== 'system') return 'the system slot must be the first'
  if (kinds.indexOf('current') !== kinds.length - 1) return 'the current slot must be the last'
  const uncounted = slots.find(({ most }) => most !== undefined && !isCount(most))
  if (uncounted !== undefined)
    return `the most of the slot ${uncounted.kind} must be a whole number`
  const shared = slots.find(({ kind, share }) => share !== undefined && !sharedKinds.includes(kind))
  return shared === undefined
    ? null
    : `a share is for the slots ${sharedKinds.join(', ')}; ${shared.kind} has none`
}
