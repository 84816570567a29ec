/**
 * What the agent waits for behind a turn. The digest of a proposal is a fixed sentence, so the
 * proposal itself stands here, word for word within a limit: whoever plans the next step has
 * to see what the user says yes to.
 */
import type { AgentTurn, Thought, TurnEntity } from '../domain/agent-turn.ts'
import { isBacked } from '../domain/entity.ts'
import type { PendingDecision } from '../domain/pending-decision.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import { characterCount, cutCharacters } from './characters.ts'
import { withoutSecrets } from './turn-words.ts'

/** Without a thought nothing was decided, and what was pending stays. */
export function pendingDecision(
  turn: AgentTurn,
  turnNumber: number,
  before: PendingDecision | null,
  rules: TurnRules,
): PendingDecision | null {
  const { think } = turn
  if (think === null) return before
  if (think.decision === 'plan_direct') return null
  const most = rules.proposalCharacters
  return {
    kind: think.decision,
    turn: turnNumber,
    goal: safe(think.goal === '' ? (turn.router?.goal ?? '') : think.goal, most),
    proposal: think.decision === 'propose' ? safe(proposalOf(think, turn), most) : null,
    assumptions: within(think.assumptions, most),
    questions: within(questionsOf(think, turn), most),
    partialPlan: within(think.steps, most),
    entityIds: [...new Set(turn.entities.filter(isWaiting).map(({ id }) => id))],
  }
}

function proposalOf({ proposalMessage }: Thought, { finalResponse }: AgentTurn): string {
  return proposalMessage === null || proposalMessage.trim() === '' ? finalResponse : proposalMessage
}

/** Who asks without a list of questions has asked them in the answer. */
function questionsOf({ decision, clarificationQuestions }: Thought, { finalResponse }: AgentTurn) {
  if (decision !== 'clarify' || clarificationQuestions.length > 0) return clarificationQuestions
  return [finalResponse]
}

/** Together at most so many characters; the first ones whole. */
function within(lines: readonly string[], most: number): readonly string[] {
  const kept: string[] = []
  let room = most
  for (const line of lines) {
    const told = safe(line, room)
    if (told !== '') kept.push(told)
    room -= characterCount(told)
    if (room <= 0) break
  }
  return kept
}

/** Word for word, but for secrets. */
function safe(text: string, most: number): string {
  return cutCharacters(withoutSecrets(text), most)
}

function isWaiting({ state, source, action, succeeded }: TurnEntity): boolean {
  if (action === 'delete' || !succeeded) return false
  return state === null ? !isBacked({ source }) : state === 'pending'
}
