/**
 * An answer behind a reply, held against what it tells of. No prompt makes sure that names are
 * exact and that a proposal is told as one, so both are looked at here; what is not fit is
 * refused, and the rules tell it.
 */

import { isOpen } from '../../flow/gate/action-words.ts'
import { withoutThinking } from '../../flow/gate/draft-form.ts'
import { passageWords } from '../../flow/gate/draft-text.ts'
import { gate } from '../../flow/gate/gate.ts'
import { isOtherLanguage } from '../../flow/gate/language.ts'
import { lineOfText } from '../../summarizers/answer-text.ts'
import { oneSentence } from '../../summarizers/turns/one-sentence.ts'
import { sentenceCharacters } from '../../summarizers/turns/outputs.ts'
import { characterCount, plainWords } from '../turn-text.ts'
import { claimedActions } from './claimed-actions.ts'
import { checkNames, standsIn } from './exact-names.ts'
import { type JudgeSources, type ReadSources, readSources } from './judge-sources.ts'
import { reportsAction, reportsOpen, reportsOpenAsDone } from './open-actions.ts'

export interface JudgeRules {
  /** Instructions, to know an echo of them. */
  readonly prompt: string
  /** `Done.` stands for nothing, however true it is. */
  readonly leastWords: number
  /** What it tells was not done: it has to say so, or at least to tell no deed. */
  readonly undone: 'says-so' | 'tells-no-deed' | null
}

export type JudgedText =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }

export class TextJudge {
  readonly #sources: JudgeSources
  #read: ReadSources | null = null

  constructor(sources: JudgeSources) {
    this.#sources = sources
  }

  sentence(text: string, against: JudgeRules): JudgedText {
    const said = withoutThinking(text).text
    if (said === '') return refused('thinking-only')
    const sentence = oneSentence(said)
    if (sentence === null) return refused('not one sentence')
    return this.#judged(sentence, sentenceCharacters, against)
  }

  /** More than a sentence, in a line. */
  passage(text: string, mostCharacters: number, against: JudgeRules): JudgedText {
    return this.#judged(lineOfText(text.replaceAll('**', '')), mostCharacters, against)
  }

  #judged(text: string, mostCharacters: number, against: JudgeRules): JudgedText {
    const characters = characterCount(text)
    if (characters > mostCharacters)
      return refused(`over-limit: ${characters} of ${mostCharacters} characters`)
    this.#read ??= readSources(this.#sources)
    const gated = this.#gated(text, mostCharacters, against, this.#read)
    if (gated.kind === 'refused') return gated
    const held = checkNames(gated.text, this.#read)
    if (held.kind === 'unknown')
      return refused(`unknown names: ${held.names.slice(0, mostNamed).join(', ')}`)
    const reason = untrue(held.text, against, this.#read)
    return reason === null ? { kind: 'ok', text: plainWords(held.text) } : refused(reason)
  }

  #gated(text: string, mostCharacters: number, against: JudgeRules, read: ReadSources): JudgedText {
    const { prompt, leastWords } = against
    const { index } = read
    const leaked = this.#sources.temporaryIds.find((id) => names(text, id))
    if (leaked !== undefined) return refused(`temporary id: ${leaked}`)
    const outcome = gate(
      { text, keyPoints: [], facets: null },
      {
        ...anySize(mostCharacters),
        sources: index,
        pins: [],
        // Examples are looked at apart: a conversation may be about just that.
        asked: { prompt: prompt.replaceAll(example, ' '), finish: 'stop', unread: null },
      },
    )
    if (outcome.kind === 'refused')
      return {
        kind: 'refused',
        reasons: outcome.reasons.map(({ reason, detail }) =>
          detail === null ? reason : `${reason}: ${detail}`,
        ),
      }
    const words = passageWords(text)
    if (words.length < leastWords) return refused('too-short')
    if (read.said.has(words.join(' '))) return refused('echo')
    if (isExample(text, prompt) && !isAbout(text, index)) return refused('echo')
    if (!isAbout(text, index) && !isOtherLanguage(text, index)) return refused('other-conversation')
    const doubt = outcome.marks.find(
      (mark) =>
        mark.kind === 'proposal-as-done' || (mark.kind === 'unknown-name' && exact.test(mark.text)),
    )
    if (doubt !== undefined) return refused(`${doubt.kind}: ${doubt.text}`)
    return { kind: 'ok', text: outcome.draft.text }
  }
}

const mostNamed = 5
/** Of files, symbols and ids; a plain word is looked at as a name. */
const exact = /[\d_./\\:@]|\p{Ll}\p{Lu}/u
const example = /"[^"]*"/g

/** How long it may be was asked before; a greeting is shorter than the sentence that tells it. */
function anySize(mostCharacters: number) {
  return { limits: { tokens: mostCharacters }, replacedTokens: 2, meter: { text: () => 1 } }
}

/** A plain number would be found in every other sentence. */
function names(text: string, id: string): boolean {
  return /\D/.test(id) && standsIn(text, id)
}

function refused(reason: string): JudgedText {
  return { kind: 'refused', reasons: [reason] }
}

/** Why it is; null where it tells no more than was done. */
function untrue(
  text: string,
  { undone }: JudgeRules,
  { openAndDone, deeds }: ReadSources,
): string | null {
  // Who says what comes next, and of nothing that it is done, has done nothing.
  const hasOnlyOpen = openAndDone.open.length > 0 && openAndDone.done.length === 0
  if ((undone !== null || hasOnlyOpen) && reportsAction(text)) return 'told as done'
  if (undone === 'says-so' && !reportsOpen(text)) return 'not told as open'
  if (reportsOpenAsDone(text, openAndDone)) return 'a proposal told as done'
  const isProven = claimedActions(text).every((kinds) => kinds.some((kind) => deeds?.has(kind)))
  return isProven || deeds === null ? null : 'a deed that nobody did'
}

function isExample(text: string, prompt: string): boolean {
  const words = ` ${passageWords(text).join(' ')} `
  return (prompt.match(example) ?? []).some((said) =>
    ` ${passageWords(said).join(' ')} `.includes(words),
  )
}

const fewWords = 3
const wordCharacters = 4
const knownShare = 0.25

/** Whether enough of its words stand in the sources; of a few words nobody can tell. */
function isAbout(text: string, index: ReadSources['index']): boolean {
  const words = [...new Set(passageWords(text))].filter(
    (word) => word.length >= wordCharacters && !frame.has(word) && !isOpen(word),
  )
  const known = words.filter((word) => index.hasStem(word))
  return words.length < fewWords || known.length / words.length >= knownShare
}

/** Who speaks, and words that join the others. Of asking and proposing, too, the answer need not speak. */
const frame: ReadonlySet<string> = new Set(
  'user assistant which what whether that this them they their with from into also each'.split(' '),
)
