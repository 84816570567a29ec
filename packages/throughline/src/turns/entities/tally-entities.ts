/** What a turn has done to entities, in ids and figures, under the ids that they have behind it. */

import { isBacked } from '../../domain/entity.ts'
import type { TurnEntity } from '../../domain/turn-memory.ts'
import { broughtNames, type EntityTable } from './entity-table.ts'

export interface EntityTally {
  /** Ids of rows that writes have made, changed and deleted. */
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly deleted: readonly string[]
  /** Ids of those that were drafts, and stand in a database now. */
  readonly promoted: readonly string[]
  /** How many were generated; how many drafts, of this turn and of others, were written. */
  readonly generated: number
  readonly saved: number
}

/** `done`: what went well. */
export function tallyEntities(
  before: EntityTable,
  after: EntityTable,
  done: readonly TurnEntity[],
): EntityTally {
  /** By what they are now: the name of a draft may have been given to another one since. */
  const nowOf = ({ id, type }: TurnEntity): Counted =>
    after.find(id, type) ?? before.find(id, type) ?? { id, type }
  const all = (entities: readonly TurnEntity[]) =>
    new Map(entities.map(nowOf).map((entity) => [keyOf(entity), entity]))
  const deletions = done.filter(({ action }) => action === 'delete')
  const others = done.filter(({ action }) => action !== 'delete')
  const writes = others.filter(({ source }) => source === 'db_write')
  const generated = all(others.filter(({ source }) => source === 'generate'))
  const created = all(
    writes.filter((each) => each.action === 'create' || (!each.action && !stands(before, each))),
  )
  const written = all(writes)
  const waited = all(
    others.filter((each) => broughtNames(each).some((name) => waits(before, name, each.type))),
  )
  const drafts = new Map([...generated, ...waited])
  const promoted = [...drafts].filter(
    ([key, each]) => stands(after, each) && (waited.has(key) || !stands(before, each)),
  )
  return {
    created: idsOf(created.values()),
    updated: idsOf([...written].flatMap(([key, each]) => (created.has(key) ? [] : [each]))),
    deleted: idsOf(all(deletions.filter(isBacked)).values()),
    promoted: idsOf(promoted.map(([, each]) => each)),
    generated: generated.size,
    saved: [...drafts.keys()].filter((key) => written.has(key)).length,
  }
}

type Counted = Pick<TurnEntity, 'id' | 'type'>

function keyOf({ id, type }: Counted): string {
  return JSON.stringify([type, id])
}

function idsOf(entities: Iterable<Counted>): readonly string[] {
  return Array.from(entities, ({ id }) => id)
}

/** Whether a database has answered for what has this name. */
function stands(table: EntityTable, { id, type }: Counted): boolean {
  const entity = table.find(id, type)
  return entity !== null && isBacked(entity)
}

function waits(table: EntityTable, name: string, type: string): boolean {
  const entity = table.findNamed(name, type)
  return entity !== null && !isBacked(entity)
}
