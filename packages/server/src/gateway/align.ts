/**
 * Compares the history of a request with the history that a conversation expects, and says what kind of
 * request it is. Pure.
 */
import type { Entry } from './model-request.ts'

export type Alignment =
  /** The request begins with all that is known. */
  | { readonly kind: 'continue'; readonly known: number }
  /** All is known except the last answer, of which the client has its own version. */
  | { readonly kind: 'answer-changed'; readonly known: number }
  /** The client has dropped or replaced the past; `places` are those in the known history, or null. */
  | { readonly kind: 'client-compacted'; readonly places: readonly (number | null)[] }
  /** The request goes another way after this many entries. */
  | { readonly kind: 'fork'; readonly why: 'edit' | 'regenerate'; readonly known: number }
  | { readonly kind: 'unrelated' }

export interface AlignOptions {
  /** The client states that it has compacted its history. */
  readonly saysCompacted: boolean
  /** The client names the conversation, so that a short answer in common is proof enough. */
  readonly isNamed: boolean
}

export function align(
  known: readonly Entry[],
  asked: readonly Entry[],
  { saysCompacted, isNamed }: AlignOptions,
): Alignment {
  const same = commonLength(known, asked)
  if (same === known.length) return { kind: 'continue', known: same }
  const [expected, found] = [known[same], asked[same]]
  if (
    same === known.length - 1 &&
    expected?.role === 'assistant' &&
    found?.role === 'assistant' &&
    expected.calls === found.calls
  )
    return { kind: 'answer-changed', known: same + 1 }
  const hasAnswer = known.slice(0, same).some(({ role }) => role === 'assistant')
  const places = placesOfTail(known, asked, { same, isNamed })
  if (places !== null || (saysCompacted && isNamed && !hasAnswer && asked.length > same))
    return { kind: 'client-compacted', places: places ?? prefixPlaces(asked, same) }
  if (same === asked.length) {
    const isQuestion = asked.at(-1)?.role !== 'assistant'
    return { kind: 'fork', why: isQuestion ? 'regenerate' : 'edit', known: same }
  }
  // Equal openings alone are no sign: many conversations begin with the same words.
  return hasAnswer ? { kind: 'fork', why: 'edit', known: same } : { kind: 'unrelated' }
}

function commonLength(known: readonly Entry[], asked: readonly Entry[]): number {
  const most = Math.min(known.length, asked.length)
  for (let at = 0; at < most; at += 1)
    if (known[at]?.key !== asked[at]?.key || known[at]?.role !== asked[at]?.role) return at
  return most
}

function prefixPlaces(asked: readonly Entry[], same: number): readonly (number | null)[] {
  return asked.map((_, at) => (at < same ? at : null))
}

/**
 * Where the request has the end of the known history after something else: a client that compacts keeps its
 * last messages word for word. Null if it has not.
 */
function placesOfTail(
  known: readonly Entry[],
  asked: readonly Entry[],
  { same, isNamed }: { readonly same: number; readonly isNamed: boolean },
): readonly (number | null)[] | null {
  const lastAnswer = known.findLastIndex(({ role }) => role === 'assistant')
  const answer = known[lastAnswer]
  if (answer === undefined || lastAnswer < same) return null
  const found = asked.findLastIndex(({ key, role }) => key === answer.key && role === 'assistant')
  if (found < same) return null
  const places: (number | null)[] = [...prefixPlaces(asked, same)]
  for (let [at, place] = [found, lastAnswer]; at >= same && place >= same; at -= 1, place -= 1) {
    const [left, right] = [asked[at], known[place]]
    // A result that the client has shortened stays in its place; ours is whole.
    const isPruned = left?.role === 'tool' && right?.role === 'tool'
    if (left?.key !== right?.key && !isPruned) break
    places[at] = place
  }
  for (let [at, place] = [found + 1, lastAnswer + 1]; place < known.length; at += 1, place += 1) {
    if (asked[at]?.key !== known[place]?.key) break
    places[at] = place
  }
  const isProven = places.some((place, at) => place !== null && at >= same && asked[at]?.isTelling)
  return isNamed || isProven ? places : null
}
