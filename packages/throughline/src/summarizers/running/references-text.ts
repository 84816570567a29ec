/** Documents by name and id, below a summary. */
import type { Draft } from '../../domain/draft.ts'

export function withReferences(draft: Draft): string {
  const line = referencesLine(draft)
  return line === '' ? draft.text : `${draft.text}\n\n${line}`
}

function referencesLine({ facets }: Draft): string {
  const references = facets?.references ?? []
  return references.length === 0 ? '' : `References: ${references.join('; ')}`
}

/** The newest documents that there is room for. */
export function referencesWithin(
  draft: Draft,
  mostTokens: number,
  count: (text: string) => number,
): string {
  const { facets } = draft
  const references = facets?.references ?? []
  for (let from = 0; facets !== null && from < references.length; from += 1) {
    const line = referencesLine({
      ...draft,
      facets: { ...facets, references: references.slice(from) },
    })
    if (count(line) <= mostTokens) return line
  }
  return ''
}
