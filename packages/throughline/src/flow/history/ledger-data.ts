/** The sections of the ledger, and how much each kind of entry binds and weighs. */
import type { FactKind } from '../../domain/ledger.ts'

/** In the order of the text. */
export const sectionNames = [
  'Plan',
  'Decided',
  'Open failures',
  'Files',
  'Commands',
  'Tools',
  'Addresses',
  'Names, by message',
] as const

export type SectionName = (typeof sectionNames)[number]

export const mentions = 'Names, by message'

/** Everything else is a name that a message mentions. */
export const sectionOf: Partial<Record<FactKind, SectionName>> = {
  plan: 'Plan',
  decision: 'Decided',
  failure: 'Open failures',
  file: 'Files',
  command: 'Commands',
  use: 'Tools',
  address: 'Addresses',
}

/** One line per folder or message; other sections are one line of entries. */
export const sectionsWithLines: ReadonlySet<SectionName> = new Set(['Files', mentions])

/** A statement that binds at least this much is a rule, a wish, a correction or a decision. */
export const firmBinding = 4

export const bindingByValue: ReadonlyMap<string, number> = new Map([
  ['answer', 4.5],
  ['passage', 4],
  ['persistent', 4],
  ['statement', 1],
])

export const bindingByKind: Partial<Record<FactKind, number>> = {
  constraint: 6,
  correction: 5,
  preference: 5,
  decision: 5,
  task: 2,
  question: 0.5,
}

export const fading = 0.7

/** Entries that the digest names anyway, or that can be looked up again, weigh less. */
export const weightByKind: Partial<Record<FactKind, number>> = {
  ...{ constraint: 0.5, preference: 0.5, correction: 0.5, task: 0.5 },
  ...{ decision: 0.4, question: 0.3, command: 0.4, name: 0.4, number: 0.6, use: 0.7 },
  ...{ id: 1.2, file: 1.2, plan: 20 },
}
