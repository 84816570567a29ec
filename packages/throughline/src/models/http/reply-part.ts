/** What a model answers, as it comes: in one form, whichever API it came through. */
import { otherShapeName } from '../language-model-failure.ts'

/** A part of a streamed reply. */
export type ReplyPart =
  | { readonly kind: 'text' | 'reasoning'; readonly text: string }
  /** The model that answers, as the provider tells it. */
  | { readonly kind: 'model'; readonly model: string }
  /** A tool was called. None was offered, so nobody runs it. */
  | { readonly kind: 'tool-call'; readonly name: string }
  /** The last one. */
  | {
      readonly kind: 'end'
      readonly finish: ReplyFinish
      readonly usage: ReplyUsage | null
    }

/** `length`: cut off. `content-filter`: stopped by the provider, or refused by the model. */
export type ReplyFinish = 'stop' | 'length' | 'content-filter' | 'other'

/** Reads the events of an answer, in order. */
export interface ReplyReader {
  /** Throws what the provider sends as an error. */
  parts(event: unknown): readonly ReplyPart[]
  /** Null where the answer has not come to its end. */
  end(): ReplyPart | null
}

export function textPart(kind: 'text' | 'reasoning', text: unknown): readonly ReplyPart[] {
  return typeof text === 'string' && text !== '' ? [{ kind, text }] : []
}

/** Whole tokens, only what the provider told. `inputTokens` is all of the input, cached or not. */
export type ReplyUsage = Readonly<Record<string, number>>

/** Null where nothing was told that is a count. */
export function countsOf(told: Readonly<Record<string, unknown>>): ReplyUsage | null {
  const counts = Object.entries(told).filter(
    (entry): entry is [string, number] => Number.isSafeInteger(entry[1]) && Number(entry[1]) >= 0,
  )
  return counts.length === 0 ? null : Object.fromEntries(counts)
}

/** What is thrown where an answer is none: the provider's own error, and what is in no form of its API. */
export function sentError(error: unknown): Error {
  return Object.assign(new Error('the provider has sent an error'), { error })
}

export function otherShape(message: string): Error {
  const error = new Error(message)
  error.name = otherShapeName
  return error
}
