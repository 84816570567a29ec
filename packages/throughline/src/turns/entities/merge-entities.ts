/**
 * Merges the entities that a turn reports, then replacements, then the user's updates, which win.
 * A failed write changes nothing, but counts as a mention.
 */
import {
  type Entity,
  type EntitySource,
  type EntityState,
  isBacked,
  isReal,
} from '../../domain/entity.ts'
import { canonicalJson } from '../../domain/json.ts'
import type { EntityUpdate, TurnEntity } from '../../domain/turn-memory.ts'
import { limits } from '../limits-data.ts'
import {
  type IgnoredUpdate,
  restoredState,
  touchEntity,
  updateEntities,
  withState,
} from './entity-states.ts'
import { EntityTable, isSameEntity, reportedNames } from './entity-table.ts'

export interface MergedEntities extends EntityTally {
  readonly entities: readonly Entity[]
  readonly touched: readonly string[]
  readonly ignored: readonly IgnoredUpdate[]
}

export function mergeEntities(
  entities: readonly Entity[],
  turn: number,
  reported: readonly TurnEntity[],
  updates: readonly EntityUpdate[],
): MergedEntities {
  const named = reported.filter(hasId)
  const table = new EntityTable(entities)
  const succeeded = withoutDeleted(named.filter((entity) => entity.succeeded))
  for (const entity of succeeded)
    if (entity.action === 'delete') removeReported(table, entity)
    else addReported(table, entity, turn)
  for (const entity of succeeded) replaceBy(table, entity, turn)
  for (const entity of named) if (!entity.succeeded) touchReported(table, entity, turn)
  const updated = updateEntities(table.entities(), turn, updates)
  const after = new EntityTable(updated.entities)
  const touched = named.flatMap((entity) => holdersOf(after, entity).map(({ holder }) => holder.id))
  return {
    entities: updated.entities,
    ...tallyEntities(new EntityTable(entities), after, succeeded),
    touched: [...new Set([...touched, ...updated.touched])],
    ignored: [
      ...reported.flatMap((entity) =>
        hasId(entity) ? [] : [{ id: entity.id, why: 'no-id' as const }],
      ),
      ...updated.ignored,
    ],
  }
}

function hasId({ id }: TurnEntity): boolean {
  return id.trim() !== ''
}

/** Drops reads of an entity that the turn deleted, unless the turn created it again. */
function withoutDeleted(reported: readonly TurnEntity[]): readonly TurnEntity[] {
  const deleted = new Set<string>()
  return reported.filter((entity) => {
    const { id, type, action } = entity
    const key = JSON.stringify([type, id])
    if (action === 'delete') deleted.add(key)
    else if (action === 'create' || !isBacked(entity)) deleted.delete(key)
    else return !deleted.has(key)
    return true
  })
}

function addReported(table: EntityTable, reported: TurnEntity, turn: number): void {
  const known = new Set<Entity>()
  let { formerId } = reported
  for (const { name, holder } of holdersOf(table, reported)) {
    if (isSameEntity(holder, reported, name)) known.add(holder)
    else if (holder.id === name) formerId = null
  }
  table.put(joinEntity([...known], { ...reported, formerId }, turn), [...known])
}

function removeReported(table: EntityTable, reported: TurnEntity): void {
  for (const { name, holder } of holdersOf(table, reported)) {
    if (!isSameEntity(holder, reported, name)) continue
    // Discarding a draft does not delete a stored entity.
    if (isBacked(reported) || !isBacked(holder)) table.remove(holder)
  }
}

function replaceBy(table: EntityTable, reported: TurnEntity, turn: number): void {
  if (reported.replaces === null || reported.action === 'delete') return
  const other = table.findNamed(reported.replaces, reported.type)
  if (other === null || other === table.find(reported.id, reported.type)) return
  // An unsaved draft does not replace a stored entity.
  if (isBacked(other) && !isBacked(reported)) return
  table.put({ ...withState(other, 'inactive', turn), rejected: true }, [other])
}

function touchReported(table: EntityTable, reported: TurnEntity, turn: number): void {
  for (const { holder } of holdersOf(table, reported))
    table.put(touchEntity(holder, turn), [holder])
}

/** The entities that have the reported id or former id. A draft may have had another type. */
function holdersOf(
  table: EntityTable,
  reported: TurnEntity,
): readonly { readonly name: string; readonly holder: Entity }[] {
  const { id, type } = reported
  return reportedNames(reported).flatMap((name) => {
    const isTyped = name === id && type.trim() !== ''
    const holder = isTyped ? table.find(name, type) : table.findNamed(name, type)
    return holder === null ? [] : [{ name, holder }]
  })
}

/** `known` is empty for a new entity; it has two if temporary id and real id were both known. */
function joinEntity(known: readonly Entity[], reported: TurnEntity, turn: number): Entity {
  const main = known.find(isReal) ?? known.find(isBacked) ?? known[0]
  const before = main ?? { ...reported, turnCreated: turn }
  const other = known.find((entity) => entity !== main)
  // A draft does not change the fields of a stored entity.
  const update = isBacked(reported) || !isBacked(before) ? reported : null
  const id = isReal(before) && !isReal(reported) ? before.id : reported.id
  const state = stateOf(known, reported)
  const joined: Entity = {
    id,
    type: update?.type || before.type,
    label: update?.label.trim() ? update.label : before.label,
    aliases: aliasesOf(known, reported, id),
    state,
    source: [...known, reported].reduce(strongerSource, reported.source),
    turnCreated: Math.min(before.turnCreated, ...known.map(({ turnCreated }) => turnCreated)),
    turnLastRef: turn,
    turnUpdated: turn,
    since: sinceOf(known, reported, state, turn),
    rejected: false,
    subdomain: update?.subdomain ?? before.subdomain ?? other?.subdomain ?? null,
    data: update?.data ?? before.data ?? other?.data ?? null,
  }
  return main === undefined || other !== undefined || isChanged(joined, main)
    ? joined
    : { ...joined, turnUpdated: main.turnUpdated }
}

function aliasesOf(known: readonly Entity[], reported: TurnEntity, id: string): readonly string[] {
  const names = known.flatMap((entity) => [...entity.aliases, entity.id])
  const aliases = new Set([...names, ...reportedNames(reported)])
  aliases.delete(id)
  return [...aliases].slice(-limits.maxAliases)
}

/** A confirmed entity stays active, and a reported one becomes active or pending again. */
function stateOf(known: readonly Entity[], reported: TurnEntity): EntityState {
  const isActive = known.some(
    (entity) => entity.state === 'active' || (entity.state === 'inactive' && isBacked(entity)),
  )
  return isActive ? 'active' : (reported.state ?? restoredState(reported))
}

function sinceOf(
  known: readonly Entity[],
  reported: TurnEntity,
  state: EntityState,
  turn: number,
): number {
  // A repeated draft waits from this turn on.
  if (state === 'pending' && !isBacked(reported)) return turn
  const before = known.filter((entity) => entity.state === state)
  return Math.min(turn, ...before.map(({ since }) => since))
}

const sources: readonly EntitySource[] = ['analyze', 'generate', 'db_read', 'db_write']

function strongerSource(one: EntitySource, { source }: Pick<Entity, 'source'>): EntitySource {
  return sources.indexOf(source) > sources.indexOf(one) ? source : one
}

function isChanged(joined: Entity, before: Entity): boolean {
  const written = ({ data }: Entity) => canonicalJson(JSON.stringify(data))
  return (
    comparedFields.some((field) => joined[field] !== before[field]) ||
    joined.aliases.join('\0') !== before.aliases.join('\0') ||
    (before.state === 'pending' && joined.state === 'active') ||
    (joined.data !== before.data && written(joined) !== written(before))
  )
}

const comparedFields = ['id', 'type', 'label', 'source', 'subdomain'] as const

/** The changes that a turn made to entities, by the ids that they have after it. */
export interface EntityTally {
  /** Ids of rows that writes created. */
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly deleted: readonly string[]
  /** Ids of drafts that were saved to a database. */
  readonly promoted: readonly string[]
  /** How many entities were generated, and how many drafts of any turn were saved. */
  readonly generated: number
  readonly saved: number
}

function tallyEntities(
  before: EntityTable,
  after: EntityTable,
  succeeded: readonly TurnEntity[],
): EntityTally {
  // Looks in the result first, because another entity may have taken the name of a draft.
  const latestOf = ({ id, type }: TurnEntity): EntityKey =>
    after.find(id, type) ?? before.find(id, type) ?? { id, type }
  const byKey = (entities: readonly TurnEntity[]) =>
    new Map(entities.map(latestOf).map((entity) => [keyOf(entity), entity]))
  const deletions = succeeded.filter(({ action }) => action === 'delete')
  const others = succeeded.filter(({ action }) => action !== 'delete')
  const writes = others.filter(({ source }) => source === 'db_write')
  const generated = byKey(others.filter(({ source }) => source === 'generate'))
  const created = byKey(
    writes.filter(
      (each) => each.action === 'create' || (!each.action && !isBackedIn(before, each)),
    ),
  )
  const written = byKey(writes)
  const knownDrafts = byKey(
    others.filter((each) => reportedNames(each).some((name) => isDraftIn(before, name, each.type))),
  )
  const drafts = new Map([...generated, ...knownDrafts])
  const promoted = [...drafts].filter(
    ([key, each]) => isBackedIn(after, each) && (knownDrafts.has(key) || !isBackedIn(before, each)),
  )
  return {
    created: idsOf(created.values()),
    updated: idsOf([...written].flatMap(([key, each]) => (created.has(key) ? [] : [each]))),
    deleted: idsOf(byKey(deletions.filter(isBacked)).values()),
    promoted: idsOf(promoted.map(([, each]) => each)),
    generated: generated.size,
    saved: [...drafts.keys()].filter((key) => written.has(key)).length,
  }
}

type EntityKey = Pick<TurnEntity, 'id' | 'type'>

function keyOf({ id, type }: EntityKey): string {
  return JSON.stringify([type, id])
}

function idsOf(entities: Iterable<EntityKey>): readonly string[] {
  return Array.from(entities, ({ id }) => id)
}

function isBackedIn(table: EntityTable, { id, type }: EntityKey): boolean {
  const entity = table.find(id, type)
  return entity !== null && isBacked(entity)
}

function isDraftIn(table: EntityTable, name: string, type: string): boolean {
  const entity = table.findNamed(name, type)
  return entity !== null && !isBacked(entity)
}
