/** What stands behind an anchor, a page of it. */
import type { Seq } from './ids.ts'
import type { Message } from './message.ts'

export interface Expanded {
  /** Those that the page is of, whole, and the calls that they answer. */
  readonly messages: readonly Message[]
  /** What the page shows of them, in order, word for word: all pages joined are the messages. */
  readonly pieces: readonly ExpandedPiece[]
  /** The page as a model reads it: who spoke, when and where, and what, set apart as data. */
  readonly text: string
  /** The anchor that goes on exactly behind the page; null where that was all. */
  readonly next: string | null
}

export interface ExpandedPiece {
  readonly seq: Seq
  /** The character of the message's text that it begins with. */
  readonly character: number
  readonly text: string
}
