/** Splits a long text into chunks of similar length: a short last chunk would waste a call. */
import { dataBlock } from '../../domain/data-block.ts'
import { shortHash } from '../../domain/hash.ts'
import { type Part, textsOfOutput } from '../../domain/message.ts'
import type { ModelRequest } from '../../ports/language-model.ts'
import { requestTokens } from '../../ports/request-tokens.ts'
import type { LevelInput, SummaryTree, TreeChunk } from '../../ports/summary-style.ts'
import { listed, singleRequest } from '../prompt-blocks.ts'
import { segmentWords } from '../prompt-words-data.ts'
import { readProse } from '../read-answer.ts'
import { chunksOf } from '../transcript/chunks.ts'
import {
  coversOf,
  type Entry,
  entryOf,
  pieceEntries,
  writtenWithNames,
} from '../transcript/entries.ts'

interface ChunkTreeOptions {
  /** No request for a chunk is longer. */
  readonly chunkTokens: number
  /** Longer input is summarized in chunks; `chunkTokens` by default. */
  readonly maxResultTokens?: number
  readonly entries: (input: LevelInput) => readonly Entry[]
  readonly write: (entries: readonly Entry[]) => string
}

// Three long sentences with many names; each level must become much shorter.
const segmentTokens = 240
const segmentRatio = 0.25
// Less is not worth a call.
const minChunkTokens = 128
// Marks around a block, and joined texts that have more tokens than their parts.
const slackTokens = 48
const slackRatio = 0.03
// Chunks differ in length, because messages are not split for that.
const unevenRatio = 1.1

export function chunkTree(options: ChunkTreeOptions): SummaryTree {
  const { chunkTokens, maxResultTokens = chunkTokens, entries, write } = options
  return {
    version: segmentWords.version,
    chunkTokens,
    // Computed on demand, because few processes use the tree.
    get promptHash() {
      return shortHash(JSON.stringify([segmentWords.version, [ask('', 0)]]))
    },
    level: (input) => {
      const { meter, pieces, inputTokens } = input
      const count = (text: string) => meter.count(text)
      const room = roomIn(Math.min(chunkTokens, inputTokens), count)
      if (room < minChunkTokens) return null
      const all = pieces === null ? entries(input) : pieceEntries(pieces)
      const tokens = count(write(all))
      const mostTokens = Math.min(maxResultTokens, roomIn(inputTokens, count))
      if (tokens <= mostTokens) return null
      const evenTokens = Math.ceil((tokens / Math.ceil(tokens / room)) * unevenRatio)
      const chunks = chunksOf(all, { mostTokens: Math.min(room, evenTokens), count, write })
      return { chunks: chunks.map((_, index) => chunkOf(chunks, index)), tokens, mostTokens }

      function chunkOf(all: readonly (readonly Entry[])[], index: number): TreeChunk {
        const own = all[index] ?? []
        const text = write(own)
        const most = Math.min(segmentTokens, Math.floor(room * segmentRatio))
        return {
          covers: coversOf(input.messages, all, index),
          prompt: system,
          mostTokens: most,
          request: () => ask(text, most),
          read: (answer) => readProse(answer, { mostTokens: most, meter }),
          sources: own.map(({ role, text: source }) => ({ role, text: source })),
          tokens: count(text),
        }
      }
    },
  }
}

function ask(segment: string, maxOutputTokens: number): ModelRequest {
  const content = `${dataBlock('text segment', segment)}\n\nWrite the 3 sentences now.`
  return singleRequest({ system, content, maxOutputTokens })
}

/** The room for the text, without the prompt around it. */
function roomIn(limitTokens: number, count: (text: string) => number): number {
  const slack = Math.ceil(slackTokens + limitTokens * slackRatio)
  return limitTokens - requestTokens(ask('', 0), count) - slack
}

const system = `${segmentWords.task}\n\n${listed(segmentWords.rules)}`

/** Summarizes one very large message in chunks, until it is short enough for its stub. */
const chunkTokens = 4_000
// With the label below 500 tokens.
const maxResultTokens = 480

export const messageTree: SummaryTree = chunkTree({
  chunkTokens,
  maxResultTokens,
  // Includes tool output in full, because this message is the subject.
  entries: ({ messages }) =>
    messages.map((message) =>
      entryOf(message, message.role, message.parts.flatMap(textsOf).join('\n')),
    ),
  write: writtenWithNames,
})

/** Without documents, which are fetched again, and reasoning, which is private. */
function textsOf(part: Part): readonly string[] {
  if (part.type === 'text') return [part.text]
  return part.type === 'tool-result' ? textsOfOutput(part.output) : []
}
