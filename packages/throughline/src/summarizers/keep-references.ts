/** Documents are kept by code: a model may forget one, and a later question needs its id. */
import type { Facets } from '../domain/draft.ts'
import type { ReadAnswer } from '../ports/summary-style.ts'
import type { ReadStep } from './plan-steps.ts'
import { referencesWith } from './transcript/references.ts'

export function keepReferences(read: ReadAnswer, { previous, messages }: ReadStep): ReadAnswer {
  if (read.kind === 'refused') return read
  const references = referencesWith(previous?.facets?.references ?? [], messages)
  if (references.length === 0) return read
  const facets = { ...(read.draft.facets ?? noFacets), references }
  return { ...read, draft: { ...read.draft, facets } }
}

const noFacets: Facets = {
  participants: [],
  decisions: [],
  actionItems: [],
  unresolved: [],
  domainEntities: [],
  tone: null,
  userFacts: [],
  references: [],
}
