/**
 * What stands in place of an answer in contexts: the answer itself where it is short, a fixed
 * sentence where it proposed or asked something, and otherwise a sentence by a model. Nobody
 * is asked what a proposal has accomplished, so nobody can say that it was carried out.
 */
import type { AgentTurn } from '../domain/agent-turn.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import { codePointsBeyond } from '../summarizers/answer-text.ts'
import { responsePrompt } from '../summarizers/turns/response-prompt.ts'
import { namesIn } from './judge/names-in.ts'
import { sentenceJudge } from './judge/sentence-judge.ts'
import { responseByRules } from './response-by-rules.ts'
import { newTurn } from './told-turn.ts'
import type { TurnQuestion } from './turn-question.ts'
import { beginning } from './turn-words.ts'

export type ResponseQuestion =
  | { readonly kind: 'as-is' }
  | { readonly kind: 'fixed'; readonly text: string }
  | { readonly kind: 'ask'; readonly question: TurnQuestion }

export function responseQuestion(turn: AgentTurn, rules: TurnRules): ResponseQuestion {
  const decision = turn.think?.decision ?? 'plan_direct'
  if (decision !== 'plan_direct') return { kind: 'fixed', text: awaiting[decision] }
  // Strictly more: an answer of just so many characters stands as it is.
  if (!codePointsBeyond(turn.finalResponse, rules.responseCharacters)) return { kind: 'as-is' }
  return { kind: 'ask', question: asked(turn) }
}

const awaiting = {
  propose: 'Proposed a plan and awaiting user confirmation.',
  clarify: 'Asked clarifying questions and awaiting the answers of the user.',
} as const

function asked(turn: AgentTurn): TurnQuestion {
  const { sources, outcomes, isUndone } = newTurn(turn)
  const names = namesIn(sources.assistant)
  const request = responsePrompt({ response: beginning(sources.assistant), names, outcomes })
  const prompt = request.system ?? ''
  return {
    kind: 'response',
    request,
    judge: sentenceJudge({
      sources,
      against: { prompt, leastWords: 3, undone: isUndone ? 'says-so' : null },
      folded: () => null,
    }),
    fallback: {
      text: responseByRules(sources.assistant, names, turn.steps.length > 0),
      folded: null,
    },
  }
}
