/** The deeds that a turn bears out: told by its answer, done by its steps, written to a database. */

import type { BorneOut } from './borne-out.ts'
import { clausesOf, smallLetters } from './clauses-of-text.ts'
import { type DeedKind, ongoingKinds, pastKinds, plainKinds } from './deed-verbs.ts'
import { deedsIn, wordsOfClause } from './deeds-in.ts'

export interface DeedSources {
  readonly user: string
  /** Texts that tell what was done: an answer, lines of a history, a theme. */
  readonly tellings: readonly string[]
  readonly borneOut: BorneOut
}

export function knownDeeds({ user, tellings, borneOut }: DeedSources): ReadonlySet<DeedKind> {
  const told = tellings.map((text) => deedsIn(text.slice(0, tellingCharacters)))
  const known = new Set([...borneOut.kinds, ...told.flatMap(({ done }) => [...done])])
  // An answer that hands something over has made it, but where it says that it has not.
  if (tellings.some((text) => handsOver.test(text)) && !told.some(({ open }) => open.has('create')))
    known.add('create')
  for (const step of borneOut.steps) for (const kind of kindsOfStep(step)) known.add(kind)
  for (const kind of kindsOfUser(user)) known.add(kind)
  return known
}

const tellingCharacters = 200_000
/** Who pastes a page agrees before it. */
const userCharacters = 4_000
const handsOver = /(?<!\p{L})(?:here(?:['’]s| is| are)|below (?:is|are))(?!\p{L})/iu

/** A step says what it does by its first words, and what came of it behind. */
function kindsOfStep({ description, outcome }: BorneOut['steps'][number]): ReadonlySet<DeedKind> {
  const came = deedsIn(outcome)
  const kinds = new Set<DeedKind>(['complete', ...came.done])
  for (const clause of clausesOf(apart(description))) {
    const words = wordsOfClause(clause)
    for (const kind of plainKinds(words[0] ?? '')) kinds.add(kind)
    for (const word of words)
      for (const kind of [...pastKinds(word), ...ongoingKinds(word)]) kinds.add(kind)
  }
  for (const kind of came.open) if (!came.done.has(kind)) kinds.delete(kind)
  return kinds
}

/** Names of tools by their words: `recipes.save`, `saveRecipe`. */
function apart(description: string): string {
  return description.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1, $2').replaceAll(/[_./-]/g, ', ')
}

/** What they say that they have done themselves, and whether they agree. */
function kindsOfUser(user: string): readonly DeedKind[] {
  const small = smallLetters(user.slice(0, userCharacters)).trim()
  const own = Array.from(small.matchAll(ownDeed), ({ 1: word = '' }) => pastKinds(word)).flat()
  return [...own, ...(agrees.test(small) ? agreed : []), ...(refuses.test(small) ? refused : [])]
}

const agreed: readonly DeedKind[] = ['confirm']
const refused: readonly DeedKind[] = ['reject', 'cancel']
const ownDeed = /(?<!\p{L})(?:i|we)(?:'ve| have| had)?(?: just| already)? (\p{L}+)/gu
/** At the beginning of a sentence: `no yes` and `is it right` agree to nothing. */
const agrees =
  /(?:^|[.!?,;\n]\s{0,2})(?:yes|yep|yeah|ok|okay|sure|agreed|perfect|great|sounds good|go (?:ahead|for|with)|do it|let's|ja|oui|s[ií]|sim|да)(?!\p{L})|(?<!\p{L})i (?:confirm|approve|accept|agree)|^(?:confirm|approv|accept)|^(?:是|好|はい|네)/u
const refuses =
  /(?<!\p{L})(?:no|not|never|reject|decline|cancel|instead|without|\p{L}+n't)(?!\p{L})/u
