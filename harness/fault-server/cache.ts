/**
 * The prompt cache of a service, as far as a test can see it: a request costs less for the prefix that
 * it shares with an earlier one. The part before the messages matches as a whole, messages match one
 * by one. OpenAI caches everything; Anthropic caches up to a mark that both requests have. Neither
 * caches fewer than 1,024 tokens.
 */
import {
  type Fields,
  fieldsOf,
  listOf,
} from '../../packages/throughline/src/adapters/unknown-json.ts'
import type { ModelApiName } from './responder.ts'

export interface PromptCache {
  /** How much of the request is cached, from 0 to 1; then caches all of it. */
  share(api: ModelApiName, body: Fields): number
}

interface Piece {
  readonly text: string
  readonly marked: boolean
}

// Tests repeat only recent requests.
const requestsMax = 100

export function createPromptCache(): PromptCache {
  const known: (readonly Piece[])[] = []
  return {
    share: (api, body) => {
      const pieces = piecesOf(api, body)
      const marksOnly = api === 'anthropic-messages'
      const same = Math.max(0, ...known.map((before) => sameBeginning(before, pieces, marksOnly)))
      known.push(pieces)
      if (known.length > requestsMax) known.shift()
      const characters = (list: readonly Piece[]) =>
        list.reduce((sum, { text }) => sum + text.length, 0)
      return characters(pieces.slice(0, same)) / characters(pieces)
    },
  }
}

/** Fields that do not change what the model reads. */
const besideTheWords = new Set([
  ...['messages', 'input', 'stream', 'stream_options', 'store', 'user', 'metadata'],
  ...['temperature', 'top_p', 'max_tokens', 'max_completion_tokens', 'max_output_tokens'],
])

function piecesOf(api: ModelApiName, body: Fields): readonly Piece[] {
  const before = Object.entries(body).filter(([name]) => !besideTheWords.has(name))
  const messages = listOf(body[api === 'openai-responses' ? 'input' : 'messages'])
  return [
    { text: withoutMarks([api, before.sort()]), marked: false },
    ...messages.map((message) => ({ text: withoutMarks(message), marked: isMarked(message) })),
  ]
}

function withoutMarks(value: unknown): string {
  return JSON.stringify(value, (name, inner: unknown) =>
    name === 'cache_control' ? undefined : inner,
  )
}

function isMarked(message: unknown): boolean {
  const blocks = listOf(fieldsOf(message)?.['content'])
  return blocks.some((block) => fieldsOf(block)?.['cache_control'] !== undefined)
}

function sameBeginning(
  before: readonly Piece[],
  pieces: readonly Piece[],
  marksOnly: boolean,
): number {
  const differs = pieces.findIndex(({ text }, index) => text !== before[index]?.text)
  const same = differs < 0 ? pieces.length : differs
  if (!marksOnly) return same
  const isShared = (piece: Piece, index: number) => piece.marked && before[index]?.marked === true
  return pieces.slice(0, same).findLastIndex(isShared) + 1
}
