/**
 * A second implementation of the entity rules in the design: reports, mentions and aging. It
 * shares no code with the implementation that it checks.
 */
import type { AfterReplyInput, EntityInput, TurnRules } from 'throughline/turns'
import { namedIn } from './random-text.ts'

export interface Thing {
  readonly id: string
  readonly type: string
  readonly label: string
  /** Former ids. */
  readonly former: readonly string[]
  readonly state: 'pending' | 'active' | 'inactive'
  /** Whether a database has confirmed it. */
  readonly backed: boolean
  readonly created: number
  readonly named: number
  readonly since: number
  /** The user rejected it, or another entity replaced it. */
  readonly rejected: boolean
}

export interface EntityChanges {
  readonly things: readonly Thing[]
  /** Ids that the turn reported, tried to change, updated or named. */
  readonly touched: ReadonlySet<string>
  readonly deactivated: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
  readonly created: ReadonlySet<string>
  readonly updated: ReadonlySet<string>
  readonly deleted: ReadonlySet<string>
  readonly generated: number
  readonly saved: number
}

/** An entity that a turn reports, with ids as text. */
interface ReportedEntity {
  readonly id: string
  readonly formerId: string | null
  readonly replaces: string | null
  readonly type: string
  readonly label: string
  readonly source: EntityInput['source']
  readonly backed: boolean
  readonly state: 'pending' | 'active'
  readonly action: 'create' | 'update' | 'delete' | null
  readonly succeeded: boolean
}

export function simulateEntities(
  before: readonly Thing[],
  turn: number,
  input: AfterReplyInput,
  rules: TurnRules,
): EntityChanges {
  const reported = (input.entities ?? []).map(read)
  const done = reported.filter(({ succeeded }) => succeeded)
  let things = before
  for (const one of done)
    things = one.action === 'delete' ? without(things, one) : withReported(things, one, turn)
  for (const one of done) things = withReplaced(things, one, turn)
  for (const one of reported)
    if (!one.succeeded)
      for (const holder of holders(things, one)) things = changed(things, holder, touched, turn)
  const spoken: Thing[] = []
  for (const { id, type = null, state } of input.entityUpdates ?? []) {
    const known = findNamed(things, String(id), type)
    // A confirmed or stored entity cannot become pending.
    const isBackward =
      state === 'pending' &&
      known?.state !== 'pending' &&
      (known?.state === 'active' || known?.backed === true)
    if (known === undefined || isBackward) continue
    spoken.push(known)
    const next = { ...inState(known, state, turn), rejected: state === 'inactive' }
    things = things.map((thing) => (thing === known ? next : thing))
  }
  spoken.push(...reported.flatMap((one) => holders(things, one)))
  const texts = [input.userMessage, String(input.finalResponse)].map((text) => text.toWellFormed())
  const named = namedIn(things, texts)
  things = things.map((thing) => (named.has(thing) ? touched(thing, turn) : thing))
  const old = things.filter((thing) => isOld(thing, turn, rules))
  return {
    things: things
      .filter((thing) => !(old.includes(thing) && thing.state === 'inactive'))
      .map((thing) => (old.includes(thing) ? { ...thing, state: 'inactive', since: turn } : thing)),
    touched: idsOf([...spoken, ...named]),
    deactivated: idsOf(old.filter(({ state }) => state !== 'inactive')),
    removed: idsOf(old.filter(({ state }) => state === 'inactive')),
    ...counted(before, things, done),
  }
}

function idsOf(things: readonly Pick<Thing, 'id'>[]): ReadonlySet<string> {
  return new Set(things.map(({ id }) => id))
}

function read(entity: EntityInput): ReportedEntity {
  const { type, label, source, action = null, succeeded = true } = entity
  const backed = source === 'db_read' || source === 'db_write'
  return {
    ...{ type, label, source, action, succeeded, backed },
    id: String(entity.id),
    formerId: text(entity.formerId),
    replaces: text(entity.replaces),
    state: entity.state ?? (backed ? 'active' : 'pending'),
  }
}

function text(id: string | number | null | undefined): string | null {
  return id === null || id === undefined ? null : String(id)
}

/** Whether an id has the form of a temporary one. */
export function looksMadeUp(id: string): boolean {
  return /^(?:temp|tmp|gen)[-_]/i.test(id)
}

function isReal({ backed, id }: { readonly backed: boolean; readonly id: string }): boolean {
  return backed && !looksMadeUp(id)
}

/** Names are unique within a type. */
function find(things: readonly Thing[], name: string, type: string): Thing | undefined {
  return things.find((thing) => thing.type === type && hasName(thing, name))
}

/** Without a match of that type: the only match of any type. */
function findNamed(things: readonly Thing[], name: string, type: string | null): Thing | undefined {
  const all = things.filter((thing) => hasName(thing, name))
  return all.find((thing) => thing.type === type) ?? (all.length === 1 ? all[0] : undefined)
}

function hasName({ id, former }: Thing, name: string): boolean {
  return id === name || former.includes(name)
}

/** The things that have the names of an entity; a draft may have had another type. */
function holders(
  things: readonly Thing[],
  { id, formerId, type }: ReportedEntity,
): readonly Thing[] {
  const all = [
    find(things, id, type),
    formerId === null ? undefined : findNamed(things, formerId, type),
  ]
  return [...new Set(all)].filter((thing) => thing !== undefined)
}

function changed(
  things: readonly Thing[],
  known: Thing,
  change: (thing: Thing, turn: number) => Thing,
  turn: number,
): readonly Thing[] {
  return things.map((thing) => (thing === known ? change(thing, turn) : thing))
}

/** A mention restores a thing, unless it was rejected or the same turn made it inactive. */
function touched(thing: Thing, turn: number): Thing {
  if (thing.state !== 'inactive' || thing.rejected || thing.since === turn)
    return { ...thing, named: turn }
  return { ...thing, named: turn, state: thing.backed ? 'active' : 'pending', since: turn }
}

function inState(thing: Thing, state: Thing['state'], turn: number): Thing {
  if (thing.state === state && state !== 'inactive') return touched(thing, turn)
  return { ...thing, state, since: turn, named: turn }
}

function isOld({ state, since, named }: Thing, turn: number, rules: TurnRules): boolean {
  if (state === 'pending') return turn >= Math.max(since, named) + rules.pendingTurns
  if (state === 'active') return turn >= named + rules.activeTurns
  return turn >= since + rules.inactiveTurns && turn >= named + rules.inactiveTurns
}

function without(things: readonly Thing[], one: ReportedEntity): readonly Thing[] {
  // Discarding a draft deletes no row.
  const gone = sameAs(things, one).filter((thing) => one.backed || !thing.backed)
  return things.filter((thing) => !gone.includes(thing))
}

function sameAs(things: readonly Thing[], one: ReportedEntity): readonly Thing[] {
  return holders(things, one).filter((thing) =>
    [one.id, one.formerId].some(
      (name) => name !== null && hasName(thing, name) && isSame(thing, one, name),
    ),
  )
}

function withReported(
  things: readonly Thing[],
  one: ReportedEntity,
  turn: number,
): readonly Thing[] {
  const same = sameAs(things, one)
  const made = same.length === 0 ? newThing(one, turn) : joined(same, one, turn)
  const others = things.filter((thing) => !same.includes(thing))
  // Within a type, an id is no former id of another thing, and a former id belongs to one thing.
  const former = made.former.filter(
    (name) => !others.some(({ id, type }) => id === name && type === made.type),
  )
  const taken = [made.id, ...former]
  return [
    ...others.map((thing) =>
      thing.type === made.type
        ? { ...thing, former: thing.former.filter((name) => !taken.includes(name)) }
        : thing,
    ),
    { ...made, former },
  ]
}

/** Equal ids mean the same thing, but an agent may reuse a temporary id for another one. */
function isSame(thing: Thing, one: ReportedEntity, name: string): boolean {
  if (thing.id === one.id || !isReal(thing)) return true
  if (isReal(one)) return thing.id === name
  return thing.type === one.type && thing.label.toLowerCase() === one.label.toLowerCase()
}

function newThing(one: ReportedEntity, turn: number): Thing {
  const { id, type, label, state, backed, formerId } = one
  const former = formerId === null || formerId === id ? [] : [formerId]
  const times = { created: turn, named: turn, since: turn }
  return { id, type, label, state, backed, former, ...times, rejected: false }
}

function joined(same: readonly Thing[], one: ReportedEntity, turn: number): Thing {
  const main = same.find(isReal) ?? same.find(({ backed }) => backed) ?? same[0]
  if (main === undefined) throw new Error('joined needs at least one known thing')
  const id = isReal(main) && !isReal(one) ? main.id : one.id
  // A draft does not change the fields of a stored thing.
  const update = one.backed || !main.backed ? one : main
  const states = [
    one.state,
    ...same.map((thing) =>
      thing.state === 'inactive' ? (thing.backed ? 'active' : 'pending') : thing.state,
    ),
  ]
  const state = states.includes('active') ? 'active' : 'pending'
  const sinces = same.filter((thing) => thing.state === state).map(({ since }) => since)
  const names = new Set([
    ...same.flatMap((thing) => [thing.id, ...thing.former]),
    one.id,
    ...(one.formerId === null ? [] : [one.formerId]),
  ])
  names.delete(id)
  return {
    ...{ id, state, type: update.type, label: update.label, rejected: false },
    former: [...names],
    backed: one.backed || same.some(({ backed }) => backed),
    created: Math.min(...same.map(({ created }) => created)),
    named: turn,
    // A repeated draft waits from this turn on.
    since: state === 'pending' && !one.backed ? turn : Math.min(turn, ...sinces),
  }
}

function withReplaced(
  things: readonly Thing[],
  one: ReportedEntity,
  turn: number,
): readonly Thing[] {
  if (one.replaces === null) return things
  const other = findNamed(things, one.replaces, one.type)
  if (other === undefined || other === find(things, one.id, one.type)) return things
  // A draft does not replace a row.
  if (other.backed && !one.backed) return things
  return things.map((thing) =>
    thing === other ? { ...inState(thing, 'inactive', turn), rejected: true } : thing,
  )
}

function counted(
  before: readonly Thing[],
  after: readonly Thing[],
  done: readonly ReportedEntity[],
) {
  const now = ({ id, type }: ReportedEntity) =>
    (find(after, id, type) ?? find(before, id, type))?.id ?? id
  const ids = (all: readonly ReportedEntity[]): ReadonlySet<string> => new Set(all.map(now))
  const made = done.filter(({ action }) => action !== 'delete')
  const writes = made.filter(({ source }) => source === 'db_write')
  const created = ids(
    writes.filter(({ id, type, action }) =>
      action === null ? find(before, id, type)?.backed !== true : action === 'create',
    ),
  )
  const written = ids(writes)
  // Drafts of two types may have the same name, so they are counted by type.
  const keyed = (all: readonly ReportedEntity[]) =>
    new Set(all.map((one) => `${one.type} ${now(one)}`))
  const generated = keyed(made.filter(({ source }) => source === 'generate'))
  const waited = keyed(
    made.filter((one) =>
      [one.id, one.formerId].some(
        (name) => name !== null && findNamed(before, name, one.type)?.backed === false,
      ),
    ),
  )
  return {
    created,
    updated: written.difference(created),
    // A discarded draft was no row.
    deleted: ids(done.filter(({ action, backed }) => action === 'delete' && backed)),
    generated: generated.size,
    saved: generated.union(waited).intersection(keyed(writes)).size,
  }
}
