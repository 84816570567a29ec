/** An agent's memory of its turns: `afterReply` writes it, `turnMemory` and others read it. */

export type { Entity, EntitySource, EntityState } from '../domain/entity.ts'
export type {
  HistoryLine,
  PendingDecision,
  RememberedTurn,
  StepRecord,
  Theme,
  TurnDecision,
  TurnKnowledge,
  TurnMemory,
  TurnRecord,
  TurnRules,
} from '../domain/turn-memory.ts'
export { turnRules } from '../domain/turn-rules-data.ts'
export { type AfterReply, type AfterReplyOptions, afterReply } from './after-reply.ts'
export { entityRegistry } from './entities/entity-registry.ts'
export type {
  AfterReplyInput,
  EntityInput,
  EntityUpdateInput,
  RoutingInput,
  StepInput,
  ThoughtInput,
} from './read-turn.ts'
export { auditLine } from './turn-audit.ts'
export {
  type RememberedTurnsInput,
  rememberedTurns,
  type StepKey,
  stepResult,
  turnMemory,
} from './turn-memory.ts'
