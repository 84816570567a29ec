/**
 * The anchors in a context, and what one `expand` of each returns.
 *
 * A number after a hash in the text of a message (`see #12`) is not ours: anchors that the original
 * also contains do not count. Nor does the note about everything before the line (`#0 to #99`),
 * because it names every position and leads to none.
 */
import type { ContextMessage } from 'throughline'
import { contentText } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import type { Replaced } from './throughline.ts'

const anchorPattern = /(?<![\w&#/])#\d{1,15}(?:-#\d{1,15})?(?![\w-])/g
const everything = /#\d+ to #\d+/g

export function anchorsIn(text: string): readonly string[] {
  return text.replace(everything, '').match(anchorPattern) ?? []
}

/** A connected piece of a context, with the anchors in it. */
export interface AnchoredPiece {
  readonly text: string
  readonly anchors: readonly string[]
}

/** The lines of a context and the parts of its messages that contain our anchors. */
export function anchoredPieces(
  messages: readonly ContextMessage[],
  originalOf: (seq: number) => string,
): readonly AnchoredPiece[] {
  return messages.flatMap(({ seq, parts }) => {
    const foreign = new Set(seq === null ? [] : anchorsIn(originalOf(seq)))
    return parts.flatMap((part) => {
      const text = contentText([part])
      // Derived text lists many things, one per line. A stub is about one message.
      const pieces = seq === null ? text.split('\n') : [text]
      return pieces
        .map((piece) => ({
          text: piece,
          anchors: anchorsIn(piece).filter((anchor) => !foreign.has(anchor)),
        }))
        .filter(({ anchors }) => anchors.length > 0)
    })
  })
}

/** The texts that one `expand` of each visible anchor returns. */
export async function oneExpandAway(
  { chat }: Replaced,
  pieces: readonly AnchoredPiece[],
): Promise<readonly string[]> {
  const texts: string[] = []
  for (const anchor of new Set(pieces.flatMap(({ anchors }) => anchors))) {
    const expanded = await chat.expand(anchor)
    if (expanded !== null)
      texts.push(expanded.messages.map(({ parts }) => contentText(parts)).join('\n'))
  }
  return texts
}
