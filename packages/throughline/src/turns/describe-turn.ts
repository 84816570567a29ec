/** What is told in short with a turn: its response, the turns that are full no longer, the theme. */
import type { Internals } from '../conversation/runtime.ts'
import type { AgentTurn } from '../domain/agent-turn.ts'
import { type AskState, newAskState } from '../domain/asking.ts'
import type { ModelAttempt } from '../domain/model-attempt.ts'
import {
  byRules,
  type HistoryLine,
  type Theme,
  type ToldText,
  type TurnRecord,
} from '../domain/turn-record.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import { spentLately, spentOn } from '../flow/summarize/spent-lately.ts'
import { type AskedOfTurn, askAbout, nobodyAsked, type TurnQuestion } from './ask-models.ts'
import type { Before } from './find-turn.ts'
import { foldHistory } from './fold-history.ts'
import {
  compressionQuestion,
  goalTheme,
  keptTheme,
  type ResponseQuestion,
  responseQuestion,
  themeQuestion,
} from './questions.ts'
import { turnByRules } from './rule-lines.ts'
import { longBeginning } from './turn-text.ts'

export interface DescribedTurn {
  /** The past that it was told of. */
  readonly of: string
  readonly texts: DescribedTexts
  readonly asked: readonly AskedOfTurn[]
  readonly attempts: readonly ModelAttempt[]
  /** Beside what others have asked meanwhile; null where nobody was asked. */
  asking(now: AskState | null, at: number): AskState | null
}

interface DescribedTexts {
  readonly digest: ToldText | null
  readonly compressed: TurnRecord['compressed']
  readonly history: readonly HistoryLine[]
  readonly theme: Theme | null
}

export interface DescribeTurn {
  readonly turn: AgentTurn
  readonly before: Before
  readonly rules: TurnRules
  readonly signal: AbortSignal | null
  /** Models were asked for another past already: rules tell this one. */
  readonly isLate: boolean
}

export async function describeTurn(inside: Internals, tell: DescribeTurn): Promise<DescribedTurn> {
  const { turn, before, rules, signal, isLate } = tell
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
  const answered = isLate
    ? nobodyAsked(questions)
    : await askAbout(questions, state.asking, signal, inside)
  const answerTo = (kind: TurnQuestion['kind']) =>
    answered.answers.find((answer) => answer.kind === kind) ?? null
  const compressed = oldest === null ? null : compressedBy(oldest, answerTo('turn'))
  const { attempts, breaker } = answered
  return {
    of: before.name,
    texts: {
      digest: digestOf(response, answerTo('response')),
      compressed,
      history:
        compressed === null
          ? earlier
          : foldHistory(earlier, lineOf(compressed), rules, answerTo('turn')?.folded ?? null),
      theme: theme === null ? knows.theme : newTheme(answerTo('theme'), tell, inside),
    },
    asked: answered.answers.map(({ kind, by }) => ({ kind, by })),
    attempts,
    asking: (now, at) => {
      if (attempts.length === 0) return null
      const { spent, ...others } = now ?? newAskState
      return { ...others, breaker, spent: [...spentLately(spent, at), ...spentOn(attempts)] }
    },
  }
}

/** Several leave at once where the rules have changed: nobody is asked about all of them. */
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

function compressedBy(record: TurnRecord, told: ToldText | null): Compressed {
  const { turn } = record
  if (told === null || told.by === byRules) return { turn, text: turnByRules(record), by: byRules }
  return { turn, text: `${told.text}${longBeginning(record.user)}`, by: told.by }
}

function lineOf({ turn, text, by }: Compressed): HistoryLine {
  return { from: turn, to: turn + 1, text, by }
}

function digestOf(response: ResponseQuestion, told: ToldText | null): ToldText | null {
  if (response.kind === 'fixed') return { text: response.text, by: byRules }
  return told === null ? null : { text: told.text, by: told.by }
}

/** A model that fails leaves the theme as it is; where there is none at all, the goal is the theme. */
function newTheme(
  told: ToldText | null,
  { turn, before }: DescribeTurn,
  { front }: Internals,
): Theme | null {
  if (told !== null && told.by !== byRules)
    return { text: told.text, by: told.by, turn: before.number }
  const { theme } = before.knows
  return front.settings.writers.length === 0
    ? (goalTheme(turn, before.number) ?? theme)
    : keptTheme(theme, turn, before.number)
}
