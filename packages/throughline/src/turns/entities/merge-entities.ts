/**
 * What a turn has done to entities, merged into those that are tracked: in the order in which it
 * was done, then what was replaced, then the word of the user, which stands last. What did not
 * go well has done nothing, and was spoken of all the same.
 */
import type { EntityUpdate, TurnEntity } from '../../domain/agent-turn.ts'
import { type Entity, isBacked } from '../../domain/entity.ts'
import { broughtNames } from './brought-names.ts'
import { EntityTable } from './entity-table.ts'
import { joinEntity } from './join-entity.ts'
import { isSameEntity } from './same-entity.ts'
import { type EntityTally, tallyEntities } from './tally-entities.ts'
import { touchEntity } from './touch-entity.ts'
import { type IgnoredUpdate, updateEntities, withState } from './update-entities.ts'

export interface MergedEntities extends EntityTally {
  readonly entities: readonly Entity[]
  /** Ids of those that are tracked and that the turn has brought, tried to change, or updated. */
  readonly touched: readonly string[]
  readonly ignored: readonly IgnoredUpdate[]
}

export function mergeEntities(
  entities: readonly Entity[],
  turn: number,
  brought: readonly TurnEntity[],
  updates: readonly EntityUpdate[],
): MergedEntities {
  const named = brought.filter(hasId)
  const table = new EntityTable(entities)
  const done = withoutDeleted(named.filter(({ succeeded }) => succeeded))
  for (const entity of done)
    if (entity.action === 'delete') removeBrought(table, entity)
    else bring(table, entity, turn)
  for (const entity of done) replaceBy(table, entity, turn)
  for (const entity of named) if (!entity.succeeded) touchBrought(table, entity, turn)
  const updated = updateEntities(table.entities(), turn, updates)
  const after = new EntityTable(updated.entities)
  const touched = named.flatMap((entity) => holdersOf(after, entity).map(({ holder }) => holder.id))
  return {
    entities: updated.entities,
    ...tallyEntities(new EntityTable(entities), after, done),
    touched: [...new Set([...touched, ...updated.touched])],
    ignored: [
      ...brought.flatMap((entity) => (hasId(entity) ? [] : [{ id: entity.id, why } as const])),
      ...updated.ignored,
    ],
  }
}

const why = 'no-id'

function hasId({ id }: TurnEntity): boolean {
  return id.trim() !== ''
}

/**
 * What was deleted is there no longer, though a list that was read before it may be told behind
 * it; it is there again where it was made anew.
 */
function withoutDeleted(done: readonly TurnEntity[]): readonly TurnEntity[] {
  const deleted = new Set<string>()
  return done.filter((entity) => {
    const { id, type, action } = entity
    const key = JSON.stringify([type, id])
    if (action === 'delete') deleted.add(key)
    else if (action === 'create' || !isBacked(entity)) deleted.delete(key)
    else return !deleted.has(key)
    return true
  })
}

function bring(table: EntityTable, brought: TurnEntity, turn: number): void {
  const known = new Set<Entity>()
  let { formerId } = brought
  for (const { name, holder } of holdersOf(table, brought)) {
    if (isSameEntity(holder, brought, name)) known.add(holder)
    // The id of another entity is nobody's alias.
    else if (holder.id === name) formerId = null
  }
  table.put(joinEntity([...known], { ...brought, formerId }, turn), [...known])
}

function removeBrought(table: EntityTable, brought: TurnEntity): void {
  for (const { name, holder } of holdersOf(table, brought)) {
    if (!isSameEntity(holder, brought, name)) continue
    // To throw a draft away does not delete what a database has.
    if (isBacked(brought) || !isBacked(holder)) table.remove(holder)
  }
}

function replaceBy(table: EntityTable, brought: TurnEntity, turn: number): void {
  if (brought.replaces === null || brought.action === 'delete') return
  const other = table.findNamed(brought.replaces, brought.type)
  if (other === null || other === table.find(brought.id, brought.type)) return
  // A draft takes no place of what a database has, as long as nothing has written it.
  if (isBacked(other) && !isBacked(brought)) return
  table.put({ ...withState(other, 'inactive', turn), rejected: true }, [other])
}

function touchBrought(table: EntityTable, brought: TurnEntity, turn: number): void {
  for (const { holder } of holdersOf(table, brought)) table.put(touchEntity(holder, turn), [holder])
}

/** Who has the names of what was brought. What was a draft may have been called another type. */
function holdersOf(
  table: EntityTable,
  brought: TurnEntity,
): readonly { readonly name: string; readonly holder: Entity }[] {
  const { id, type } = brought
  return broughtNames(brought).flatMap((name) => {
    const isTyped = name === id && type.trim() !== ''
    const holder = isTyped ? table.find(name, type) : table.findNamed(name, type)
    return holder === null ? [] : [{ name, holder }]
  })
}
