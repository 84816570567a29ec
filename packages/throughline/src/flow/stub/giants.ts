/** Very large messages, of which a model writes a digest. Apart from stubs, because every request looks for them. */
import { defaults } from '../../defaults-data.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Policy } from '../../domain/policy.ts'
import type { StubbedMessage, View } from '../../domain/view.ts'
import type { Meter } from '../measure/measure.ts'

/** How a stub was made (`StubbedMessage.made`): with its whole unit, or around a digest. */
export const unitMade = 'unit'
export const digestMade = 'digest'

/**
 * Messages large enough for a digest. A digest has some hundred tokens and costs a call, and
 * messages that are small for the window mostly fit.
 */
export function giantsIn({ stubs }: Pick<View, 'stubs'>, { card }: Meter): readonly Seq[] {
  const minTokens = giantFrom(card)
  return stubs
    .filter((stub) => stub.wholeTokens > minTokens && lacksDigest(stub))
    .map(({ seq }) => seq)
}

/**
 * The size above which a message is shown as its digest, although it may fit: policies that keep
 * only recent messages and summarize long input in chunks. Null in all others.
 */
export function digestedFrom(
  { fill, summarizers }: Pick<Policy, 'fill' | 'summarizers'>,
  { card }: Pick<Meter, 'card'>,
): number | null {
  const chunked = summarizers.find((each) => each.style === 'running' && each.chunkTokens !== null)
  if (fill !== 'recent' || chunked?.style !== 'running' || chunked.chunkTokens === null) return null
  return Math.max(giantFrom(card), chunked.chunkTokens)
}

function giantFrom({ contextWindowTokens }: Meter['card']): number {
  const { giantTokens, giantRatio } = defaults
  return Math.max(giantTokens, contextWindowTokens * giantRatio)
}

/** Messages of the log that a view shows above a size without a digest. */
export function undigested(
  messages: readonly { readonly seq: Seq | null; readonly tokens: number }[],
  stubs: View['stubs'],
  fromTokens: number,
): readonly Seq[] {
  const stubbed = new Map(stubs.map((stub) => [stub.seq, stub]))
  return messages.flatMap(({ seq, tokens }) => {
    const stub = seq === null ? undefined : stubbed.get(seq)
    if (seq === null || (stub?.wholeTokens ?? tokens) <= fromTokens) return []
    return stub === undefined || lacksDigest(stub) ? [seq] : []
  })
}

// A message that is described with its whole unit needs no digest.
function lacksDigest({ made }: Pick<StubbedMessage, 'made'>): boolean {
  return made !== unitMade && !made.includes(` ${digestMade} `)
}
