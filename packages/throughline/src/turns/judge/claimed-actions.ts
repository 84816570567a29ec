/**
 * The deeds that an English text tells, each as done or as left open: a verb in its past form,
 * and a few words before it that deny it or put it off.
 */
import { isOpen } from '../../flow/gate/action-words.ts'

interface ReadActions {
  readonly done: ReadonlySet<ActionKind>
  readonly open: ReadonlySet<ActionKind>
}

/** What a source says that was done. In doubt it says nothing. */
export function actionsIn(source: string): ReadActions {
  const done = new Set<ActionKind>()
  const open = new Set<ActionKind>()
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
export function claimedActions(sentence: string): readonly (readonly ActionKind[])[] {
  return clausesOf(sentence).flatMap((clause) => {
    const words = wordsOfClause(clause)
    return words.flatMap((word, at) => {
      const kinds = claimKinds(word)
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

/**
 * English verbs of deeds that change something beyond the answer, so that nobody may tell one
 * that nobody did. Verbs of a line tell the same deed in other words. Behind `~` stand those
 * that bear a deed out and are not held to it themselves: to have made a suggestion is no deed.
 */
const lines = {
  save: 'save store record log/logged register persist insert add ~put/put ~keep/kept',
  create:
    'create insert add build/built ~design ~generate ~write/wrote/written ~draft ~compose ~produce ~develop ~prepare ~make/made',
  delete: 'delete remove erase clear discard ~drop/dropped',
  update: 'update change modify edit ~adjust ~revise ~correct ~fix ~rename ~replace ~move',
  confirm: 'confirm approve accept ~agree',
  reject: 'reject decline',
  complete: 'complete finish ~do/did/done',
  order: 'order buy/bought purchase',
  send: 'send/sent email mail',
  book: 'book schedule reserve',
  cancel: 'cancel/cancelled/canceled',
  publish: 'publish deploy release launch ship/shipped',
  rename: 'rename',
  replace: 'replace',
  move: 'move transfer',
  copy: 'copy duplicate',
  fix: 'fix repair',
  merge: 'merge',
  migrate: 'migrate',
  install: 'install',
  implement: 'implement',
  import: 'import',
  export: 'export',
  upload: 'upload',
  download: 'download',
  submit: 'submit/submitted',
  archive: 'archive',
  restore: 'restore',
  pay: 'pay/paid',
} as const

export type ActionKind = keyof typeof lines

/** The kinds of which a text that has the word is held to tell the truth. */
function claimKinds(word: string): readonly ActionKind[] {
  return held.get(word) ?? []
}

/** The kinds that the word bears out, in its past form. */
export function pastKinds(word: string): readonly ActionKind[] {
  return past.get(word) ?? []
}

/** The same where it says what is going on (`saving`), or what to do (`save`). */
export function ongoingKinds(word: string): readonly ActionKind[] {
  return ongoing.get(word) ?? []
}

export function plainKinds(word: string): readonly ActionKind[] {
  return plain.get(word) ?? []
}

type KindsOfWords = Map<string, ActionKind[]>
const held: KindsOfWords = new Map()
const past: KindsOfWords = new Map()
const ongoing: KindsOfWords = new Map()
const plain: KindsOfWords = new Map()

for (const [kind, verbs] of Object.entries(lines) as [ActionKind, string][])
  for (const verb of verbs.split(' ')) {
    const [base = '', ...irregular] = verb.replace('~', '').split('/')
    const pasts = irregular.length > 0 ? irregular : [regularPast(base)]
    for (const word of pasts) {
      note(past, word, kind)
      if (!verb.startsWith('~')) note(held, word, kind)
    }
    note(plain, base, kind)
    note(ongoing, ongoingForm(base, pasts), kind)
  }

function note(kinds: KindsOfWords, word: string, kind: ActionKind): void {
  kinds.set(word, [...(kinds.get(word) ?? []), kind])
}

function regularPast(base: string): string {
  if (base.endsWith('e')) return `${base}d`
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${base}ed`
}

/** Letters that are doubled for the past are doubled here as well. */
function ongoingForm(base: string, [first = '']: readonly string[]): string {
  const doubled = first === `${base}${base.at(-1)}ed` ? base.slice(-1) : ''
  return `${base.replace(/e$/, '')}${doubled}ing`
}

/** A text by its clauses, in small letters: each can tell a deed, or leave one open. */
export function clausesOf(text: string): readonly string[] {
  return smallLetters(text).split(
    /[;,.:!?、，；：。！？]|\s(?:and|then|und|dann|et|puis|y|luego|e|poi|en|и|затем)\s/,
  )
}

export function smallLetters(text: string): string {
  return text.toLowerCase().replaceAll('’', "'")
}
