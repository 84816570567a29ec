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
  handsOver,
  ownDeed,
  refusing,
  smallWords,
  writes,
} from './words-data.ts'

export function actionsIn(source: string) {
  const done = new Set<ActionKind>()
  const open = new Set<ActionKind>()
  for (const [sentence] of smallLetters(source).matchAll(/[^.;:!?\n。！？]+[.;:!?\n。！？]?/g)) {
    // Who asks whether it is saved does not say so.
    if (/[?？]$/.test(sentence)) continue
    let isLastOpen = false
    for (const clause of sentence.split(/,|\s[–—-]\s|\s(?:but|however|although|though)\s/)) {
      const words = wordsOfClause(clause)
      for (const [at, word] of words.entries()) {
        const kinds = kindsOf('past', word)
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

/** The actions that a sentence reports as done, by possible kinds. In doubt it reports one. */
export function claimedActions(sentence: string): readonly (readonly ActionKind[])[] {
  return clausesOf(sentence).flatMap((clause) => {
    const words = wordsOfClause(clause)
    return words.flatMap((word, at) => {
      const kinds = kindsOf('claim', word)
      if (kinds.length === 0 || isAttribute(words, at)) return []
      if (isDenied(words, at) || isProposed(words, at)) return []
      return kinds.includes('create') && makesProposal(words, at) ? [] : [kinds]
    })
  })
}

function wordsOfClause(clause: string): readonly string[] {
  return clause.match(/[\p{L}\p{N}']+/gu) ?? []
}

/** `the saved recipes`: what is said of a thing and not what was done now. */
function isAttribute(words: readonly string[], at: number): boolean {
  return attributive.has(words[at - 1] ?? '')
}

function isDenied(words: readonly string[], at: number): boolean {
  const [next = '', second = ''] = words.slice(at + 1, at + 3)
  if (next === 'no' || nothing.has(next) || nothing.has(second)) return true
  const near = words.slice(Math.max(0, at - limits.nearWords), at)
  const anew = near.findLastIndex((word) => beginning.has(word))
  return near.slice(anew + 1).some((word) => denying.has(word) || word.endsWith("n't"))
}

/** `asked to have it saved`; what was asked for and then saved was saved. */
function isProposed(words: readonly string[], at: number): boolean {
  if (/^(?:was|were|been|got)$/.test(words[at - 1] ?? '')) return false
  const from = Math.max(0, at - limits.nearWords)
  const near = words.slice(from, at)
  const actor = near.findLastIndex((word) => actors.has(word))
  return near.some(
    (word, index) =>
      index > actor && isOpen(word) && !thing.test(word) && !isAttribute(words, from + index),
  )
}

function makesProposal(words: readonly string[], at: number): boolean {
  return words.slice(at + 1, at + 1 + limits.nearWords).some((word) => proposal.test(word))
}

const proposal = /^(?:propos|suggest|recommend|question|offer|draft|option|idea|plan)/
const thing = /^(?:plans?|questions?|offers?|requests?|errors?|confirmations?|proposals?)$/

const setOf = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))
const joining = setOf(smallWords.joining)
const beginning = setOf(smallWords.beginning)
const actors = setOf(smallWords.actors)
const nothing = setOf(smallWords.nothing)
const attributive = setOf(smallWords.attributive)
const denying = setOf(smallWords.denying)

type Form = 'claim' | 'past' | 'ongoing' | 'plain'

/** `claim` has to be true, `past` is the past form, `ongoing` is `saving`, `plain` is `save`. */
function kindsOf(form: Form, word: string): readonly ActionKind[] {
  return kinds[form].get(word) ?? []
}

const kinds: Readonly<Record<Form, Map<string, ActionKind[]>>> = {
  ...{ claim: new Map(), past: new Map(), ongoing: new Map(), plain: new Map() },
}

for (const [kind, verbs] of Object.entries(actionVerbs) as [ActionKind, string][])
  for (const verb of verbs.split(' ')) {
    const [base = '', ...irregular] = verb.replace('~', '').split('/')
    const pasts = irregular.length > 0 ? irregular : [regularPast(base)]
    for (const word of pasts) {
      note('past', word, kind)
      if (!verb.startsWith('~')) note('claim', word, kind)
    }
    note('plain', base, kind)
    note('ongoing', ongoingForm(base, pasts), kind)
  }

function note(form: Form, word: string, kind: ActionKind): void {
  kinds[form].set(word, [...kindsOf(form, word), kind])
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

/** The actions that a turn proves. `tellings` say what was done: an answer, history lines, a theme. */
export function provenActions(
  user: string,
  tellings: readonly string[],
  proven: ProvenByTurn,
): ReadonlySet<ActionKind> {
  const told = tellings.map((text) => actionsIn(text.slice(0, limits.tellingCharacters)))
  const known = new Set([...proven.kinds, ...told.flatMap(({ done }) => [...done])])
  // An answer that hands something over has made it, but where it says that it has not.
  if (tellings.some((text) => handsOver.test(text)) && !told.some(({ open }) => open.has('create')))
    known.add('create')
  for (const step of proven.steps) for (const kind of kindsOfStep(step)) known.add(kind)
  for (const kind of kindsOfUser(user)) known.add(kind)
  return known
}

function kindsOfStep({ description, outcome }: DoneStep): ReadonlySet<ActionKind> {
  const came = actionsIn(outcome)
  const kinds = new Set<ActionKind>(['complete', ...came.done])
  for (const clause of clausesOf(apart(description))) {
    const words = wordsOfClause(clause)
    for (const kind of kindsOf('plain', words[0] ?? '')) kinds.add(kind)
    for (const word of words)
      for (const kind of [...kindsOf('past', word), ...kindsOf('ongoing', word)]) kinds.add(kind)
  }
  for (const kind of came.open) if (!came.done.has(kind)) kinds.delete(kind)
  return kinds
}

/** Names of tools by their words: `recipes.save`, `saveRecipe`. */
function apart(description: string): string {
  return description.replaceAll(/(\p{Ll})(\p{Lu})/gu, '$1, $2').replaceAll(/[_./-]/g, ', ')
}

function kindsOfUser(user: string): readonly ActionKind[] {
  const small = smallLetters(user.slice(0, limits.userCharacters)).trim()
  const own = [...small.matchAll(ownDeed)].flatMap(({ 1: word = '' }) => kindsOf('past', word))
  return [
    ...own,
    ...(agreeing.test(small) ? decisions.active : []),
    ...(refusing.test(small) ? decisions.inactive : []),
  ]
}
