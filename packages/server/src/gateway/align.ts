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
  /** The client continues without the last answer, which was cut or never came; this many entries are equal. */
  | { readonly kind: 'interrupted'; readonly known: number }
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
  const hasAnswer = known.slice(0, same).some(({ role }) => role === 'assistant')
  if ((isNamed || hasAnswer) && isInterrupted(known, asked, same))
    return { kind: 'interrupted', known: same }
  if (
    same === known.length - 1 &&
    expected?.role === 'assistant' &&
    found?.role === 'assistant' &&
    expected.calls === found.calls
  )
    return { kind: 'answer-changed', known: same + 1 }
  const places = placesOfTail(known, asked, { same, isNamed })
  if (places !== null || (saysCompacted && isNamed && !hasAnswer && asked.length > same))
    return {
      kind: 'client-compacted',
      places: withKept(known, asked, places ?? prefixPlaces(asked, same)),
    }
  if (same === asked.length) {
    const isQuestion = asked.at(-1)?.role !== 'assistant'
    return { kind: 'fork', why: isQuestion ? 'regenerate' : 'edit', known: same }
  }
  // Equal openings alone are no sign: many conversations begin with the same words.
  return hasAnswer ? { kind: 'fork', why: 'edit', known: same } : { kind: 'unrelated' }
}

/** Clients drop a cut answer or write their own in its place; some add a line to its question. */
function isInterrupted(known: readonly Entry[], asked: readonly Entry[], same: number): boolean {
  const cut = known.at(-1)?.isCut === true ? 1 : 0
  const rest = known.length - same
  if (cut === 1 && rest === 1) return true
  const isQuestion = known[same]?.role === 'user' && asked[same]?.role === 'user'
  // A question that was edited has no answer yet.
  return rest === 1 + cut && isQuestion && asked[same + 1]?.role === 'assistant'
}

function commonLength(known: readonly Entry[], asked: readonly Entry[]): number {
  const most = Math.min(known.length, asked.length)
  for (let at = 0; at < most; at += 1) if (!isSame(known[at], asked[at])) return at
  return most
}

function isSame(known: Entry | undefined, asked: Entry | undefined): boolean {
  if (known === undefined || known.role !== asked?.role) return false
  return known.key === asked.key || known.spokenKey === asked.key
}

function prefixPlaces(asked: readonly Entry[], same: number): readonly (number | null)[] {
  return asked.map((_, at) => (at < same ? at : null))
}

/** What the client keeps beside its summary, such as all questions, stays in its place as well. */
function withKept(
  known: readonly Entry[],
  asked: readonly Entry[],
  places: readonly (number | null)[],
): readonly (number | null)[] {
  let next = 0
  return asked.map((entry, at) => {
    const given = places[at] ?? null
    const end = places.slice(at).find((place) => place !== null) ?? known.length
    const found =
      given ?? known.findIndex((each, index) => index >= next && index < end && isSame(each, entry))
    if (found < 0) return null
    next = found + 1
    return found
  })
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
  const found = asked.findLastIndex((entry) => isSame(answer, entry))
  if (found < same) return null
  const places: (number | null)[] = [...prefixPlaces(asked, same)]
  for (let [at, place] = [found, lastAnswer]; at >= same && place >= same; at -= 1, place -= 1) {
    const [left, right] = [asked[at], known[place]]
    // A result that the client has shortened stays in its place; ours is whole.
    const isPruned = left?.role === 'tool' && right?.role === 'tool'
    if (!isSame(right, left) && !isPruned) break
    places[at] = place
  }
  for (let [at, place] = [found + 1, lastAnswer + 1]; place < known.length; at += 1, place += 1) {
    if (!isSame(known[place], asked[at])) break
    places[at] = place
  }
  const isProven = places.some((place, at) => place !== null && at >= same && asked[at]?.isDistinct)
  return isNamed || isProven ? places : null
}
