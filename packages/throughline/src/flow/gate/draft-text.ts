/** All that a draft says, as one text: what is judged must be what is shown later. */
import type { Draft } from '../../domain/draft.ts'

export function draftText({ text, keyPoints, facets }: Draft): string {
  const lines = [text, ...keyPoints.map(item)]
  if (facets === null) return lines.join('\n')
  const {
    actionItems,
    tone,
    participants,
    decisions,
    unresolved,
    domainEntities,
    userFacts,
    references,
  } = facets
  lines.push(
    ...[participants, decisions, unresolved, domainEntities, userFacts, references]
      .flat()
      .map(item),
    ...actionItems.map(({ owner, task, due }) =>
      item([owner, task, due].filter((part) => part !== null).join(', ')),
    ),
  )
  if (tone !== null) lines.push(tone)
  return lines.join('\n')
}

function item(text: string): string {
  return `- ${text}`
}
