/** Finds proposals, questions and failures that a model answer reports as completed actions. */
import { utterancesOf } from '../../extract/utterances.ts'
import { isAction, isOpen } from '../../flow/gate/action-words.ts'
import { segmentsOfText, wordsOf } from '../../flow/gate/draft-text.ts'
import { limits } from '../limits-data.ts'
import {
  actionsIn,
  claimedActions,
  clausesOf,
  confirmsFinding,
  nothingReported,
  smallLetters,
  splitSpeakers,
  type UserReport,
  withoutBrackets,
  withoutOffers,
} from './claimed-actions.ts'
import { type ActionKind, observing } from './words-data.ts'

export function reportsAction(text: string, known: UserReport = nothingReported): boolean {
  const { ofUser, ofOthers } = splitSpeakers(text)
  const isOwn = (kinds: readonly ActionKind[]) => kinds.some((kind) => known.kinds.has(kind))
  // "Saved the plan" is an action, although "plan" alone marks an open one.
  return (
    doneClauses(ofOthers).some((clause) => changesThings(clause, nothingReported)) ||
    doneClauses(ofUser).some((clause) => !isOfUser.test(clause) && changesThings(clause, known)) ||
    claimedActions(ofOthers).some((kinds) => !kinds.some(isByUser)) ||
    claimedActions(ofUser).some((kinds) => !kinds.some(isByUser) && !isOwn(kinds))
  )
}

const isOfUser = /^\s*(?:the )?user(?!\p{L})/u

/** Whether the clause has a verb that neither looks nor speaks, and that the user did not use. */
function changesThings(clause: string, { words }: Pick<UserReport, 'words'>): boolean {
  return wordsOf(clause).some((word) => isAction(word) && !observing.test(word) && !words.has(word))
}

/** Text in brackets describes a thing (`outer carton damaged`) and is no clause of its own. */
function doneClauses(text: string): readonly string[] {
  return clausesOf(withoutOffers(withoutBrackets(text))).filter(
    (clause) => isAction(clause) && !isOpen(clause),
  )
}

function isByUser(kind: ActionKind): boolean {
  return kind === 'confirm' || kind === 'reject'
}

export function reportsOpen(text: string): boolean {
  return clausesOf(text).some(isOpen)
}

type WordSet = ReadonlySet<string>

/** The words of the sentences that leave an action open, report it as done, or deny it. */
export interface OpenAndDone {
  readonly open: readonly WordSet[]
  readonly done: readonly WordSet[]
  readonly denied: readonly WordSet[]
}

export function openInAnswer(answer: string): OpenAndDone {
  const proposals = utterancesOf(answer, 'assistant').filter(
    ({ kind }) => kind === 'proposal' || kind === 'commitment',
  )
  const proposed = new Set(proposals.map(({ text }) => text))
  const others = segmentsOfText(answer.slice(0, limits.answerCharacters)).filter(
    (text) => !proposed.has(text),
  )
  const actions = others.map(smallLetters).filter(isAction)
  return {
    open: proposals.map(({ text }) => contentWords(text)),
    done: actions.filter((text) => !isDenied(text)).map(contentWords),
    denied: actions.filter(isDenied).map(contentWords),
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

/** Whether an action in the text is more similar to an open action than to a completed one. */
export function reportsOpenAsDone(text: string, { open, done, denied }: OpenAndDone): boolean {
  const { ofOthers } = splitSpeakers(text)
  return [...doneClauses(ofOthers), ...clausesOf(ofOthers).filter(confirmsFinding)]
    .map(contentWords)
    .some((words) => {
      const similarity = greatestOverlap(words, [...open, ...denied])
      return similarity >= limits.minSharedShare && similarity > greatestOverlap(words, done)
    })
}

/** The greatest share of the words that one of the sentences contains. */
function greatestOverlap(words: WordSet, sentences: readonly WordSet[]): number {
  if (words.size === 0) return 0
  let greatest = 0
  for (const sentence of sentences) {
    let shared = 0
    for (const word of words) if (sentence.has(word)) shared += 1
    greatest = Math.max(greatest, shared / words.size)
  }
  return greatest
}

/** Stems for comparison (`save`, `saved`); single characters in scripts without spaces. */
function contentWords(text: string): ReadonlySet<string> {
  const words = wordsOf(smallLetters(text)).flatMap((word) =>
    unspaced.test(word) ? [...word] : stem(word),
  )
  return new Set(words.filter((word) => !frame.has(word)))
}

const unspaced = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/

/** Removes the German participle prefix: `gespeichert` matches `speichern`. */
function stem(word: string): readonly string[] {
  const bare =
    word.length >= limits.longWordCharacters && word.startsWith('ge') ? word.slice(2) : word
  return bare.length < limits.stemCharacters ? [] : [bare.slice(0, limits.stemCharacters)]
}

/** Words for the actor and the time, which do not identify an action. */
const frame: ReadonlySet<string> = new Set([
  ...'assi user have been that this with will them they your then wurd werd'.split(' '),
  ...'用户助手已了的我会将',
])
