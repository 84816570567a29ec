/** What the conversation is about, looked at anew behind a turn that matters. */
import type { AgentTurn } from '../domain/agent-turn.ts'
import { byRules, type Theme } from '../domain/turn-record.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import { sentenceCharacters } from '../summarizers/turns/outputs.ts'
import { themePrompt } from '../summarizers/turns/theme-prompt.ts'
import { sentenceJudge } from './judge/sentence-judge.ts'
import { newTurn } from './told-turn.ts'
import type { TurnQuestion } from './turn-question.ts'
import { beginning, bothEnds, safeLine } from './turn-words.ts'

/** Null where the turn is not significant. */
export function themeQuestion(
  theme: Theme | null,
  turn: AgentTurn,
  rules: TurnRules,
): TurnQuestion | null {
  if (!isSignificant(turn, rules)) return null
  const { sources, isUndone } = newTurn(turn)
  const request = themePrompt({
    theme: theme?.text ?? null,
    user: bothEnds(sources.user),
    assistant: beginning(sources.assistant),
  })
  return {
    kind: 'theme',
    request,
    judge: sentenceJudge({
      sources: {
        ...sources,
        others: [...sources.others, theme?.text ?? ''],
        tellings: [theme?.text ?? ''],
      },
      // A theme need not say that something is open, but must not tell that it is done.
      against: {
        prompt: request.system ?? '',
        leastWords: 2,
        undone: isUndone ? 'tells-no-deed' : null,
      },
      folded: () => null,
    }),
    fallback: { text: theme?.text ?? goalOf(turn), folded: null },
  }
}

/** Much to think of, or more than one step, planned or done. */
function isSignificant({ router, think, steps }: AgentTurn, rules: TurnRules): boolean {
  if (router?.complexity === 'high') return true
  return Math.max(think?.steps.length ?? 0, steps.length) >= rules.significantSteps
}

/** Where a model was asked and has not answered well: the theme stays, or the goal is the first. */
export function keptTheme(theme: Theme | null, turn: AgentTurn, turnNumber: number): Theme | null {
  return theme ?? goalTheme(turn, turnNumber)
}

/** Where there is no model at all: what a significant turn is for. Null where nobody said. */
export function goalTheme(turn: AgentTurn, turnNumber: number): Theme | null {
  const text = goalOf(turn)
  return text === '' ? null : { text, by: byRules, turn: turnNumber }
}

function goalOf({ router, think, userMessage }: AgentTurn): string {
  const goals = [think?.goal ?? '', router?.goal ?? '', userMessage]
  return safeLine(goals.find((goal) => goal.trim() !== '') ?? '', sentenceCharacters)
}
