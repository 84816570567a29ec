/**
 * Chunks of a text that is too long for one look, each small enough for a request with all
 * that stands around it, and told in a fraction of it. They are about as long as each other:
 * a last one of a few words would be asked for in vain.
 */
import type { ModelRequest } from '../../ports/language-model.ts'
import { requestTokens } from '../../ports/request-tokens.ts'
import type { LevelInput, SummaryTree, TreeChunk } from '../../ports/summary-style.ts'
import { promptHash } from '../prompt-hash.ts'
import { readProse } from '../read-prose.ts'
import { chunksOf } from '../transcript/chunks.ts'
import { coversOf } from '../transcript/covers.ts'
import type { Entry } from '../transcript/entry.ts'
import { pieceEntries } from '../transcript/piece-entries.ts'
import { segmentPrompt } from './segment-prompt.ts'

export interface ChunkTreeOptions {
  /** What is longer is told in chunks, and no request for one is longer. */
  readonly chunkTokens: number
  /** So much of it is short enough in the end; as much as a chunk where nothing is said. */
  readonly enoughTokens?: number
  readonly entries: (input: LevelInput) => readonly Entry[]
  readonly write: (entries: readonly Entry[]) => string
}

// Three long sentences full of names; a level has to become much shorter in any case.
const segmentTokens = 240
const segmentRatio = 0.25
// Less is not worth a call.
const leastTokens = 128
// Marks around a block, and joined texts that have more tokens than their parts.
const slackTokens = 48
const slackRatio = 0.03
// Messages are not parted to make chunks of one length.
const unevenRatio = 1.1

export function chunkTree(options: ChunkTreeOptions): SummaryTree {
  const { chunkTokens, enoughTokens = chunkTokens, entries, write } = options
  return {
    version: segmentPrompt.version,
    promptHash: promptHash(segmentPrompt.version, [ask('', 0)]),
    level: (input) => {
      const { meter, pieces, inputTokens } = input
      const count = (text: string) => meter.count(text)
      const room = roomIn(Math.min(chunkTokens, inputTokens), count)
      if (room < leastTokens) return null
      const all = pieces === null ? entries(input) : pieceEntries(pieces)
      const tokens = count(write(all))
      const mostTokens = Math.min(enoughTokens, roomIn(inputTokens, count))
      if (tokens <= mostTokens) return null
      const even = Math.ceil((tokens / Math.ceil(tokens / room)) * unevenRatio)
      const chunks = chunksOf(all, { mostTokens: Math.min(room, even), count, write })
      return { chunks: chunks.map((_, index) => chunkOf(chunks, index)), tokens, mostTokens }

      function chunkOf(all: readonly (readonly Entry[])[], index: number): TreeChunk {
        const own = all[index] ?? []
        const text = write(own)
        const most = Math.min(segmentTokens, Math.floor(room * segmentRatio))
        return {
          covers: coversOf(input.messages, all, index),
          instructions: segmentPrompt.system,
          mostTokens: most,
          request: () => ask(text, most),
          read: (answer) => readProse(answer, { mostTokens: most, meter }),
          sources: own.map(({ role, text: said }) => ({ role, text: said })),
          tokens: count(text),
        }
      }
    },
  }
}

function ask(segment: string, maxOutputTokens: number): ModelRequest {
  return {
    system: segmentPrompt.system,
    messages: [{ role: 'user', content: segmentPrompt.content(segment) }],
    maxOutputTokens,
    temperature: 0,
    schema: null,
  }
}

/** For the text itself, without the words around it. */
function roomIn(limitTokens: number, count: (text: string) => number): number {
  const slack = Math.ceil(slackTokens + limitTokens * slackRatio)
  return limitTokens - requestTokens(ask('', 0), count) - slack
}
