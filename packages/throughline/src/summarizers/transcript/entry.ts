/** A piece of a conversation as a summarizer reads it. */
import type { Seq } from '../../domain/ids.ts'
import type { ToldMessage } from '../../ports/summary-style.ts'

export interface Entry {
  readonly seq: Seq
  /** `segment`: what messages have become, told by a model or in excerpts. */
  readonly role: ToldMessage['role'] | 'segment'
  /** The speaker's name, where there are several. */
  readonly author: string | null
  /** The reply broke off while it was written. */
  readonly incomplete: boolean
  readonly text: string
  /** Of a text that was too long for one piece. */
  readonly part: { readonly number: number; readonly of: number } | null
}
