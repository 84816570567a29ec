/** An agent's memory of its turns: one call behind every reply, and what it keeps. */

export type { Entity, EntitySource, EntityState } from '../domain/entity.ts'
export type {
  AuditError,
  EntityUpdate,
  HistoryLine,
  PendingDecision,
  RememberedTurn,
  Routing,
  StepDigest,
  StepRecord,
  StepStatus,
  Theme,
  ToldText,
  TurnAudit,
  TurnDecision,
  TurnEntity,
  TurnKnowledge,
  TurnMemory,
  TurnRecord,
} from '../domain/turn-memory.ts'
export { type TurnRules, turnRules } from '../domain/turn-memory.ts'
export type { MemoryReader } from '../ports/context-extension.ts'
export { type AfterReply, type AfterReplyOptions, afterReply } from './after-reply.ts'
export type { EntityChanges } from './build-record.ts'
export { entityRegistry, type NewEntity, type StateCounts } from './entities/entity-registry.ts'
export type {
  CollectedEntities,
  CollectRules,
  IgnoredUpdate,
  UpdatedEntities,
} from './entities/entity-states.ts'
export type { TouchedEntities } from './entities/find-mentions.ts'
export type { MergedEntities } from './entities/merge-entities.ts'
export type { AskedOfTurn } from './questions.ts'
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
