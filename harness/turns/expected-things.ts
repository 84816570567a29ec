/**
 * The life of entities by hand, as the design tells it: what a turn brings, what it names, and
 * what grows old. Nothing here is taken from the code that it watches.
 */
import type { AfterReplyInput, EntityInput, TurnRules } from 'throughline/turns'
import { namedIn } from './drawn-text.ts'

export interface Thing {
  readonly id: string
  readonly type: string
  readonly label: string
  /** Ids that it had before. */
  readonly former: readonly string[]
  readonly state: 'pending' | 'active' | 'inactive'
  /** Whether a database has answered for it. */
  readonly backed: boolean
  readonly created: number
  readonly named: number
  readonly since: number
  /** Somebody wanted to be rid of it. */
  readonly rejected: boolean
}

export interface LivedTurn {
  readonly things: readonly Thing[]
  /** Ids of those that the turn has brought, tried to change, updated or named. */
  readonly touched: ReadonlySet<string>
  readonly deactivated: ReadonlySet<string>
  readonly removed: ReadonlySet<string>
  readonly created: ReadonlySet<string>
  readonly updated: ReadonlySet<string>
  readonly deleted: ReadonlySet<string>
  readonly generated: number
  readonly saved: number
}

/** What was brought, with ids as text. */
interface Brought {
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

export function liveThrough(
  before: readonly Thing[],
  turn: number,
  input: AfterReplyInput,
  rules: TurnRules,
): LivedTurn {
  const brought = (input.entities ?? []).map(read)
  const done = brought.filter(({ succeeded }) => succeeded)
  let things = before
  for (const one of done)
    things = one.action === 'delete' ? without(things, one) : withBrought(things, one, turn)
  for (const one of done) things = withReplaced(things, one, turn)
  for (const one of brought)
    if (!one.succeeded)
      for (const holder of holders(things, one)) things = changed(things, holder, touched, turn)
  const spoken: Thing[] = []
  for (const { id, type = null, state } of input.entityUpdates ?? []) {
    const known = findNamed(things, String(id), type)
    // What was confirmed or stands in a database does not wait again.
    const isBackward =
      state === 'pending' &&
      known?.state !== 'pending' &&
      (known?.state === 'active' || known?.backed === true)
    if (known === undefined || isBackward) continue
    spoken.push(known)
    const next = { ...inState(known, state, turn), rejected: state === 'inactive' }
    things = things.map((thing) => (thing === known ? next : thing))
  }
  spoken.push(...brought.flatMap((one) => holders(things, one)))
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

function read(entity: EntityInput): Brought {
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

/** Of the form of those that agents make up. */
export function looksMadeUp(id: string): boolean {
  return /^(?:temp|tmp|gen)[-_]/i.test(id)
}

function stands({ backed, id }: { readonly backed: boolean; readonly id: string }): boolean {
  return backed && !looksMadeUp(id)
}

/** Tables count for themselves: a name is one of a type. */
function find(things: readonly Thing[], name: string, type: string): Thing | undefined {
  return things.find((thing) => thing.type === type && hasName(thing, name))
}

/** Where that type has none, or none is said: the only one that there is. */
function findNamed(things: readonly Thing[], name: string, type: string | null): Thing | undefined {
  const all = things.filter((thing) => hasName(thing, name))
  return all.find((thing) => thing.type === type) ?? (all.length === 1 ? all[0] : undefined)
}

function hasName({ id, former }: Thing, name: string): boolean {
  return id === name || former.includes(name)
}

/** What has the names of something; a draft may have been called another type. */
function holders(things: readonly Thing[], { id, formerId, type }: Brought): readonly Thing[] {
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

/** Named: what nobody rejected comes back, unless the same turn has made it inactive. */
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
  if (state === 'pending') return turn >= since + rules.pendingTurns
  if (state === 'active') return turn >= named + rules.activeTurns
  return turn >= since + rules.inactiveTurns && turn >= named + rules.inactiveTurns
}

function without(things: readonly Thing[], one: Brought): readonly Thing[] {
  // To throw a draft away deletes no row.
  const gone = sameAs(things, one).filter((thing) => one.backed || !thing.backed)
  return things.filter((thing) => !gone.includes(thing))
}

function sameAs(things: readonly Thing[], one: Brought): readonly Thing[] {
  return holders(things, one).filter((thing) =>
    [one.id, one.formerId].some(
      (name) => name !== null && hasName(thing, name) && isSame(thing, one, name),
    ),
  )
}

function withBrought(things: readonly Thing[], one: Brought, turn: number): readonly Thing[] {
  const same = sameAs(things, one)
  const made = same.length === 0 ? newThing(one, turn) : joined(same, one, turn)
  const others = things.filter((thing) => !same.includes(thing))
  // An id is never anybody's former one, and a former one has one holder, within a type.
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

/** Ids tell; but a made-up one may be given again, to something else. */
function isSame(thing: Thing, one: Brought, name: string): boolean {
  if (thing.id === one.id || !stands(thing)) return true
  if (stands(one)) return thing.id === name
  return thing.type === one.type && thing.label.toLowerCase() === one.label.toLowerCase()
}

function newThing(one: Brought, turn: number): Thing {
  const { id, type, label, state, backed, formerId } = one
  const former = formerId === null || formerId === id ? [] : [formerId]
  const times = { created: turn, named: turn, since: turn }
  return { id, type, label, state, backed, former, ...times, rejected: false }
}

function joined(same: readonly Thing[], one: Brought, turn: number): Thing {
  const main = same.find(stands) ?? same.find(({ backed }) => backed) ?? same[0]
  if (main === undefined) throw new Error('one of them is there')
  const id = stands(main) && !stands(one) ? main.id : one.id
  // What a database says is not told otherwise by a draft.
  const told = one.backed || !main.backed ? one : main
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
    ...{ id, state, type: told.type, label: told.label, rejected: false },
    former: [...names],
    backed: one.backed || same.some(({ backed }) => backed),
    created: Math.min(...same.map(({ created }) => created)),
    named: turn,
    // A draft that is made anew waits anew.
    since: state === 'pending' && !one.backed ? turn : Math.min(turn, ...sinces),
  }
}

function withReplaced(things: readonly Thing[], one: Brought, turn: number): readonly Thing[] {
  if (one.replaces === null) return things
  const other = findNamed(things, one.replaces, one.type)
  if (other === undefined || other === find(things, one.id, one.type)) return things
  // A draft takes no place of a row.
  if (other.backed && !one.backed) return things
  return things.map((thing) =>
    thing === other ? { ...inState(thing, 'inactive', turn), rejected: true } : thing,
  )
}

function counted(before: readonly Thing[], after: readonly Thing[], done: readonly Brought[]) {
  const now = ({ id, type }: Brought) => (find(after, id, type) ?? find(before, id, type))?.id ?? id
  const ids = (all: readonly Brought[]): ReadonlySet<string> => new Set(all.map(now))
  const made = done.filter(({ action }) => action !== 'delete')
  const writes = made.filter(({ source }) => source === 'db_write')
  const created = ids(
    writes.filter(({ id, type, action }) =>
      action === null ? find(before, id, type)?.backed !== true : action === 'create',
    ),
  )
  const written = ids(writes)
  // Drafts of two types may have one name; here they are counted apart.
  const keyed = (all: readonly Brought[]) => new Set(all.map((one) => `${one.type} ${now(one)}`))
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
    // A draft that is thrown away was no row.
    deleted: ids(done.filter(({ action, backed }) => action === 'delete' && backed)),
    generated: generated.size,
    saved: generated.union(waited).intersection(keyed(writes)).size,
  }
}
