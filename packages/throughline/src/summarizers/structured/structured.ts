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

/** Without room for all sections, whole ones are left out before a text is cut. */
export function renderStructured(draft: Draft, { depth, mostTokens, meter }: RenderOptions) {
  const heading = `Conversation summary (depth ${depth})`
  const texts = leftOutInOrder.map((_, left) =>
    [heading, structuredText(draft, leftOutInOrder.slice(0, left))].join('\n\n'),
  )
  const fitting = texts.find((text) => meter.count(text) <= mostTokens)
  return fitting ?? meter.fit(texts.at(-1) ?? heading, mostTokens)
}

/** Names are in the ledger too, and key points repeat the text. */
const leftOutInOrder = ['Domain Entities', 'Participants', 'References', 'Key Points', ''] as const

/** Without the heading, for the next request. */
function structuredText(
  { text, keyPoints, facets }: Draft,
  leftOut: readonly string[] = [],
): string {
  const section = (title: string, items: readonly string[]) =>
    items.length === 0 || leftOut.includes(title)
      ? ''
      : [`${title}:`, ...items.map((item) => `- ${item}`)].join('\n')
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
