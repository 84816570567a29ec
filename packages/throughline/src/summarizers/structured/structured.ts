/** Summaries by a schema: a story, key points, and lists of what was decided and is left to do. */
import { lazy } from '../../domain/lazy.ts'
import type { ActionItem, Draft } from '../../domain/summary.ts'
import type { RenderOptions, SummaryStyle } from '../../ports/summary-style.ts'
import { keepReferences, planSteps } from '../plan-steps.ts'
import { promptHash } from '../prompt-blocks.ts'
import { entriesOf, writtenWithNames } from '../transcript/entries.ts'
import { outputTokens, structuredPrompt, structuredVersion } from './prompt.ts'
import { readStructured } from './read.ts'

interface StructuredOptions {
  /** The most of a conversation in one request; what is more goes into the next. */
  readonly transcriptTokens: number | null
}

const noise = {
  everyTool: false,
  system: false,
  saidCharacters: null,
  unreadable: null,
} as const

export function structured({ transcriptTokens }: StructuredOptions): SummaryStyle {
  return {
    name: 'structured',
    version: structuredVersion,
    promptHash: hashOfPrompts(),
    plan: (input) =>
      planSteps(input, {
        entries: entriesOf(input.messages, input.calls, noise),
        write: writtenWithNames,
        transcriptTokens,
        tell: structuredText,
        ask: (asked) =>
          structuredPrompt({ ...asked, depth: input.depth, summaryTokens: input.summaryTokens }),
        answerTokens: outputTokens(input.summaryTokens),
        read: (answer, step) => keepReferences(readStructured(answer), step),
      }),
    render: renderStructured,
    tree: null,
  }
}

/** Every engine has this style, and no option changes the words. */
const hashOfPrompts = lazy(() => {
  const figures = { messages: 0, transcriptTokens: 0, depth: 0, summaryTokens: 0 }
  return promptHash(structuredVersion, (asked) => structuredPrompt({ ...asked, ...figures }))
})

/** What is needed least comes last, where a text that is too long is cut. */
export function renderStructured(
  draft: Draft,
  { depth, mostTokens, meter }: RenderOptions,
): string {
  const heading = `Conversation summary (depth ${depth})`
  return meter.fit(`${heading}\n\n${structuredText(draft)}`, mostTokens)
}

/** Without the heading, for the next request. */
function structuredText({ text, keyPoints, facets }: Draft): string {
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
