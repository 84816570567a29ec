/** What a turn has done for certain, whatever is said of it: by steps, by writes, by the user. */
import type { AgentTurn } from '../../domain/agent-turn.ts'
import { isBacked } from '../../domain/entity.ts'
import type { StepDigest, TurnRecord } from '../../domain/turn-record.ts'
import type { DeedKind } from './deed-verbs.ts'

export interface BorneOut {
  /** Those that were done. */
  readonly steps: readonly Pick<StepDigest, 'description' | 'outcome'>[]
  readonly kinds: readonly DeedKind[]
}

export function borneOutByTurn(turn: AgentTurn, steps: readonly StepDigest[]): BorneOut {
  const done = turn.entities.filter(({ succeeded }) => succeeded)
  const written = done.filter(({ source }) => source === 'db_write')
  const kinds = [
    ...written.flatMap(({ action }) => (action === null ? anyWrite : writes[action])),
    ...done.filter(({ source }) => source === 'generate').flatMap(() => drafts),
    ...turn.entityUpdates.flatMap(({ state }) => decisions[state]),
  ]
  return { steps: doneSteps(steps), kinds }
}

export function borneOutByRecord({ turn, steps, audit, knows }: TurnRecord): BorneOut {
  const decided = knows.entities.filter((entity) => !isBacked(entity) && entity.since === turn)
  const changes = [
    [writes.create, audit.created.length + audit.artifactsSaved],
    [writes.update, audit.updated.length],
    [writes.delete, audit.deleted.length],
    [drafts, audit.artifactsGenerated],
    [decisions.active, decided.filter(({ state }) => state === 'active').length],
    [decisions.inactive, decided.filter(({ rejected }) => rejected).length],
  ] as const
  return {
    steps: doneSteps(steps),
    kinds: changes.flatMap(([kinds, count]) => (count > 0 ? kinds : [])),
  }
}

function doneSteps(steps: readonly StepDigest[]): readonly StepDigest[] {
  return steps.filter(({ status }) => status === 'done')
}

type Kinds = readonly DeedKind[]

const writes: Readonly<Record<'create' | 'update' | 'delete', Kinds>> = {
  create: ['create', 'save', 'complete'],
  update: ['update', 'save', 'complete'],
  delete: ['delete', 'complete'],
}
const anyWrite: Kinds = [...writes.create, ...writes.update]
const drafts: Kinds = ['create']
const decisions: Readonly<Record<'pending' | 'active' | 'inactive', Kinds>> = {
  pending: [],
  active: ['confirm'],
  inactive: ['reject', 'cancel'],
}
