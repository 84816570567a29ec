/**
 * Whether a text tells as done what was not done. Proposals are no completed actions: of a turn
 * that has only proposed, asked or failed, every clause that tells a deed must say so as well;
 * and of any turn, no clause may make a deed of what its source only proposed. Languages whose
 * words are not known here are told by rules where nothing was done.
 */
import { utterancesOf } from '../../extract/utterances.ts'
import { segmentsOfText, wordsOf } from '../../flow/gate/draft-text.ts'
import {
  type ActionKind,
  actionsIn,
  claimedActions,
  clausesOf,
  smallLetters,
} from './claimed-actions.ts'

/** Whether a clause tells a deed and nothing that was left open. */
export function reportsAction(text: string): boolean {
  // That a plan was saved is a deed, though a plan leaves open what is in it.
  return (
    clausesOf(text).some((clause) => isAction(clause) && !isOpen(clause)) ||
    claimedActions(text).some((kinds) => !kinds.some(isByUser))
  )
}

/** What users do in any turn, whatever came of it. */
function isByUser(kind: ActionKind): boolean {
  return kind === 'confirm' || kind === 'reject'
}

/** Whether it says at all that something was left open. */
export function reportsOpen(text: string): boolean {
  return clausesOf(text).some(isOpen)
}

/** What a source has left open, and what it tells as done: the words of each sentence. */
export interface OpenAndDone {
  readonly open: readonly ReadonlySet<string>[]
  readonly done: readonly ReadonlySet<string>[]
  /** What it says that was not done. */
  readonly denied: readonly ReadonlySet<string>[]
}

/** Of what an assistant said: what it would do, and what it did. */
export function openInAnswer(answer: string): OpenAndDone {
  const proposals = utterancesOf(answer, 'assistant').filter(
    ({ kind }) => kind === 'proposal' || kind === 'commitment',
  )
  const said = new Set(proposals.map(({ text }) => text))
  const others = segmentsOfText(answer.slice(0, answerCharacters)).filter((text) => !said.has(text))
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

/** As far as what is proposed in it is looked for. */
const answerCharacters = 200_000

/** Of lines of a history, by their clauses. */
export function openInLines(lines: readonly string[]): OpenAndDone {
  const clauses = lines.flatMap(clausesOf)
  return {
    open: clauses.filter(isOpen).map(contentWords),
    done: clauses.filter((clause) => isAction(clause) && !isOpen(clause)).map(contentWords),
    denied: [],
  }
}

const sharedWords = 0.6

/** Whether a deed of the text is nearer to what was left open than to what was done. */
export function reportsOpenAsDone(text: string, { open, done, denied }: OpenAndDone): boolean {
  return clausesOf(text)
    .filter((clause) => isAction(clause) && !isOpen(clause))
    .map(contentWords)
    .some((words) => {
      const proposed = nearest(words, [...open, ...denied])
      return proposed >= sharedWords && proposed > nearest(words, done)
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

/** Without the beginning that German gives to what is done: `gespeichert` is `speichern`. */
function stem(word: string): readonly string[] {
  const bare = word.length >= longWord && word.startsWith('ge') ? word.slice(2) : word
  return bare.length < stemCharacters ? [] : [bare.slice(0, stemCharacters)]
}

const stemCharacters = 4
const longWord = 7

/** Who did it, and when, is no part of what was done. */
const frame: ReadonlySet<string> = new Set([
  ...'assi user have been that this with will them they your then wurd werd'.split(' '),
  ...'用户助手已了的我会将',
])

/**
 * The words by which languages tell a deed, and those by which they leave one open: proposed,
 * asked for, not yet, failed. In small letters; a word that ends with a hyphen is the beginning
 * of one. Scripts without spaces have no edges of words, so theirs are found anywhere.
 */
function isAction(clause: string): boolean {
  return deed.test(clause) && !speech.test(clause)
}

export function isOpen(clause: string): boolean {
  return open.test(clause)
}

/** Such as a finished piece of work has in what is said of it. */
const actionWords = `
  done completed complete finished implemented ready added created fixed saved stored changed
  updated removed deleted moved renamed migrated deployed merged scheduled booked sent wrote
  written built made did found bought sold ran drew chose been was were i've we've
  erledigt fertig gespeichert angelegt erstellt hinzugefügt gelöscht geändert wurde wurden worden
  hat haben terminé- enregistré- créé- ajouté- supprimé- modifié- été fait
  hecho listo guardad- guardó cread- creó añadid- añadió eliminad- eliminó actualizad- ha han
  feito pronto salv- criad- criou adicion- remov- atualiz- foi foram
  fatto salvat- creat- aggiunt- eliminat- aggiornat- stato stata stati state
  gedaan klaar opgeslagen aangemaakt toegevoegd verwijderd heeft hebben werd werden
  сделан- сохран- создан- создал- добав- удал- готово обновил- обновлен-`

const actionSigns = '已|完成|保存了|创建了|完了|ました|した|했|됐|되었'

/** An English verb in its past, but for those that say how something is. */
const englishPast =
  '(?!(?:based|related|detailed|named|called|titled|mixed|limited|needed)(?!\\p{L}))[a-z]{2,20}[a-df-z]ed'

const openWords = `
  propos- suggest- recommend- offer- plan plans planned planning intend- would could should shall
  will await- wait waits waiting pending yet ask- clarif- question- confirm- want- wish- request-
  vorschl- vorgeschlagen schlug empf- angeboten bot soll- würde- könnte- frag- gefragt bestätig-
  wartet bat gebeten bittet wird
  suggér- recommand- offr- demand- attend attente pourrait devrait va
  propon- propus- propuest- sugir- suger- recomend- ofrec- pregunt- pidi- pide solicit- esper-
  podría debería
  propôs sugeriu ofereceu pergunt- pediu aguard- poderia
  propost- sugger- consigli- offert- chiest- chied- attesa conferm- potrebbe
  voorgesteld voorstel- aangeboden gevraagd vroeg wacht bevestig- zou
  предлож- рекоменд- спрос- попрос- запрос- ожида- ждет ждёт подтвержд- планир-
  fail- not can't couldn't didn't doesn't don't hasn't haven't isn't wasn't weren't won't unable
  error- nothing no without
  nicht kein- fehl- échou- pas erreur no falló ningun- não falh- non niet mislukt не ошибк-`

const openSigns =
  '提议|提出|建议|推荐|询问|请求|要求|等待|确认|计划|想要|希望|失败|未|没|无法|提案|推奨|尋ね|質問|依頼|確認|待ち|予定|求め|失敗|できな|なかった|제안|추천|물었|질문|요청|확인|기다|예정|못|않|실패'

/** To have said something is done with saying it. */
const speechWords = `
  explain- describ- listed lists answer- summaris- summariz- outlin- discuss- compar- show- present-
  provid- introduc- noted mention- respond- repli- stated greet- erklär- beschr- expliqu- décri-
  explic- descri- spieg- uitgelegd объясн-`

const deed = patternOf(actionWords, `(?<!\\p{L})${englishPast}(?!\\p{L})|${actionSigns}`)
const open = patternOf(openWords, openSigns)
const speech = patternOf(speechWords, '解释|介绍|说明|説明|설명')

function patternOf(words: string, others: string): RegExp {
  const each = words
    .trim()
    .split(/\s+/)
    .map((word) => (word.endsWith('-') ? word.slice(0, -1) : `${word}(?!\\p{L})`))
  return new RegExp(`(?<!\\p{L})(?:${each.join('|')})|${others}`, 'u')
}
