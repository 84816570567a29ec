/** The actions that an English text reports, each as done or as left open. */

import { isBacked } from '../../domain/entity.ts'
import type { AgentTurn, StepDigest, TurnRecord } from '../../domain/turn-memory.ts'
import { isOpen } from '../../flow/gate/action-words.ts'
import { limits } from '../limits-data.ts'
import {
  type ActionKind,
  actionVerbs,
  agreeing,
  anyWrite,
  decisions,
  drafts,
  ownAction,
  presentsResult,
  refusing,
  requesting,
  smallWords,
  writes,
} from './words-data.ts'

export function actionsIn(source: string) {
  const done = new Set<ActionKind>()
  const open = new Set<ActionKind>()
  for (const [sentence] of smallLetters(source).matchAll(/[^.;:!?\n。！？]+[.;:!?\n。！？]?/g)) {
    // A question reports no action.
    if (/[?？]$/.test(sentence)) continue
    let isLastOpen = false
    for (const clause of sentence.split(/,|\s[–—-]\s|\s(?:but|however|although|though)\s/)) {
      const words = wordsOfClause(clause)
      for (const [at, word] of words.entries()) {
        const kinds = kindsOf('past', word)
        if (kinds.length === 0 || isAttribute(words, at)) continue
        // `Nothing was saved, changed or deleted`: the denial covers all joined verbs.
        const isContinued = at === 0 || joining.has(words[at - 1] ?? '')
        isLastOpen = isDenied(words, at) || (isContinued && isLastOpen)
        for (const kind of kinds) (isLastOpen ? open : done).add(kind)
      }
    }
  }
  return { done, open }
}

/** What a sentence reports of the user (`User asked …; assistant answered …`), and the rest. */
export function splitSpeakers(sentence: string): Readonly<Record<'ofUser' | 'ofOthers', string>> {
  const parts = sentence.split(speakerStart)
  const partsOf = (isUser: boolean) => parts.filter((part) => byUser.test(part) === isUser)
  return { ofUser: partsOf(true).join(' '), ofOthers: partsOf(false).join(' ') }
}

const speakerStart = /(?<=^|[;,.] |\band |\bwhile )(?=(?:the )?(?:user|assistant)\b)/i
const byUser = /^(?:the )?user\b/i

export function withoutBrackets(text: string): string {
  return text.replaceAll(brackets, ' ')
}

const brackets = /\([^()]*\)/g

/** `offered: one in white, both sent tomorrow`: what follows the colon is offered too. */
export function withoutOffers(text: string): string {
  return text.replaceAll(
    /([^:;.!?\n]*): ([^;!?\n]*?)(?=[;!?\n]|\. |\.?$)/g,
    (all, before: string) =>
      isOpen(smallLetters(before).split(clauseStart).at(-1) ?? '') ? `${before};` : all,
  )
}

const clauseStart = /,|\sand\s/

/** The possible kinds of each action that a sentence reports as done. Doubtful cases count. */
export function claimedActions(sentence: string): readonly (readonly ActionKind[])[] {
  // `asked for the job (run 7, in staging) fixed`: brackets must not hide what the verb belongs to.
  const texts = [withoutOffers(withoutBrackets(sentence)), ...(sentence.match(brackets) ?? [])]
  return texts.flatMap(clausesOf).flatMap((clause) => {
    const words = wordsOfClause(clause)
    return words.flatMap((word, at) => {
      const kinds = kindsOf('claim', word)
      if (kinds.length === 0 || isAttribute(words, at) || isFinding(words, at)) return []
      if (isDenied(words, at) || isProposed(words, at)) return []
      return kinds.includes('create') && makesProposal(words, at) ? [] : [kinds]
    })
  })
}

function wordsOfClause(clause: string): readonly string[] {
  return clause.match(/[\p{L}\p{N}']+/gu) ?? []
}

/** `the saved recipes` describes a thing and reports no action. */
function isAttribute(words: readonly string[], at: number): boolean {
  return attributive.has(words[at - 1] ?? '')
}

/** `Confirmed three faults`, `assistant confirmed that`: not the decision of a user. */
function isFinding(words: readonly string[], at: number): boolean {
  return words[at] === 'confirmed' && (at === 0 || actors.has(words[at - 1] ?? ''))
}

/** A finding can still be a proposal: `Confirmed a table for two`. */
export function confirmsFinding(clause: string): boolean {
  const words = wordsOfClause(clause)
  return words.some((_, at) => isFinding(words, at))
}

function isDenied(words: readonly string[], at: number): boolean {
  const [next = '', second = ''] = words.slice(at + 1, at + 3)
  if (next === 'no' || nothing.has(next) || nothing.has(second)) return true
  const near = words.slice(Math.max(0, at - limits.nearWords), at)
  const restart = near.findLastIndex((word) => beginning.has(word))
  return near.slice(restart + 1).some((word) => denying.has(word) || word.endsWith("n't"))
}

/** `asked to have it saved` is a proposal; `asked for it, and it was saved` is not. */
function isProposed(words: readonly string[], at: number): boolean {
  if (/^(?:was|were|been|got)$/.test(words[at - 1] ?? '')) return false
  const from = Math.max(0, at - limits.nearWords)
  const near = words.slice(from, at)
  const actor = near.findLastIndex((word) => actors.has(word))
  return near.some(
    (word, index) =>
      index > actor && isOpen(word) && !openNoun.test(word) && !isAttribute(words, from + index),
  )
}

function makesProposal(words: readonly string[], at: number): boolean {
  return words.slice(at + 1, at + 1 + limits.nearWords).some((word) => proposal.test(word))
}

const proposal = /^(?:propos|suggest|recommend|question|offer|draft|option|idea|plan)/
const openNoun = /^(?:plans?|questions?|offers?|requests?|errors?|confirmations?|proposals?)$/

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))
const joining = setOf(smallWords.joining)
const beginning = setOf(smallWords.beginning)
const actors = setOf(smallWords.actors)
const nothing = setOf(smallWords.nothing)
const attributive = setOf(smallWords.attributive)
const denying = setOf(smallWords.denying)

type Form = 'claim' | 'past' | 'ongoing' | 'plain'

/** `claim` must be proven, `past` is `saved`, `ongoing` is `saving`, `plain` is `save`. */
function kindsOf(form: Form, word: string): readonly ActionKind[] {
  return kindsOfWord[form].get(word) ?? []
}

const kindsOfWord: Readonly<Record<Form, Map<string, ActionKind[]>>> = {
  claim: new Map(),
  past: new Map(),
  ongoing: new Map(),
  plain: new Map(),
}

for (const [kind, verbs] of Object.entries(actionVerbs) as [ActionKind, string][])
  for (const verb of verbs.split(' ')) {
    const [base = '', ...irregular] = verb.replace('~', '').split('/')
    const pasts = irregular.length > 0 ? irregular : [regularPast(base)]
    for (const word of pasts) {
      addKind('past', word, kind)
      if (!verb.startsWith('~')) addKind('claim', word, kind)
    }
    addKind('plain', base, kind)
    addKind('ongoing', ongoingForm(base, pasts), kind)
  }

function addKind(form: Form, word: string, kind: ActionKind): void {
  kindsOfWord[form].set(word, [...kindsOf(form, word), kind])
}

function regularPast(base: string): string {
  if (base.endsWith('e')) return `${base}d`
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${base}ed`
}

function ongoingForm(base: string, [first = '']: readonly string[]): string {
  const doubled = first === `${base}${base.at(-1)}ed` ? base.slice(-1) : ''
  return `${base.replace(/e$/, '')}${doubled}ing`
}

export function clausesOf(text: string): readonly string[] {
  return smallLetters(text).split(
    /[;,.:!?、，；：。！？]|\s(?:and|then|und|dann|et|puis|y|luego|e|poi|en|и|затем)\s/,
  )
}

export function smallLetters(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}

type DoneStep = Pick<StepDigest, 'description' | 'outcome'>

export interface ProvenByTurn {
  readonly steps: readonly DoneStep[]
  readonly kinds: readonly ActionKind[]
}

export function provenByTurn(turn: AgentTurn, steps: readonly StepDigest[]): ProvenByTurn {
  const done = turn.entities.filter(({ succeeded }) => succeeded)
  const written = done.filter(({ source }) => source === 'db_write')
  const kinds = [
    ...written.flatMap(({ action }) => (action === null ? anyWrite : writes[action])),
    ...done.filter(({ source }) => source === 'generate').flatMap(() => drafts),
    ...turn.entityUpdates.flatMap(({ state }) => decisions[state]),
  ]
  return { steps: doneSteps(steps), kinds }
}

export function provenByRecord({ turn, steps, audit, knows }: TurnRecord): ProvenByTurn {
  const decided = knows.entities.filter((entity) => !isBacked(entity) && entity.since === turn)
  const changes = [
    [writes.create, audit.created.length + audit.artifactsSaved],
    [writes.update, audit.updated.length],
    [writes.delete, audit.deleted.length],
    [drafts, audit.artifactsGenerated],
    [decisions.active, decided.filter(({ state }) => state === 'active').length],
    [decisions.inactive, decided.filter(({ rejected }) => rejected).length],
  ] as const
  return {
    steps: doneSteps(steps),
    kinds: changes.flatMap(([kinds, count]) => (count > 0 ? kinds : [])),
  }
}

function doneSteps(steps: readonly StepDigest[]): readonly StepDigest[] {
  return steps.filter(({ status }) => status === 'done')
}

/** The actions that a turn proves. `reports` are its answer, history lines and the theme. */
export function provenActions(
  user: string,
  reports: readonly string[],
  proven: ProvenByTurn,
): ReadonlySet<ActionKind> {
  const actions = reports.map((text) => actionsIn(text.slice(0, limits.reportCharacters)))
  const known = new Set([...proven.kinds, ...actions.flatMap(({ done }) => [...done])])
  // An answer that presents a result has created it, unless it denies that.
  const isPresented = reports.some((text) => presentsResult.test(text))
  if (isPresented && !actions.some(({ open }) => open.has('create'))) known.add('create')
  for (const step of proven.steps) for (const kind of kindsOfStep(step)) known.add(kind)
  for (const kind of kindsOfUser(user)) known.add(kind)
  return known
}

/** A step that looks something up proves no other action than its own completion. */
export function changesThings(step: DoneStep): boolean {
  return kindsOfStep(step).size > 1
}

function kindsOfStep({ description, outcome }: DoneStep): ReadonlySet<ActionKind> {
  const reported = actionsIn(outcome)
  const kinds = new Set<ActionKind>(['complete', ...reported.done])
  for (const [, verb = ''] of outcome.matchAll(databaseResult))
    for (const kind of kindsOf('plain', verb.toLowerCase())) kinds.add(kind)
  for (const clause of clausesOf(splitNames(description))) {
    const words = wordsOfClause(clause)
    for (const kind of kindsOf('plain', words[0] ?? '')) kinds.add(kind)
    for (const word of words)
      for (const kind of [...kindsOf('past', word), ...kindsOf('ongoing', word)]) kinds.add(kind)
  }
  for (const kind of reported.open) if (!reported.done.has(kind)) kinds.delete(kind)
  return kinds
}

/** What databases print after a statement: `DELETE 12`, `INSERT 0 1`, `CREATE TABLE`. */
const databaseResult =
  /(?<!\S)(INSERT|UPDATE|DELETE|CREATE|DROP|MERGE)(?= \d| (?:TABLE|INDEX|VIEW)\b)/g

/** Splits names of tools into words: `recipes.save`, `saveRecipe`. */
function splitNames(description: string): string {
  return description.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1, $2').replaceAll(/[_./-]/g, ', ')
}

function kindsOfUser(user: string): readonly ActionKind[] {
  const small = smallLetters(user.slice(0, limits.userCharacters)).trim()
  return [
    ...ownActions(small),
    ...(agreeing.test(small) ? decisions.active : []),
    ...(refusing.test(small) ? decisions.inactive : []),
  ]
}

function ownActions(text: string): readonly ActionKind[] {
  return [...smallLetters(text).matchAll(ownAction)].flatMap(({ 1: word = '' }) =>
    kindsOf('past', word),
  )
}

/** What a sentence may attribute to the user or to people whom the user mentions. */
export interface UserReport {
  readonly kinds: ReadonlySet<ActionKind>
  /** The words of the user's statements, in small letters. */
  readonly words: ReadonlySet<string>
}

export const nothingReported: UserReport = { kinds: new Set(), words: new Set() }

export function reportedByUser(texts: readonly string[]): UserReport {
  const sentences = texts.flatMap((text) => text.slice(0, limits.userCharacters).split(sentenceEnd))
  const statements = sentences.filter((sentence) => !requesting.test(sentence))
  return {
    kinds: new Set(statements.flatMap((text) => [...actionsIn(text).done, ...ownActions(text)])),
    words: new Set(statements.flatMap((text) => wordsOfClause(smallLetters(text)))),
  }
}

const sentenceEnd = /(?<=[.!?])\s|\n/
