/**
 * The deeds that an English text tells, each as done or as left open: a verb in its past form,
 * and a few words before it that deny it or put it off.
 */
import { clausesOf, smallLetters } from './clauses-of-text.ts'
import { type DeedKind, heldKinds, pastKinds } from './deed-verbs.ts'
import { isOpen } from './deed-words.ts'

export interface DeedsRead {
  readonly done: ReadonlySet<DeedKind>
  readonly open: ReadonlySet<DeedKind>
}

/** What a source says that was done. In doubt it says nothing. */
export function deedsIn(source: string): DeedsRead {
  const done = new Set<DeedKind>()
  const open = new Set<DeedKind>()
  for (const [sentence] of smallLetters(source).matchAll(/[^.;:!?\n。！？]+[.;:!?\n。！？]?/g)) {
    // Who asks whether it is saved does not say so.
    if (/[?？]$/.test(sentence)) continue
    let isLastOpen = false
    for (const clause of sentence.split(/,|\s[–—-]\s|\s(?:but|however|although|though)\s/)) {
      const words = wordsOfClause(clause)
      for (const [at, word] of words.entries()) {
        const kinds = pastKinds(word)
        if (kinds.length === 0 || isAttribute(words, at)) continue
        // `Nothing was saved, changed or deleted`: what denies the first denies them all.
        const goesOn = at === 0 || joining.has(words[at - 1] ?? '')
        isLastOpen = isDenied(words, at) || (goesOn && isLastOpen)
        for (const kind of kinds) (isLastOpen ? open : done).add(kind)
      }
    }
  }
  return { done, open }
}

/** The deeds that a sentence tells as done, by the kinds that each may be. In doubt it tells one. */
export function deedsTold(sentence: string): readonly (readonly DeedKind[])[] {
  return clausesOf(sentence).flatMap((clause) => {
    const words = wordsOfClause(clause)
    return words.flatMap((word, at) => {
      const kinds = heldKinds(word)
      if (kinds.length === 0 || isAttribute(words, at)) return []
      if (isDenied(words, at) || isProposed(words, at)) return []
      return kinds.includes('create') && makesProposal(words, at) ? [] : [kinds]
    })
  })
}

export function wordsOfClause(clause: string): readonly string[] {
  return clause.match(/[\p{L}\p{N}']+/gu) ?? []
}

/** `the saved recipes`: what is said of a thing and not what was done now. */
function isAttribute(words: readonly string[], at: number): boolean {
  return attributive.has(words[at - 1] ?? '')
}

const nearWords = 5

function isDenied(words: readonly string[], at: number): boolean {
  const [next = '', second = ''] = words.slice(at + 1, at + 3)
  if (next === 'no' || nothing.has(next) || nothing.has(second)) return true
  const near = words.slice(Math.max(0, at - nearWords), at)
  const anew = near.findLastIndex((word) => beginning.has(word))
  return near.slice(anew + 1).some((word) => denying.has(word) || word.endsWith("n't"))
}

/** `asked to have it saved`; what was asked for and then saved was saved. */
function isProposed(words: readonly string[], at: number): boolean {
  if (/^(?:was|were|been|got)$/.test(words[at - 1] ?? '')) return false
  const from = Math.max(0, at - nearWords)
  const near = words.slice(from, at)
  const actor = near.findLastIndex((word) => actors.has(word))
  return near.some(
    (word, index) =>
      index > actor && isOpen(word) && !thing.test(word) && !isAttribute(words, from + index),
  )
}

/** A plan that was created is a plan. */
function makesProposal(words: readonly string[], at: number): boolean {
  return words.slice(at + 1, at + 1 + nearWords).some((word) => proposal.test(word))
}

const proposal = /^(?:propos|suggest|recommend|question|offer|draft|option|idea|plan)/
const thing = /^(?:plans?|questions?|offers?|requests?|errors?|confirmations?|proposals?)$/

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))
const joining = setOf('and or nor')
const beginning = setOf('so then instead because')
const actors = setOf('assistant agent')
const nothing = setOf('nothing none neither nobody')
const attributive = setOf(`
  the a an my your our their his her its this these those any each every previously recently
  newly of for with from in about as`)
const denying = setOf(`
  not never cannot no nor nothing none neither nobody without unable fail fails failed failing yet
  would could should will shall can may might must ought if unless until before once when whether
  be being want wants wanted like hope hopes i'll we'll you'll it'll they'll`)
