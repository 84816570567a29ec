/** Judges a model answer about a turn against its sources. Rules replace a refused answer. */
import { isOpen } from '../../flow/gate/action-words.ts'
import { withoutThinking } from '../../flow/gate/draft-form.ts'
import { passageWords } from '../../flow/gate/draft-text.ts'
import { gate } from '../../flow/gate/gate.ts'
import { isEnglish, isOtherLanguage } from '../../flow/gate/language.ts'
import { type GateSource, indexSources, type SourceIndex } from '../../flow/gate/source-index.ts'
import { lineOfText } from '../../summarizers/read-answer.ts'
import { longestSentenceCharacters } from '../../summarizers/turns/prompts.ts'
import { endAtClause, oneSentence } from '../../summarizers/turns/read-sentence.ts'
import { limits } from '../limits-data.ts'
import { characterCount, plainWords } from '../turn-text.ts'
import {
  changesThings,
  claimedActions,
  type ProvenByTurn,
  provenActions,
  reportedByUser,
  splitSpeakers,
  type UserReport,
} from './claimed-actions.ts'
import {
  checkNames,
  hasWholeWord,
  KnownSpelling,
  numbersIn,
  spelledNumbersIn,
} from './exact-names.ts'
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
  /** A shorter text, such as `Done.`, describes nothing. */
  readonly minWords: number
  /**
   * Set if the turn completed nothing: the text must say so, or must report no action. `in-part`:
   * it completed steps and ended with a proposal or a question, which the text must mention.
   */
  readonly undone: 'says-so' | 'reports-no-action' | 'in-part' | null
}

export type JudgedText =
  | { readonly kind: 'ok'; readonly text: string }
  | { readonly kind: 'refused'; readonly reasons: readonly string[] }

export class TextJudge {
  readonly #sources: JudgeSources
  #prepared: PreparedSources | null = null

  constructor(sources: JudgeSources) {
    this.#sources = sources
  }

  sentence(text: string, rules: JudgeRules): JudgedText {
    const answer = withoutThinking(text).text
    if (answer === '') return refused('thinking-only')
    const sentence = oneSentence(answer)
    if (sentence === null) return refused('not one sentence')
    const isLong = characterCount(sentence) > longestSentenceCharacters
    const kept = isLong ? endAtClause(sentence, longestSentenceCharacters) : null
    return this.#judge(kept ?? sentence, longestSentenceCharacters, rules)
  }

  passage(text: string, maxCharacters: number, rules: JudgeRules): JudgedText {
    return this.#judge(lineOfText(text.replaceAll('**', '')), maxCharacters, rules)
  }

  #judge(text: string, maxCharacters: number, rules: JudgeRules): JudgedText {
    const characters = characterCount(text)
    if (characters > maxCharacters)
      return refused(`over-limit: ${characters} of ${maxCharacters} characters`)
    this.#prepared ??= prepareSources(this.#sources)
    const gated = this.#passGate(text, maxCharacters, rules, this.#prepared)
    if (gated.kind === 'refused') return gated
    const checked = checkNames(gated.text, this.#prepared)
    if (checked.kind === 'unknown')
      return refused(`unknown names: ${checked.names.slice(0, limits.refusedNames).join(', ')}`)
    const reason = untruthIn(checked.text, rules, this.#prepared)
    return reason === null ? { kind: 'ok', text: plainWords(checked.text) } : refused(reason)
  }

  #passGate(
    text: string,
    maxCharacters: number,
    rules: JudgeRules,
    prepared: PreparedSources,
  ): JudgedText {
    const { prompt, minWords } = rules
    const { index } = prepared
    const leaked = this.#sources.temporaryIds.find((id) => /\D/.test(id) && hasWholeWord(text, id))
    if (leaked !== undefined) return refused(`temporary id: ${leaked}`)
    const outcome = gate(
      { text, keyPoints: [], facets: null },
      {
        ...anySize(maxCharacters),
        sources: index,
        pins: [],
        // `isExample` checks examples, because a conversation may be about the same thing.
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
    if (words.length < minWords) return refused('too-short')
    if (prepared.wholeTexts.has(words.join(' '))) return refused('echo')
    if (isExample(text, prompt) && !isAbout(text, index)) return refused('echo')
    if (!isAbout(text, index) && !isOtherLanguage(text, index)) return refused('other-conversation')
    const doubt = outcome.marks.find(
      (mark) =>
        mark.kind === 'proposal-as-done' ||
        (mark.kind === 'unknown-name' && exactName.test(mark.text)),
    )
    if (doubt !== undefined) return refused(`${doubt.kind}: ${doubt.text}`)
    return { kind: 'ok', text: outcome.draft.text }
  }
}

/** Names of files, symbols and ids; `checkNames` checks plain words. */
const exactName = /[\d_./\\:@]|\p{Ll}\p{Lu}/u
const example = /"[^"]*"/g

/** Turns off the size rules of the gate: a sentence may be longer than the text it describes. */
function anySize(maxCharacters: number) {
  return { limits: { tokens: maxCharacters }, replacedTokens: 2, meter: { text: () => 1 } }
}

function refused(reason: string): JudgedText {
  return { kind: 'refused', reasons: [reason] }
}

function untruthIn(
  text: string,
  { undone }: JudgeRules,
  { openAndDone, provenKinds, userReport, hasChanged }: PreparedSources,
): string | null {
  // An answer that only announces actions has completed none, unless steps did.
  const hasOnlyOpen = openAndDone.open.length > 0 && openAndDone.done.length === 0 && !hasChanged
  const isUndone = undone === 'says-so' || undone === 'reports-no-action'
  if ((isUndone || hasOnlyOpen) && reportsAction(text, userReport)) return 'reported as done'
  const mustSayOpen = undone === 'says-so' || undone === 'in-part'
  if (mustSayOpen && !reportsOpen(text)) return 'not reported as open'
  if (reportsOpenAsDone(text, openAndDone)) return 'a proposal reported as done'
  const { ofUser, ofOthers } = splitSpeakers(text)
  const isKnown = (kind: ActionKind) => provenKinds?.has(kind)
  const isProven =
    claimedActions(ofOthers).every((kinds) => kinds.some(isKnown)) &&
    claimedActions(ofUser).every((kinds) =>
      kinds.some((kind) => isKnown(kind) || userReport.kinds.has(kind)),
    )
  return isProven || provenKinds === null ? null : 'an unproven action'
}

function isExample(text: string, prompt: string): boolean {
  const words = ` ${passageWords(text).join(' ')} `
  return (prompt.match(example) ?? []).some((quoted) =>
    ` ${passageWords(quoted).join(' ')} `.includes(words),
  )
}

function isAbout(text: string, index: PreparedSources['index']): boolean {
  const words = [...new Set(passageWords(text))].filter(
    (word) => word.length >= limits.wordCharacters && !frame.has(word) && !isOpen(word),
  )
  const known = words.filter((word) => index.hasStem(word))
  return words.length < limits.minTopicWords || known.length / words.length >= limits.minKnownShare
}

/** Words for the speakers, and function words: sources need not contain them. */
const frame: ReadonlySet<string> = new Set(
  'user assistant which what whether that this them they their with from into also each'.split(' '),
)

/** The texts and facts that support a sentence after a reply. */
export interface JudgeSources {
  readonly user: string
  readonly assistant: string
  readonly lines: readonly string[]
  /** Goals, outcomes of steps, labels, the previous theme. */
  readonly others: readonly string[]
  readonly counts: readonly number[]
  /** Actions that steps, writes or the user prove. */
  readonly proven: ProvenByTurn
  /** Texts besides answer and lines that report actions. */
  readonly reports: readonly string[]
  /** Ids that no database has; no sentence may contain one. */
  readonly temporaryIds: readonly string[]
}

export const noSources: JudgeSources = {
  user: '',
  assistant: '',
  lines: [],
  others: [],
  counts: [],
  proven: { steps: [], kinds: [] },
  reports: [],
  temporaryIds: [],
}

/** Sources, prepared once for all answers. */
interface PreparedSources {
  /** The complete user message and answer, which a sentence must not repeat. */
  readonly wholeTexts: ReadonlySet<string>
  readonly spelling: KnownSpelling
  readonly index: SourceIndex
  readonly numbers: ReadonlySet<string>
  readonly openAndDone: OpenAndDone
  /** Whether a completed step changed something. */
  readonly hasChanged: boolean
  /** The proven actions; null if the sources are not in English. */
  readonly provenKinds: ReadonlySet<ActionKind> | null
  readonly userReport: UserReport
}

export function prepareSources(sources: JudgeSources): PreparedSources {
  const { user, assistant, lines, others, counts, proven } = sources
  const texts = [assistant, user, ...lines, ...others].filter((text) => text !== '')
  const numbers = new Set(counts.map(String))
  for (const text of texts)
    for (const number of [...numbersIn(text), ...spelledNumbersIn(text)]) numbers.add(number)
  const index = indexSources(texts.map((text) => gateSource(text, assistant)))
  const reports = [assistant, ...lines, ...sources.reports]
  const [inAnswer, inLines] = [openInAnswer(assistant), openInLines(lines)]
  return {
    wholeTexts: new Set([user, assistant].map((text) => passageWords(text).join(' '))),
    spelling: new KnownSpelling(texts),
    index,
    numbers,
    openAndDone: {
      open: [...inAnswer.open, ...inLines.open],
      done: [...inAnswer.done, ...inLines.done],
      denied: inAnswer.denied,
    },
    hasChanged: proven.steps.some(changesThings),
    provenKinds: isEnglish(index) ? provenActions(user, reports, proven) : null,
    userReport: reportedByUser([user, ...lines, ...sources.reports]),
  }
}

/** Marks the answer as the assistant's, because repeating one of its sentences is no echo. */
function gateSource(text: string, assistant: string): GateSource {
  return { kind: 'summary', role: text === assistant ? 'assistant' : null, text }
}
