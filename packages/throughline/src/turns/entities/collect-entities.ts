/**
 * What nobody speaks of goes, in two steps: first it is marked, and turns later removed. An entity
 * takes one step in a turn, so what was shown in one is never gone without a trace in the next.
 */
import type { Entity } from '../../domain/entity.ts'
import type { TurnRules } from '../../domain/turn-rules.ts'

/** Entities behind a collection, with those that became inactive or left. */
export interface CollectedEntities {
  readonly entities: readonly Entity[]
  readonly deactivated: readonly string[]
  readonly removed: readonly string[]
}

/** For how many turns entities stay in a state that nothing renews. */
export type CollectRules = Pick<TurnRules, 'pendingTurns' | 'activeTurns' | 'inactiveTurns'>

export function collectEntities(
  entities: readonly Entity[],
  turn: number,
  rules: CollectRules,
): CollectedEntities {
  const kept: Entity[] = []
  const deactivated: string[] = []
  const removed: string[] = []
  for (const entity of entities) {
    if (!isDue(entity, turn, rules)) kept.push(entity)
    else if (entity.state === 'inactive') removed.push(entity.id)
    else {
      kept.push({ ...entity, state: 'inactive', since: turn })
      deactivated.push(entity.id)
    }
  }
  return { entities: kept, deactivated, removed }
}

function isDue({ state, since, turnLastRef }: Entity, turn: number, rules: CollectRules): boolean {
  switch (state) {
    case 'pending':
      // To be named is not to be confirmed.
      return turn - since >= rules.pendingTurns
    case 'active':
      return turn - turnLastRef >= rules.activeTurns
    case 'inactive':
      return turn - Math.max(since, turnLastRef) >= rules.inactiveTurns
  }
}
