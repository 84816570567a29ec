/** How much an entry of the ledger would be missed. */
import type { FactKind } from '../../domain/fact.ts'
import type { LedgerEntry } from '../../domain/ledger.ts'
import { bindingOf } from './said-entries.ts'

/** By who names it, how often, how lately, and what it is. */
export function salienceOf(
  entry: Pick<LedgerEntry, 'kind' | 'uses' | 'lastSeq' | 'value' | 'trust'>,
  at: number,
): number {
  const binding = bindingOf(entry)
  if (binding > 0) return binding
  const { user, assistant, tool } = entry.uses
  const used = 2 * Math.log1p(assistant + user * 2) + Math.log1p(user + assistant + tool)
  const lately = Math.exp(-(at - entry.lastSeq) / Math.max(1, at * fading))
  return used * lately * weight[entry.kind] * (entry.value === '' ? 1 : toldWeight)
}

const fading = 0.5
const toldWeight = 1.5

/** What has a name of its own in the narrative, or can be had again, gives way first. */
const weight: Readonly<Record<FactKind, number>> = {
  constraint: 0.5,
  preference: 0.5,
  correction: 0.5,
  decision: 0.4,
  task: 0.5,
  question: 0.3,
  file: 1.5,
  command: 0.4,
  failure: 1,
  use: 0.7,
  address: 1,
  symbol: 1,
  hash: 1,
  id: 1.2,
  version: 1,
  number: 0.6,
  amount: 1,
  date: 1,
  name: 0.4,
}
