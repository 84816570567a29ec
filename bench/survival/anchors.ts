/**
 * The anchors that a context shows, and what one `expand` of each gives.
 *
 * A number behind a hash in the words of a message (`see #12`) is none of ours: what stands
 * in the original too is not counted. Nor is the note on everything before the line
 * (`#0 to #99`): it names every place, and so leads to none.
 */
import type { ContextMessage } from 'throughline'
import { contentText } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import type { Replaced } from './throughline.ts'

const anchorPattern = /(?<![\w&#/])#\d{1,15}(?:-#\d{1,15})?(?![\w-])/g
const everything = /#\d+ to #\d+/g

export function anchorsIn(text: string): readonly string[] {
  return text.replace(everything, '').match(anchorPattern) ?? []
}

/** A piece of a context that stands together, with the anchors in it. */
export interface AnchoredPiece {
  readonly text: string
  readonly anchors: readonly string[]
}

/** The lines of a context and the parts of its messages that hold an anchor of ours. */
export function anchoredPieces(
  messages: readonly ContextMessage[],
  originalOf: (seq: number) => string,
): readonly AnchoredPiece[] {
  return messages.flatMap(({ seq, parts }) => {
    const foreign = new Set(seq === null ? [] : anchorsIn(originalOf(seq)))
    return parts.flatMap((part) => {
      const text = contentText([part])
      // Derived text lists many things; each stands in its own line. A stub is about one.
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

/** The texts that one `expand` of a visible anchor gives, a text for each anchor. */
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
