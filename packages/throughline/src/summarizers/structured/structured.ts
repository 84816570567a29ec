/** Summaries by a schema: a story, key points, decisions, open tasks and other lists. */
import { shortHash } from '../../domain/hash.ts'
import { lazy } from '../../domain/lazy.ts'
import type { ActionItem, Draft } from '../../domain/summary.ts'
import type { RenderOptions, SummaryInput, SummaryStyle } from '../../ports/summary-style.ts'
import { keepReferences, planSteps } from '../plan-steps.ts'
import { promptHash } from '../prompt-blocks.ts'
import { entriesOf, pieceEntries, writtenWithNames } from '../transcript/entries.ts'
import { chunkTree } from '../tree/chunk-tree.ts'
import { outputTokens, structuredPrompt } from './prompt.ts'
import { structuredVersion } from './prompt-words-data.ts'
import { readStructured } from './read.ts'

interface StructuredOptions {
  /** The most transcript tokens per request; the rest goes into the next request. */
  readonly transcriptTokens: number | null
  /** What needs many requests is summarized in chunks of so many tokens first. */
  readonly chunkTokens?: number | undefined
}

function entries({ messages, calls }: Pick<SummaryInput, 'messages' | 'calls'>) {
  return entriesOf(messages, calls)
}

// A few requests, each extending the draft before, keep more than chunks; many would take too long.
const maxSteps = 4

export function structured({ transcriptTokens, chunkTokens }: StructuredOptions): SummaryStyle {
  const write = writtenWithNames
  const tree =
    chunkTokens === undefined
      ? null
      : chunkTree({ chunkTokens, maxResultTokens: chunkTokens * maxSteps, entries, write })
  const hash = hashOfPrompts()
  return {
    name: 'structured',
    version: structuredVersion,
    // The prompt for chunks belongs to the style too.
    promptHash: tree === null ? hash : shortHash(`${hash} ${tree.promptHash}`),
    plan: (input) =>
      planSteps(input, {
        entries: input.pieces === null ? entries(input) : pieceEntries(input.pieces),
        write,
        transcriptTokens,
        render: (draft) => structuredText(draft),
        ask: (asked) =>
          structuredPrompt({
            ...asked,
            depth: input.depth,
            summaryTokens: Math.floor(input.summaryTokens / input.meter.countedPerToken),
          }),
        answerTokens: outputTokens(input.summaryTokens),
        read: (answer, step) => keepReferences(readStructured(answer), step),
      }),
    render: renderStructured,
    tree,
  }
}

/** Shared by all engines, because no option changes the prompt. */
const hashOfPrompts = lazy(() => {
  const figures = { messages: 0, transcriptTokens: 0, depth: 0, summaryTokens: 0 }
  return promptHash(structuredVersion, (asked) => structuredPrompt({ ...asked, ...figures }))
})

/** Without room for all, items of the lists below are left out before a text is cut. */
export function renderStructured(draft: Draft, { depth, mostTokens, meter }: RenderOptions) {
  const heading = `Conversation summary (depth ${depth})`
  const textWithout = (items: number) =>
    [heading, structuredText(withoutItems(draft, items))].join('\n\n')
  const fits = (items: number) => meter.count(textWithout(items)) <= mostTokens
  let [tooFew, enough] = [-1, itemsToLeaveOut(draft)]
  while (enough - tooFew > 1) {
    const middle = Math.floor((tooFew + enough) / 2)
    if (fits(middle)) enough = middle
    else tooFew = middle
  }
  return meter.fit(textWithout(enough), mostTokens)
}

function itemsToLeaveOut({ keyPoints, facets }: Draft): number {
  const { domainEntities = [], participants = [], references = [] } = facets ?? {}
  return domainEntities.length + participants.length + references.length + keyPoints.length
}

/** Names are in the ledger too, and key points repeat the text; within a list, the last go first. */
function withoutItems(draft: Draft, items: number): Draft {
  let left = items
  const shortened = <Item>(list: readonly Item[]): readonly Item[] => {
    const kept = Math.max(0, list.length - left)
    left = Math.max(0, left - list.length)
    return list.slice(0, kept)
  }
  const { facets } = draft
  const domainEntities = shortened(facets?.domainEntities ?? [])
  const participants = shortened(facets?.participants ?? [])
  const references = shortened(facets?.references ?? [])
  return {
    ...draft,
    keyPoints: shortened(draft.keyPoints),
    facets: facets && { ...facets, domainEntities, participants, references },
  }
}

/** Without the heading, for the next request. */
function structuredText({ text, keyPoints, facets }: Draft): string {
  const section = (title: string, items: readonly string[]) =>
    items.length === 0 ? '' : [`${title}:`, ...items.map((item) => `- ${item}`)].join('\n')
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

function actionText({ owner, task, due }: ActionItem): string {
  const by = owner === null ? '' : `${owner}: `
  return due === null ? `${by}${task}` : `${by}${task} (due ${due})`
}
