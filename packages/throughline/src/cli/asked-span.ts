/** Places as people write them: `12`, `#12`, `12-20`, `#12-#20`. Both ends are in it. */
import type { Span } from '../domain/span.ts'
import { WrongUsage } from './ending.ts'

/** Null where none is named. */
export function askedSpan(words: readonly string[]): Span | null {
  const [word, extra] = words
  if (word === undefined) return null
  if (extra !== undefined) throw new WrongUsage(`one place or one run of them, not also "${extra}"`)
  const match = /^#?(\d{1,15})(?:-#?(\d{1,15}))?$/.exec(word)
  if (match === null)
    throw new WrongUsage(`a place is a number, as 12, or two of them, as 12-20; not "${word}"`)
  const [from, last] = [Number(match[1]), Number(match[2] ?? match[1])]
  if (last < from) throw new WrongUsage(`"${word}" ends before it begins`)
  return { from, to: last + 1 }
}
