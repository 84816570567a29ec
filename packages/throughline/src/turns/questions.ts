/**
 * The questions that models answer after a reply: digest, history line and theme. No model is
 * asked about a proposal, so none can report it as done.
 */
import type { ModelQuestion } from '../conversation/access.ts'
import {
  type AgentTurn,
  byRules,
  type HistoryLine,
  type Theme,
  type TurnRecord,
  type TurnRules,
} from '../domain/turn-memory.ts'
import { codePointsBeyond, lineOfText } from '../summarizers/read-answer.ts'
import {
  compressionPrompt,
  type Folding,
  longestSentenceCharacters,
  responsePrompt,
  sentenceCharacters,
  themePrompt,
} from '../summarizers/turns/prompts.ts'
import { readSentence } from '../summarizers/turns/read-sentence.ts'
import { charactersOf, foldedCharacters, linesToFold } from './fold-history.ts'
import { namesIn } from './judge/exact-names.ts'
import {
  type JudgedText,
  type JudgeRules,
  type JudgeSources,
  noSources,
  TextJudge,
} from './judge/judge-text.ts'
import { limits } from './limits-data.ts'
import { turnByRules } from './rule-lines.ts'
import { awaiting, restSigns } from './sentences-data.ts'
import { recordSources, turnSources } from './turn-sources.ts'
import {
  beforeSign,
  beginning,
  bothEnds,
  characterCount,
  firstCharacters,
  foldedText,
  plainWords,
  safeLine,
  wholeWords,
} from './turn-text.ts'

/** A question for a model, with the judge of its answer and the text that rules write instead. */
export interface TurnQuestion extends ModelQuestion<TurnAnswer> {
  readonly kind: 'response' | 'turn' | 'theme'
  readonly fallback: TurnAnswer
  /** Why answers were refused, in the order in which they were judged. */
  readonly refusals: readonly string[]
}

export interface TurnAnswer {
  readonly text: string
  /** The oldest history lines as one, if the question asked for it and the text is accepted. */
  readonly folded: string | null
}

export interface AskedOfTurn {
  readonly kind: TurnQuestion['kind']
  /** The model whose answer was accepted; `rules` if none was. */
  readonly by: string
  /** Why answers, or the folded history in them, were not used. */
  readonly refusals: readonly string[]
}

export type ResponseQuestion =
  | { readonly kind: 'as-is' }
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'ask'; readonly question: TurnQuestion }

export function responseQuestion(turn: AgentTurn, rules: TurnRules): ResponseQuestion {
  const decision = turn.think?.decision ?? 'plan_direct'
  if (decision !== 'plan_direct') return { kind: 'fixed', text: awaiting[decision] }
  // An answer with exactly this many characters stays unchanged.
  if (!codePointsBeyond(turn.finalResponse, rules.responseCharacters)) return { kind: 'as-is' }
  return { kind: 'ask', question: digestQuestion(turn) }
}

function digestQuestion(turn: AgentTurn): TurnQuestion {
  const { sources, outcomes, undone } = turnSources(turn)
  const names = namesIn(sources.assistant)
  const request = responsePrompt({ response: beginning(sources.assistant), names, outcomes })
  return sentenceQuestion('response', request, {
    sources,
    rules: { minWords: 3, undone },
    fallback: responseByRules(sources.assistant, names, turn.steps.length > 0),
  })
}

function responseByRules(response: string, names: readonly string[], hasSteps: boolean): string {
  const line = lineOfText(response)
  const start = wholeWords(firstCharacters(line, limits.shortAnswerCharacters), line)
  if (start.length === line.length) return start
  const cut = `${beforeSign(start)}${hasSteps ? restSigns.steps : restSigns.log}`
  const answerCharacters = characterCount(line)
  const cutNames = names.filter((name) => !start.includes(name))
  // The text must stay shorter than the answer, so the last names are dropped first.
  for (let count = cutNames.length; count > 0; count -= 1) {
    const text = `${cut} Also named: ${cutNames.slice(0, count).join(', ')}.`
    if (characterCount(text) < answerCharacters) return text
  }
  // For a short answer, the sign of a cut may be longer than the part that it replaces.
  return characterCount(cut) < answerCharacters ? cut : line
}

/** Null for a forgotten turn: `turnByRules` writes its line. */
export function compressionQuestion(
  record: TurnRecord,
  history: readonly HistoryLine[],
  rules: TurnRules,
  theme: Theme | null = null,
): TurnQuestion | null {
  if (record.forgotten) return null
  const { sources, outcomes, undone } = recordSources(record)
  const folding = foldingOf(history, rules)
  const request = compressionPrompt({
    theme: theme?.text ?? null,
    user: bothEnds(sources.user),
    assistant: beginning(sources.assistant),
    names: namesIn(sources.assistant),
    outcomes,
    folding,
  })
  return sentenceQuestion('turn', request, {
    sources: { ...sources, others: [...sources.others, theme?.text ?? ''] },
    rules: { minWords: 3, undone },
    fallback: turnByRules(record),
    folded: folding === null ? null : passageJudge(folding, request.system ?? ''),
  })
}

function foldingOf(history: readonly HistoryLine[], rules: TurnRules): Folding | null {
  if (charactersOf(history) + longestSentenceCharacters <= rules.historyCharacters) return null
  const lines = linesToFold(history, rules)
  if (lines.length === 0) return null
  return { lines: lines.map(lineText), mostCharacters: foldedCharacters(rules) }
}

function lineText({ from, to, text }: HistoryLine): string {
  return to - from === 1 ? `Turn ${from}: ${text}` : `Turns ${from}-${to - 1}: ${text}`
}

/** If a fold is refused, rules fold instead, and the sentence is still kept. */
function passageJudge({ lines, mostCharacters }: Folding, prompt: string): PassageJudge {
  const judge = new TextJudge({ ...noSources, lines })
  const minCharacters = characterCount(lines.join('')) * limits.minFoldedShare
  return (text) => {
    const judged = judge.passage(text, mostCharacters, { prompt, minWords: 3, undone: null })
    if (judged.kind === 'refused' || characterCount(judged.text) >= minCharacters) return judged
    return { kind: 'refused', reasons: ['too-short'] }
  }
}

/** `firstRequest` is the first message of the user, which says what the conversation is for. */
export function themeQuestion(
  theme: Theme | null,
  turn: AgentTurn,
  firstRequest: string,
): TurnQuestion {
  const { sources, undone } = turnSources(turn)
  const first = plainWords(firstRequest)
  const request = themePrompt({
    theme: theme?.text ?? null,
    first: first === sources.user ? '' : bothEnds(first),
    user: bothEnds(sources.user),
    assistant: beginning(sources.assistant),
  })
  const previousTheme = theme?.text ?? ''
  const others = [...sources.others, previousTheme, first]
  return sentenceQuestion('theme', request, {
    sources: { ...sources, others, reports: [previousTheme] },
    rules: { minWords: 2, undone: undone === null ? null : 'reports-no-action' },
    fallback: theme?.text ?? goalOf(turn, firstRequest),
  })
}

export function isSignificant({ router, think, steps }: AgentTurn, rules: TurnRules): boolean {
  if (router?.complexity === 'high') return true
  return Math.max(think?.steps.length ?? 0, steps.length) >= rules.significantSteps
}

/** The goal of a turn as its theme, written by rules (no LLM); null if the turn has none. */
export function goalTheme(turn: AgentTurn, turnNumber: number, firstRequest: string): Theme | null {
  const text = goalOf(turn, firstRequest)
  return text === '' ? null : { text, by: byRules, turn: turnNumber }
}

/** A goal in the words of the latest message (`Ok, which two?`) is no theme. */
function goalOf({ router, think, userMessage }: AgentTurn, firstRequest: string): string {
  const latest = foldedText(lineOfText(userMessage))
  const goals = [think?.goal ?? '', router?.goal ?? ''].filter(
    (goal) => !latest.startsWith(foldedText(beforeSign(lineOfText(goal)))),
  )
  return safeLine(goals[0] ?? firstRequest, sentenceCharacters)
}

type PassageJudge = (history: string) => JudgedText

interface AskedSentence {
  readonly sources: JudgeSources
  readonly rules: Omit<JudgeRules, 'prompt'>
  readonly fallback: string
  readonly folded?: PassageJudge | null
}

function sentenceQuestion(
  kind: TurnQuestion['kind'],
  request: ModelQuestion<TurnAnswer>['request'],
  { sources, rules, fallback, folded = null }: AskedSentence,
): TurnQuestion {
  const judge = new TextJudge(sources)
  const refusals: string[] = []
  const readAnswer: TurnQuestion['judge'] = (answer) => {
    const read = readSentence(answer)
    if (read.kind === 'refused')
      return { kind: 'refused', reasons: [`${read.reason}: ${read.message}`] }
    const { summary, history } = read.turn
    const judged = judge.sentence(summary, { ...rules, prompt: request.system ?? '' })
    if (judged.kind === 'refused') return judged
    const passage = history === null || folded === null ? null : folded(history)
    if (passage?.kind === 'refused')
      refusals.push(...passage.reasons.map((reason) => `history: ${reason}`))
    return {
      kind: 'ok',
      value: { text: judged.text, folded: passage?.kind === 'ok' ? passage.text : null },
    }
  }
  return {
    kind,
    request,
    judge: (answer) => {
      const judged = readAnswer(answer)
      if (judged.kind === 'refused') refusals.push(...judged.reasons)
      return judged
    },
    fallback: { text: fallback, folded: null },
    refusals,
  }
}
