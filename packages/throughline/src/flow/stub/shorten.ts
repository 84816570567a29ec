/** A long text as its beginning and its end, with a note that says where the whole stands. */

import { dataBlock } from '../../domain/data-block.ts'
import { grouped } from '../../domain/grouped-number.ts'
import type { Seq } from '../../domain/ids.ts'
import { excerpt } from '../text/excerpt.ts'
import type { FileFacts } from './stub-file.ts'

export interface Stubbing {
  readonly seq: Seq
  /** Without the note. */
  readonly keepTokens: number
  count(text: string): number
  /** Of the file whose text it is. */
  readonly file?: FileFacts | null
  /** What models have told of it. */
  readonly digest?: string | undefined
}

// So short that a note would be longer.
const shortCharacters = 60

export function shorten(text: string, stubbing: Stubbing): string {
  const { seq, keepTokens, count, file = null, digest } = stubbing
  if (text.length <= shortCharacters) return text
  const facts = keepTokens < leastWithFacts ? null : file
  const of = facts === null ? '' : ` of ${facts.named}`
  const since = facts === null || facts.since === '' ? '' : `; ${facts.since}`
  const told = digest === undefined ? '' : `${dataBlock(`digest of #${seq}`, digest)}\n`
  return excerpt(text, {
    // What is said of the file is said in place of some of its text.
    keepTokens: Math.max(Math.min(keepTokens, leastPreview), keepTokens - count(of + since)),
    count,
    note: (characters) =>
      `\n[… ${grouped(characters)} characters${of} left out${since}; whole in #${seq} …]\n${told}`,
  })
}

const leastWithFacts = 24
const leastPreview = 12
