/**
 * A structured summary as a context shows it: the story, then every list that is not empty.
 * What is needed least stands last, where a text that is too long is cut.
 */
import type { ActionItem, Draft } from '../../domain/draft.ts'
import type { RenderOptions } from '../../ports/summary-style.ts'

export function renderStructured(
  draft: Draft,
  { depth, mostTokens, meter }: RenderOptions,
): string {
  const heading = `Conversation summary (depth ${depth})`
  return meter.fit(`${heading}\n\n${structuredText(draft)}`, mostTokens)
}

/** Without the heading: as the next request tells it. */
export function structuredText({ text, keyPoints, facets }: Draft): string {
  const lists =
    facets === null
      ? []
      : [
          section('Decisions', facets.decisions),
          section('Action Items', facets.actionItems.map(actionText)),
          section('Unresolved', facets.unresolved),
          section('User Facts', facets.userFacts),
          section('Participants', facets.participants),
          section('Domain Entities', facets.domainEntities),
          section('References', facets.references),
        ]
  return [text, section('Key Points', keyPoints), ...lists]
    .filter((part) => part !== '')
    .join('\n\n')
}

function section(title: string, items: readonly string[]): string {
  return items.length === 0 ? '' : [`${title}:`, ...items.map((item) => `- ${item}`)].join('\n')
}

function actionText({ owner, task, due }: ActionItem): string {
  const by = owner === null ? '' : `${owner}: `
  return due === null ? `${by}${task}` : `${by}${task} (due ${due})`
}
