/** Summaries that take each other's place: the one before and what is new become the next. */
import { shortHash } from '../../domain/hash.ts'
import type { Draft } from '../../domain/summary.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import type {
  RenderOptions,
  SummaryInput,
  SummaryStyle,
  SummaryTree,
} from '../../ports/summary-style.ts'
import { type Asked, keepReferences, planSteps } from '../plan-steps.ts'
import { promptHash } from '../prompt-blocks.ts'
import { readProse, sentencesWithin } from '../read-answer.ts'
import { entriesOf, pieceEntries, writtenWithNames } from '../transcript/entries.ts'
import { chunkTree } from '../tree/chunk-tree.ts'
import { resourcesPrompt } from './resources-prompt.ts'
import { rowsPrompt } from './rows-prompt.ts'

interface RunningOptions {
  /** `rows`: under 300 words, for a talk. `resources`: under 200 words, for a talk about documents. */
  readonly prompt: 'rows' | 'resources'
  /** What is longer is told in chunks of so many tokens first; null: in steps, as each request has room. */
  readonly chunkTokens: number | null
}

const prompts = { rows: rowsPrompt, resources: resourcesPrompt } as const

const headings = {
  rows: '## Earlier in this conversation\n\n',
  resources: 'PREVIOUS CONVERSATION SUMMARY: ',
} as const

/** The most of an answer, whatever the summary may have in the context. */
const runningOutputTokens = 500

const rules = {
  everyTool: false,
  system: true,
  saidCharacters: null,
  unreadable: null,
} as const

const write = writtenWithNames

function entries({ messages, calls }: Pick<SummaryInput, 'messages' | 'calls'>) {
  return entriesOf(messages, calls, rules)
}

export function running({ prompt: name, chunkTokens }: RunningOptions): SummaryStyle {
  const prompt = prompts[name]
  const tree = chunkTokens === null ? null : chunkTree({ chunkTokens, entries, write })
  const ask = (asked: Pick<Asked, 'previous' | 'transcript'>, words: number): ModelRequest => ({
    system: prompt.system(words),
    messages: [{ role: 'user', content: prompt.content(asked) }],
    maxOutputTokens: runningOutputTokens,
    temperature: 0,
    schema: null,
  })
  return {
    name: 'running',
    version: prompt.version,
    promptHash: hashWith(
      tree,
      promptHash(prompt.version, [
        ask({ previous: null, transcript: '' }, prompt.mostWords),
        ask({ previous: '', transcript: '' }, prompt.mostWords),
        ask({ previous: null, transcript: null }, prompt.mostWords),
      ]),
    ),
    plan: (input) => {
      const mostTokens = mostTokensOf(input.summaryTokens)
      const words = Math.min(prompt.mostWords, Math.floor(mostTokens * wordsPerToken))
      const limit = { mostTokens, meter: input.meter }
      return planSteps(input, {
        entries: input.pieces === null ? entries(input) : pieceEntries(input.pieces),
        write,
        transcriptTokens: null,
        answerTokens: runningOutputTokens,
        tell: withReferences,
        ask: (asked) => ask(asked, words),
        read: (answer, step) => keepReferences(readProse(answer, limit), step),
      })
    },
    render: (draft, options) => rendered(headings[name], draft, options),
    tree,
  }
}

/** The words for a chunk are part of what was asked. */
function hashWith(tree: SummaryTree | null, hash: string): string {
  return tree === null ? hash : shortHash(`${hash} ${tree.promptHash}`)
}

// Of English, with room for names.
const wordsPerToken = 0.6
const referenceShare = 0.25

function mostTokensOf(summaryTokens: number): number {
  return Math.min(summaryTokens, runningOutputTokens)
}

/** Documents are shown below the story, and may have a quarter of its room. */
function rendered(heading: string, draft: Draft, { mostTokens, meter }: RenderOptions): string {
  const count = (text: string) => meter.count(text)
  const most = mostTokensOf(mostTokens)
  const references = referencesWithin(draft, Math.floor(most * referenceShare), count)
  const below = references === '' ? '' : `\n\n${references}`
  const room = most - count(heading) - count(below) - joinTokens
  const text = sentencesWithin(draft.text, room, meter)
  return meter.fit(`${heading}${text}${below}`, most)
}

/** Joined texts may have more tokens than their parts have. */
const joinTokens = 4

/** Documents by name and id, below a summary. */
function withReferences(draft: Draft): string {
  const line = referencesLine(draft)
  return line === '' ? draft.text : `${draft.text}\n\n${line}`
}

function referencesLine({ facets }: Draft): string {
  const references = facets?.references ?? []
  return references.length === 0 ? '' : `References: ${references.join('; ')}`
}

/** The newest documents that there is room for. */
function referencesWithin(
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
