/** A turn, what was known before it and what was told of it: as the record that is kept. Pure. */
import type { AgentTurn } from '../domain/agent-turn.ts'
import type { Span } from '../domain/span.ts'
import type {
  HistoryLine,
  StepRecord,
  Theme,
  ToldText,
  TurnKnowledge,
  TurnRecord,
} from '../domain/turn-record.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'
import { collectEntities } from './entities/collect-entities.ts'
import { type MergedEntities, mergeEntities } from './entities/merge-entities.ts'
import { touchMentioned } from './entities/touch-mentioned.ts'
import { pendingDecision } from './pending-decision.ts'
import { stepRecords } from './step-records.ts'
import { turnAudit } from './turn-audit.ts'

export interface Remembering {
  readonly turn: AgentTurn
  readonly number: number
  readonly key: string | null
  readonly messages: Span
  readonly at: number
  readonly before: TurnKnowledge
  /** The response in short, where it is long. */
  readonly digest: ToldText | null
  /** Of the turn that is full no longer. */
  readonly compressed: TurnRecord['compressed']
  readonly history: readonly HistoryLine[]
  readonly theme: Theme | null
  readonly rules: TurnRules
}

/** What a turn has done to entities, by their ids. */
export interface EntityChanges extends Omit<MergedEntities, 'entities'> {
  /** Marked, because nobody spoke of them for too long. */
  readonly deactivated: readonly string[]
  /** Forgotten, because they were inactive for too long. */
  readonly removed: readonly string[]
}

export interface RememberedTurnRecord {
  readonly record: TurnRecord
  readonly steps: readonly StepRecord[]
  readonly entities: EntityChanges
}

export const nothingKnown: TurnKnowledge = { theme: null, history: [], pending: null, entities: [] }

export function remember(input: Remembering): RememberedTurnRecord {
  const { turn, number, before, rules } = input
  assertTiled(input)
  const { entities: all, ...merged } = mergeEntities(
    before.entities,
    number,
    turn.entities,
    turn.entityUpdates,
  )
  const named = touchMentioned(all, number, [turn.userMessage, turn.finalResponse])
  const { entities, deactivated, removed } = collectEntities(named.entities, number, rules)
  const touched = [...new Set([...merged.touched, ...named.touched])]
  const steps = stepRecords(turn, number)
  const record: TurnRecord = {
    turn: number,
    key: input.key,
    messages: input.messages,
    at: input.at,
    user: turn.userMessage,
    assistant: turn.finalResponse,
    digest: input.digest,
    routing: turn.router,
    decision: turn.think?.decision ?? null,
    entitiesMentioned: touched,
    steps: steps.map(({ result: _, ...digest }) => digest),
    compressed: input.compressed,
    audit: turnAudit(turn, merged),
    knows: {
      theme: input.theme,
      history: input.history,
      pending: pendingDecision(turn, number, before.pending, rules),
      entities,
    },
    forgotten: false,
  }
  return { record, steps, entities: { ...merged, touched, deactivated, removed } }
}

/** From the first turn on, without a gap, up to those that are shown in full or beyond. */
function assertTiled({ history, number, rules }: Remembering): void {
  let next = 1
  for (const { from, to } of history) {
    assertInvariant(from === next && to > from, INVARIANT.remembered, `turns ${from} to ${to}`)
    next = to
  }
  const isWhole = next >= number + 1 - rules.fullTurns && next <= number
  assertInvariant(isWhole, INVARIANT.remembered, `a history up to ${next} in turn ${number}`)
}
