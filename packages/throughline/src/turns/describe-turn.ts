import { type AskedQuestions, type ConversationAccess, noAnswers } from '../conversation/access.ts'
import {
  type AgentTurn,
  type AuthoredText,
  byRules,
  type HistoryLine,
  type Theme,
  type TurnRecord,
  type TurnRules,
} from '../domain/turn-memory.ts'
import type { RecordInput } from './build-record.ts'
import type { FoundTurn } from './find-turn.ts'
import { foldHistory } from './fold-history.ts'
import {
  type AskedOfTurn,
  compressionQuestion,
  goalTheme,
  isSignificant,
  type ResponseQuestion,
  responseQuestion,
  type TurnAnswer,
  type TurnQuestion,
  themeQuestion,
} from './questions.ts'
import { turnByRules } from './rule-lines.ts'
import { readTurns } from './turn-context.ts'
import { longBeginning } from './turn-text.ts'

export interface DescribedTurn
  extends Pick<AskedQuestions<TurnAnswer>, 'calls' | 'costUsd' | 'asking'> {
  /** The `pastKey` of the turn that was found. */
  readonly pastKey: string
  readonly texts: Pick<RecordInput, 'digest' | 'compressed' | 'history' | 'theme'>
  readonly asked: readonly AskedOfTurn[]
}

export interface DescribeTurn {
  readonly turn: AgentTurn
  readonly found: FoundTurn
  readonly rules: TurnRules
  readonly signal: AbortSignal | null
  /** Asks no model: the turn is late or missed, or models were paid for an outdated past. */
  readonly byRules: boolean
}

export async function describeTurn(
  access: ConversationAccess,
  input: DescribeTurn,
): Promise<DescribedTurn> {
  const { turn, found, rules, signal } = input
  const { knows, leaving, state } = found
  const response = responseQuestion(turn, rules)
  // A model writes the line of one turn; rules write those of earlier ones.
  const newestLeaving = leaving.at(-1) ?? null
  const earlier = foldedByRules(leaving.slice(0, -1), knows.history, rules)
  const firstRequest = isSignificant(turn, rules) ? await firstRequestOf(access, input) : null
  const theme = firstRequest === null ? null : themeQuestion(knows.theme, turn, firstRequest)
  const questions = [
    response.kind === 'ask' ? response.question : null,
    newestLeaving === null ? null : compressionQuestion(newestLeaving, earlier, rules, knows.theme),
    theme,
  ].filter((question) => question !== null)
  const { answers, ...account } = input.byRules
    ? noAnswers(questions)
    : await access.ask<TurnAnswer>(questions, state.asking, signal)
  const answered = questions.map(({ kind, fallback, refusals }, index) => {
    const { value, by } = answers[index] ?? { value: fallback, by: byRules }
    return { ...value, kind, by, refusals }
  })
  const answerTo = (kind: TurnQuestion['kind']) =>
    answered.find((answer) => answer.kind === kind) ?? null
  const compressed = newestLeaving === null ? null : compressedBy(newestLeaving, answerTo('turn'))
  return {
    pastKey: found.pastKey,
    texts: {
      digest: digestOf(response, answerTo('response')),
      compressed,
      history:
        compressed === null
          ? earlier
          : foldHistory(earlier, lineOf(compressed), rules, answerTo('turn')?.folded ?? null),
      theme:
        firstRequest === null
          ? knows.theme
          : newTheme(answerTo('theme'), input, access.hasModels, firstRequest),
    },
    asked: answered.map(({ kind, by, refusals }) => ({ kind, by, refusals })),
    ...account,
  }
}

function foldedByRules(
  leaving: readonly TurnRecord[],
  history: readonly HistoryLine[],
  rules: TurnRules,
): readonly HistoryLine[] {
  return leaving.reduce(
    (lines, record) => foldHistory(lines, lineOf(compressedBy(record, null)), rules, null),
    history,
  )
}

type Compressed = NonNullable<TurnRecord['compressed']>

function compressedBy(record: TurnRecord, answer: AuthoredText | null): Compressed {
  const { turn } = record
  if (answer === null || answer.by === byRules)
    return { turn, text: turnByRules(record), by: byRules }
  return { turn, text: `${answer.text}${longBeginning(record.user)}`, by: answer.by }
}

function lineOf({ turn, text, by }: Compressed): HistoryLine {
  return { from: turn, to: turn + 1, text, by }
}

function digestOf(response: ResponseQuestion, answer: AuthoredText | null): AuthoredText | null {
  if (response.kind === 'fixed') return { text: response.text, by: byRules }
  return answer === null ? null : { text: answer.text, by: answer.by }
}

/** The first message of the user; empty if it was forgotten. */
async function firstRequestOf(
  access: ConversationAccess,
  { turn, found }: DescribeTurn,
): Promise<string> {
  if (found.number === 1) return turn.userMessage
  const [first] = await readTurns(access, 2, 1)
  return first?.user ?? ''
}

/** If the model fails, the theme stays. Without a model, the goal of the turn is the theme. */
function newTheme(
  answer: AuthoredText | null,
  { turn, found }: DescribeTurn,
  hasModels: boolean,
  firstRequest: string,
): Theme | null {
  if (answer !== null && answer.by !== byRules)
    return { text: answer.text, by: answer.by, turn: found.number }
  const { theme } = found.knows
  const byGoal = goalTheme(turn, found.number, theme === null ? firstRequest : '')
  return hasModels ? (theme ?? byGoal) : (byGoal ?? theme)
}
