/**
 * A proposal is no completed action: where a turn only proposed, asked or failed, every clause that reports
 * an action must say so, and no clause may report as done what its source only proposed.
 */
import { utterancesOf } from '../../extract/utterances.ts'
import { isAction, isOpen } from '../../flow/gate/action-words.ts'
import { segmentsOfText, wordsOf } from '../../flow/gate/draft-text.ts'
import { limits } from '../limits-data.ts'
import { actionsIn, claimedActions, clausesOf, smallLetters } from './claimed-actions.ts'
import type { ActionKind } from './words-data.ts'

export function reportsAction(text: string): boolean {
  // That a plan was saved is an action, though a plan leaves open what is in it.
  return (
    clausesOf(text).some((clause) => isAction(clause) && !isOpen(clause)) ||
    claimedActions(text).some((kinds) => !kinds.some(isByUser))
  )
}

function isByUser(kind: ActionKind): boolean {
  return kind === 'confirm' || kind === 'reject'
}

export function reportsOpen(text: string): boolean {
  return clausesOf(text).some(isOpen)
}

/** What a source leaves open, and what it reports as done: the words of each sentence. */
export interface OpenAndDone {
  readonly open: readonly ReadonlySet<string>[]
  readonly done: readonly ReadonlySet<string>[]
  /** What it says that was not done. */
  readonly denied: readonly ReadonlySet<string>[]
}

export function openInAnswer(answer: string): OpenAndDone {
  const proposals = utterancesOf(answer, 'assistant').filter(
    ({ kind }) => kind === 'proposal' || kind === 'commitment',
  )
  const said = new Set(proposals.map(({ text }) => text))
  const others = segmentsOfText(answer.slice(0, limits.answerCharacters)).filter(
    (text) => !said.has(text),
  )
  const deeds = others.map(smallLetters).filter(isAction)
  return {
    open: proposals.map(({ text }) => contentWords(text)),
    done: deeds.filter((text) => !isDenied(text)).map(contentWords),
    denied: deeds.filter(isDenied).map(contentWords),
  }
}

function isDenied(sentence: string): boolean {
  const { done, open } = actionsIn(sentence)
  return open.size > 0 && done.size === 0
}

export function openInLines(lines: readonly string[]): OpenAndDone {
  const clauses = lines.flatMap(clausesOf)
  return {
    open: clauses.filter(isOpen).map(contentWords),
    done: clauses.filter((clause) => isAction(clause) && !isOpen(clause)).map(contentWords),
    denied: [],
  }
}

/** Whether an action of the text is nearer to what was left open than to what was done. */
export function reportsOpenAsDone(text: string, { open, done, denied }: OpenAndDone): boolean {
  return clausesOf(text)
    .filter((clause) => isAction(clause) && !isOpen(clause))
    .map(contentWords)
    .some((words) => {
      const proposed = nearest(words, [...open, ...denied])
      return proposed >= limits.sharedWordsShare && proposed > nearest(words, done)
    })
}

function nearest(words: ReadonlySet<string>, sentences: readonly ReadonlySet<string>[]): number {
  if (words.size === 0) return 0
  let most = 0
  for (const sentence of sentences) {
    let shared = 0
    for (const word of words) if (sentence.has(word)) shared += 1
    most = Math.max(most, shared / words.size)
  }
  return most
}

/** By their first letters: `save` and `saved` are one. Scripts without spaces by their signs. */
function contentWords(text: string): ReadonlySet<string> {
  const words = wordsOf(smallLetters(text)).flatMap((word) =>
    unspaced.test(word) ? [...word] : stem(word),
  )
  return new Set(words.filter((word) => !frame.has(word)))
}

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/

/** Without the German participle prefix: `gespeichert` is `speichern`. */
function stem(word: string): readonly string[] {
  const bare =
    word.length >= limits.longWordCharacters && word.startsWith('ge') ? word.slice(2) : word
  return bare.length < limits.stemCharacters ? [] : [bare.slice(0, limits.stemCharacters)]
}

/** Who did it, and when, is no part of what was done. */
const frame: ReadonlySet<string> = new Set([
  ...'assi user have been that this with will them they your then wurd werd'.split(' '),
  ...'用户助手已了的我会将',
])
