/** Judges an answer about a turn against its sources; what is unfit is refused, and rules write it. */
import { isOpen } from '../../flow/gate/action-words.ts'
import { withoutThinking } from '../../flow/gate/draft-form.ts'
import { passageWords } from '../../flow/gate/draft-text.ts'
import { gate } from '../../flow/gate/gate.ts'
import { isEnglish, isOtherLanguage } from '../../flow/gate/language.ts'
import { type GateSource, indexSources, type SourceIndex } from '../../flow/gate/source-index.ts'
import { lineOfText } from '../../summarizers/read-answer.ts'
import { sentenceCharacters } from '../../summarizers/turns/prompts.ts'
import { oneSentence } from '../../summarizers/turns/read-sentence.ts'
import { limits } from '../limits-data.ts'
import { characterCount, plainWords } from '../turn-text.ts'
import { claimedActions, type ProvenByTurn, provenActions } from './claimed-actions.ts'
import { checkNames, KnownSpelling, numbersIn, standsIn } from './exact-names.ts'
import {
  type OpenAndDone,
  openInAnswer,
  openInLines,
  reportsAction,
  reportsOpen,
  reportsOpenAsDone,
} from './open-actions.ts'
import type { ActionKind } from './words-data.ts'

export interface JudgeRules {
  readonly prompt: string
  /** `Done.` describes nothing, however true it is. */
  readonly leastWords: number
  /** The turn did nothing: the text has to say so, or at least report no action. */
  readonly undone: 'says-so' | 'tells-no-deed' | null
}

type JudgedText =
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
      return refused(`unknown names: ${held.names.slice(0, limits.refusedNames).join(', ')}`)
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

/** Of files, symbols and ids; a plain word is looked at as a name. */
const exact = /[\d_./\\:@]|\p{Ll}\p{Lu}/u
const example = /"[^"]*"/g

/** The length was checked before; a greeting is shorter than the sentence about it. */
function anySize(mostCharacters: number) {
  return { limits: { tokens: mostCharacters }, replacedTokens: 2, meter: { text: () => 1 } }
}

function names(text: string, id: string): boolean {
  return /\D/.test(id) && standsIn(text, id)
}

function refused(reason: string): JudgedText {
  return { kind: 'refused', reasons: [reason] }
}

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

function isAbout(text: string, index: ReadSources['index']): boolean {
  const words = [...new Set(passageWords(text))].filter(
    (word) => word.length >= limits.wordCharacters && !frame.has(word) && !isOpen(word),
  )
  const known = words.filter((word) => index.hasStem(word))
  return words.length < limits.fewWords || known.length / words.length >= limits.knownShare
}

/** Who speaks, and words that join the others. Of asking and proposing, too, the answer need not speak. */
const frame: ReadonlySet<string> = new Set(
  'user assistant which what whether that this them they their with from into also each'.split(' '),
)

/** What a sentence after a reply may be about, read once when the first answer comes. */
export interface JudgeSources {
  readonly user: string
  readonly assistant: string
  readonly lines: readonly string[]
  /** What else is known: goals, outcomes of steps, labels, the theme before. */
  readonly others: readonly string[]
  readonly counts: readonly number[]
  /** What was done for certain: by steps, by writes, by the user. */
  readonly proven: ProvenByTurn
  readonly tellings: readonly string[]
  /** Ids that are in no database, which no sentence may reveal. */
  readonly temporaryIds: readonly string[]
}

export const noSources: JudgeSources = {
  user: '',
  assistant: '',
  lines: [],
  others: [],
  counts: [],
  proven: { steps: [], kinds: [] },
  tellings: [],
  temporaryIds: [],
}

interface ReadSources {
  readonly said: ReadonlySet<string>
  readonly spelling: KnownSpelling
  readonly index: SourceIndex
  readonly numbers: ReadonlySet<string>
  readonly openAndDone: OpenAndDone
  /** The proven actions; null where the language of the sources is not known here. */
  readonly deeds: ReadonlySet<ActionKind> | null
}

export function readSources(sources: JudgeSources): ReadSources {
  const { user, assistant, lines, others, counts, proven } = sources
  const texts = [assistant, user, ...lines, ...others].filter((text) => text !== '')
  const numbers = new Set(counts.map(String))
  for (const text of texts) for (const number of numbersIn(text)) numbers.add(number)
  const index = indexSources(texts.map((text) => gateSource(text, assistant)))
  const tellings = [assistant, ...lines, ...sources.tellings]
  const [inAnswer, inLines] = [openInAnswer(assistant), openInLines(lines)]
  return {
    said: new Set([user, assistant].map((text) => passageWords(text).join(' '))),
    spelling: new KnownSpelling(texts),
    index,
    numbers,
    openAndDone: {
      open: [...inAnswer.open, ...inLines.open],
      done: [...inAnswer.done, ...inLines.done],
      denied: inAnswer.denied,
    },
    deeds: isEnglish(index) ? provenActions(user, tellings, proven) : null,
  }
}

/** To repeat a sentence of the answer is no echo. */
function gateSource(text: string, assistant: string): GateSource {
  return { kind: 'summary', role: text === assistant ? 'assistant' : null, text }
}
