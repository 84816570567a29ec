/** A long text as its beginning and its end, with a note that says where the whole stands. */
import type { Seq } from '../domain/ids.ts'
import { excerpt } from './excerpt.ts'

export interface Stubbing {
  readonly seq: Seq
  /** Without the note. */
  readonly keepTokens: number
  count(text: string): number
}

// So short that a note would be longer.
const shortCharacters = 60

export function shorten(text: string, { seq, keepTokens, count }: Stubbing): string {
  if (text.length <= shortCharacters) return text
  return excerpt(text, {
    keepTokens,
    count,
    note: (characters) => `\n[… ${grouped(characters)} characters left out; whole in #${seq} …]\n`,
  })
}

/** 1,234,567: the same on every machine. */
function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}
