/** Fills the slots of the caller's own texts. Loaded by the first request that has any. */

import type { Omission } from '../../domain/context.ts'
import { dataBlock } from '../../domain/data-block.ts'
import type { Part } from '../../domain/message.ts'
import type { RetrievedPiece } from '../check/check-request.ts'
import { type Count, excerpt } from '../text/excerpt.ts'
import { textPart } from '../text/sanitize-message.ts'
import { derivedMessage, type Filled } from './slots.ts'

export function fillProfile(text: string, shareTokens: number, count: Count): Filled {
  if (text === '') return { messages: [], omitted: [] }
  const cut = cutToShare(text, shareTokens, count)
  const message = derivedMessage('profile', [textPart(dataBlock('profile', cut.text))])
  return { messages: [message], omitted: cut.omitted }
}

/** Whole pieces in their order; the first that is too long is cut, and the rest left out. */
export function fillRetrieved(
  pieces: readonly RetrievedPiece[],
  shareTokens: number,
  count: Count,
): Filled {
  const parts: Part[] = []
  const omitted: Omission[] = []
  let remaining = shareTokens
  for (const { id, title, text } of pieces) {
    remaining -= frameTokens + count(id) + (title === null ? 0 : count(title))
    const cut = remaining > 0 ? cutToShare(text, remaining, count) : null
    if (cut === null) {
      omitted.push({ span: null, why: 'over-share', tokens: null })
      continue
    }
    parts.push({ type: 'resource-excerpt', resourceId: id, title, text: cut.text, metadata: null })
    omitted.push(...cut.omitted)
    remaining -= count(cut.text)
  }
  return { messages: parts.length === 0 ? [] : [derivedMessage('retrieved', parts)], omitted }
}

// The delimiters around a piece.
const frameTokens = 50

interface CutText extends Pick<Filled, 'omitted'> {
  readonly text: string
}

function cutToShare(text: string, shareTokens: number, count: Count): CutText {
  // Most texts need no count: a code unit has at most 3 bytes, and a token at least one.
  if (text.length * 3 <= shareTokens || count(text) <= shareTokens) return { text, omitted: [] }
  const note = (characters: number) => `\n[… ${characters} characters left out …]\n`
  const cut = excerpt(text, { keepTokens: shareTokens, count, note })
  const tokens = Math.max(0, count(text) - count(cut))
  return { text: cut, omitted: [{ span: null, why: 'over-share', tokens }] }
}
