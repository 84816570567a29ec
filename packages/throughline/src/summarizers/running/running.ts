import { shortHash } from '../../domain/hash.ts'
import type { Draft } from '../../domain/summary.ts'
import type { RenderOptions, SummaryInput, SummaryStyle } from '../../ports/summary-style.ts'
import { keepReferences, planSteps } from '../plan-steps.ts'
import {
  askedTokens,
  listed,
  type PromptSource,
  previousBlock,
  promptHash,
  singleRequest,
  transcriptBlock,
} from '../prompt-blocks.ts'
import { houseRules } from '../prompt-words-data.ts'
import { joinTokens, readProse, sentencesWithin } from '../read-answer.ts'
import { entriesOf, pieceEntries, writtenWithNames as write } from '../transcript/entries.ts'
import { chunkTree } from '../tree/chunk-tree.ts'
import { runningPrompts } from './prompts-data.ts'

interface RunningOptions {
  /** `rows`: under 300 words, for chats. `resources`: under 200 words, for chats about documents. */
  readonly prompt: keyof typeof runningPrompts
  /** Longer input is summarized in chunks of this size first; null: in steps, as each request has room. */
  readonly chunkTokens: number | null
}

/** The answer limit, whatever the summary's share of the context is. */
const runningOutputTokens = 500

function entries({ messages, calls }: Pick<SummaryInput, 'messages' | 'calls'>) {
  return entriesOf(messages, calls, { system: true })
}

export function running({ prompt: name, chunkTokens }: RunningOptions): SummaryStyle {
  const prompt = runningPrompts[name]
  const tree = chunkTokens === null ? null : chunkTree({ chunkTokens, entries, write })
  const ask = (
    source: PromptSource,
    limit: { readonly words: number; readonly tokens: number },
  ) => {
    const blocks = { transcript: transcriptBlock(source), previous: previousBlock(source) }
    const sources = prompt.sources.map(([title, block]) => `${title}\n\n${blocks[block]}`)
    return singleRequest({
      system: `${prompt.system.join(limitWords(limit))}\n${listed(houseRules)}`,
      content: [...sources, prompt.ask].join('\n\n'),
      maxOutputTokens: runningOutputTokens,
    })
  }
  const usual = { words: prompt.mostWords, tokens: askedTokens(runningOutputTokens) }
  const hash = promptHash(prompt.version, (source) => ask(source, usual))
  return {
    name: 'running',
    version: prompt.version,
    // The prompt for chunks belongs to the style too.
    promptHash: tree === null ? hash : shortHash(`${hash} ${tree.promptHash}`),
    plan: (input) => {
      const { countedPerToken } = input.meter
      const mostTokens = Math.min(input.summaryTokens, runningOutputTokens * countedPerToken)
      const ownTokens = Math.floor(mostTokens / countedPerToken)
      const words = Math.min(prompt.mostWords, Math.floor(ownTokens * wordsPerToken))
      const tokens = askedTokens(ownTokens)
      const limit = { mostTokens, meter: input.meter }
      return planSteps(input, {
        entries: input.pieces === null ? entries(input) : pieceEntries(input.pieces),
        write,
        transcriptTokens: null,
        answerTokens: Math.floor(runningOutputTokens * countedPerToken),
        render: ({ text, facets }) => `${text}${referencesBelow(facets?.references ?? [])}`,
        ask: (source) => ask(source, { words, tokens }),
        read: (answer, step) => keepReferences(readProse(answer, limit), step),
      })
    },
    render: (draft, options) => rendered(prompt.heading, draft, options),
    tree,
  }
}

// For English words, with room for names.
const wordsPerToken = 0.6

/** Words of other languages have more tokens. */
function limitWords({ words, tokens }: { readonly words: number; readonly tokens: number }) {
  return `${words} words and ${tokens} tokens`
}

const referenceShare = 0.25

/** The newest documents follow the story, with up to a quarter of its room. */
function rendered(heading: string, draft: Draft, { mostTokens, meter }: RenderOptions): string {
  const maxTokens = Math.min(mostTokens, runningOutputTokens * meter.countedPerToken)
  const references = draft.facets?.references ?? []
  const below =
    references
      .map((_, from) => referencesBelow(references.slice(from)))
      .find((text) => meter.count(text.trimStart()) <= Math.floor(maxTokens * referenceShare)) ?? ''
  const textTokens = maxTokens - meter.count(heading) - meter.count(below) - joinTokens
  const text = sentencesWithin(draft.text, textTokens, meter)
  return meter.fit(`${heading}${text}${below}`, maxTokens)
}

function referencesBelow(references: readonly string[]): string {
  return references.length === 0 ? '' : `\n\nReferences: ${references.join('; ')}`
}
