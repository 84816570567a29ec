import {
  type AskedQuestions,
  type ConversationAccess,
  nobodyAsked,
} from '../conversation/access.ts'
import {
  type AgentTurn,
  type AuthoredText,
  byRules,
  type HistoryLine,
  type Theme,
  type TurnRecord,
  type TurnRules,
} from '../domain/turn-memory.ts'
import type { Remembering } from './build-record.ts'
import type { Before } from './find-turn.ts'
import { foldHistory } from './fold-history.ts'
import {
  type AskedOfTurn,
  compressionQuestion,
  goalTheme,
  keptTheme,
  type ResponseQuestion,
  responseQuestion,
  type Told,
  type TurnQuestion,
  themeQuestion,
} from './questions.ts'
import { turnByRules } from './rule-lines.ts'
import { longBeginning } from './turn-text.ts'

export interface DescribedTurn extends Pick<AskedQuestions<Told>, 'calls' | 'costUsd' | 'asking'> {
  /** The past that it was described with. */
  readonly of: string
  readonly texts: Pick<Remembering, 'digest' | 'compressed' | 'history' | 'theme'>
  readonly asked: readonly AskedOfTurn[]
}

export interface DescribeTurn {
  readonly turn: AgentTurn
  readonly before: Before
  readonly rules: TurnRules
  readonly signal: AbortSignal | null
  /** Models were already asked about another past: rules describe this one. */
  readonly isLate: boolean
}

export async function describeTurn(
  access: ConversationAccess,
  given: DescribeTurn,
): Promise<DescribedTurn> {
  const { turn, before, rules, signal, isLate } = given
  const { knows, leaving, state } = before
  const response = responseQuestion(turn, rules)
  const oldest = leaving.at(-1) ?? null
  const earlier = foldedByRules(leaving.slice(0, -1), knows.history, rules)
  const theme = themeQuestion(knows.theme, turn, rules)
  const questions = [
    response.kind === 'ask' ? response.question : null,
    oldest === null ? null : compressionQuestion(oldest, earlier, rules),
    theme,
  ].filter((question) => question !== null)
  const { answers, ...account } = isLate
    ? nobodyAsked(questions)
    : await access.ask<Told>(questions, state.asking, signal)
  const answered = questions.map(({ kind, fallback }, index) => {
    const { value, by } = answers[index] ?? { value: fallback, by: byRules }
    return { ...value, kind, by }
  })
  const answerTo = (kind: TurnQuestion['kind']) =>
    answered.find((answer) => answer.kind === kind) ?? null
  const compressed = oldest === null ? null : compressedBy(oldest, answerTo('turn'))
  return {
    of: before.name,
    texts: {
      digest: digestOf(response, answerTo('response')),
      compressed,
      history:
        compressed === null
          ? earlier
          : foldHistory(earlier, lineOf(compressed), rules, answerTo('turn')?.folded ?? null),
      theme: theme === null ? knows.theme : newTheme(answerTo('theme'), given, access),
    },
    asked: answered.map(({ kind, by }) => ({ kind, by })),
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

function compressedBy(record: TurnRecord, told: AuthoredText | null): Compressed {
  const { turn } = record
  if (told === null || told.by === byRules) return { turn, text: turnByRules(record), by: byRules }
  return { turn, text: `${told.text}${longBeginning(record.user)}`, by: told.by }
}

function lineOf({ turn, text, by }: Compressed): HistoryLine {
  return { from: turn, to: turn + 1, text, by }
}

function digestOf(response: ResponseQuestion, told: AuthoredText | null): AuthoredText | null {
  if (response.kind === 'fixed') return { text: response.text, by: byRules }
  return told === null ? null : { text: told.text, by: told.by }
}

/** A model that fails leaves the theme as it is; where there is none at all, the goal is the theme. */
function newTheme(
  told: AuthoredText | null,
  { turn, before }: DescribeTurn,
  { hasModels }: ConversationAccess,
): Theme | null {
  if (told !== null && told.by !== byRules)
    return { text: told.text, by: told.by, turn: before.number }
  const { theme } = before.knows
  if (hasModels) return keptTheme(theme, turn, before.number)
  return goalTheme(turn, before.number) ?? theme
}
