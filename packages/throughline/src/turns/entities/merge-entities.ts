/**
 * Merges what a turn did in its order, then replacements, then the user's updates, which win.
 * Failures change
 * nothing, but count as mentions.
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
  stateWhenBack,
  touchEntity,
  updateEntities,
  withState,
} from './entity-states.ts'
import { broughtNames, EntityTable, isSameEntity } from './entity-table.ts'

export interface MergedEntities extends EntityTally {
  readonly entities: readonly Entity[]
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

/** A list read before a deletion may come after it; what was created again exists again. */
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

/** `known`: none where it is new, two where a temporary id and the real one were both known. */
function joinEntity(known: readonly Entity[], brought: TurnEntity, turn: number): Entity {
  const main = known.find(isReal) ?? known.find(isBacked) ?? known[0]
  const before = main ?? { ...brought, turnCreated: turn }
  const other = known.find((entity) => entity !== main)
  // A draft of a stored entity says nothing of what is stored.
  const told = isBacked(brought) || !isBacked(before) ? brought : null
  const id = isReal(before) && !isReal(brought) ? before.id : brought.id
  const state = stateOf(known, brought)
  const joined: Entity = {
    id,
    type: told?.type || before.type,
    label: told?.label.trim() ? told.label : before.label,
    aliases: aliasesOf(known, brought, id),
    state,
    source: [...known, brought].reduce(strongerSource, brought.source),
    turnCreated: Math.min(before.turnCreated, ...known.map(({ turnCreated }) => turnCreated)),
    turnLastRef: turn,
    turnUpdated: turn,
    since: sinceOf(known, brought, state, turn),
    rejected: false,
    subdomain: told?.subdomain ?? before.subdomain ?? other?.subdomain ?? null,
    data: told?.data ?? before.data ?? other?.data ?? null,
  }
  return main === undefined || other !== undefined || saysMore(joined, main)
    ? joined
    : { ...joined, turnUpdated: main.turnUpdated }
}

function aliasesOf(known: readonly Entity[], brought: TurnEntity, id: string): readonly string[] {
  const names = known.flatMap((entity) => [...entity.aliases, entity.id])
  const aliases = new Set([...names, ...broughtNames(brought)])
  aliases.delete(id)
  return [...aliases].slice(-limits.aliasesMax)
}

/** What is brought is there again, and what was confirmed stays so. */
function stateOf(known: readonly Entity[], brought: TurnEntity): EntityState {
  const isActive = known.some(
    (entity) => entity.state === 'active' || (entity.state === 'inactive' && isBacked(entity)),
  )
  return isActive ? 'active' : (brought.state ?? stateWhenBack(brought))
}

function sinceOf(
  known: readonly Entity[],
  brought: TurnEntity,
  state: EntityState,
  turn: number,
): number {
  // A draft that is made anew begins to wait anew.
  if (state === 'pending' && !isBacked(brought)) return turn
  const before = known.filter((entity) => entity.state === state)
  return Math.min(turn, ...before.map(({ since }) => since))
}

const sources: readonly EntitySource[] = ['analyze', 'generate', 'db_read', 'db_write']

function strongerSource(one: EntitySource, { source }: Pick<Entity, 'source'>): EntitySource {
  return sources.indexOf(source) > sources.indexOf(one) ? source : one
}

function saysMore(joined: Entity, before: Entity): boolean {
  const written = ({ data }: Entity) => canonicalJson(JSON.stringify(data))
  return (
    said.some((field) => joined[field] !== before[field]) ||
    joined.aliases.join('\0') !== before.aliases.join('\0') ||
    (before.state === 'pending' && joined.state === 'active') ||
    (joined.data !== before.data && written(joined) !== written(before))
  )
}

const said = ['id', 'type', 'label', 'source', 'subdomain'] as const

/** What a turn has done to entities, in ids and figures, under the ids that they have after it. */
export interface EntityTally {
  /** Ids of rows that writes have made. */
  readonly created: readonly string[]
  readonly updated: readonly string[]
  readonly deleted: readonly string[]
  /** Ids of those that were drafts, and are in a database now. */
  readonly promoted: readonly string[]
  /** How many were generated; how many drafts, of this turn and of others, were written. */
  readonly generated: number
  readonly saved: number
}

function tallyEntities(
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

function stands(table: EntityTable, { id, type }: Counted): boolean {
  const entity = table.find(id, type)
  return entity !== null && isBacked(entity)
}

function waits(table: EntityTable, name: string, type: string): boolean {
  const entity = table.findNamed(name, type)
  return entity !== null && !isBacked(entity)
}
