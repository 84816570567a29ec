/** What a model answers, as it comes: in one form, whichever API it came through. */
import type { ReplyUsage } from './reply-usage.ts'

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
