/**
 * The entities of a turn memory in their order, found by name: an id or a former id. Within a type,
 * a name belongs to one entity: the one that was put last, unless it is the id of another.
 */
import { type Entity, isBacked, isReal } from '../../domain/entity.ts'
import type { TurnEntity } from '../../domain/turn-memory.ts'
import { foldedText } from '../turn-text.ts'

export class EntityTable {
  readonly #entries: (Entity | null)[] = []
  readonly #indexOfKey = new Map<string, number>()
  readonly #indexesOfName = new Map<string, Set<number>>()

  constructor(entities: readonly Entity[]) {
    for (const entity of entities) this.put(entity, [])
  }

  /** By its id or a former id. */
  find(name: string, type: string): Entity | null {
    return this.#entries[this.#indexOfKey.get(keyOf(name, type)) ?? -1] ?? null
  }

  /** Like `find`; without a match of that type, the only match of any type. */
  findNamed(name: string, type: string | null): Entity | null {
    const typed = type === null ? null : this.find(name, type)
    if (typed !== null) return typed
    const [first, ...others] = this.#indexesOfName.get(name) ?? []
    return first === undefined || others.length > 0 ? null : (this.#entries[first] ?? null)
  }

  isAmbiguous(name: string): boolean {
    return (this.#indexesOfName.get(name)?.size ?? 0) > 1
  }

  /** Puts an entity in the place of the first that it replaces. */
  put(entity: Entity, insteadOf: readonly Entity[]): void {
    const { id, type } = entity
    let index = this.#entries.length
    for (const old of insteadOf)
      index = Math.min(index, this.#indexOfKey.get(keyOf(old.id, old.type)) ?? index)
    for (const old of insteadOf) this.remove(old)
    this.#release(id, type)
    const aliases = [...new Set(entity.aliases)].filter(
      (alias) => alias !== id && this.find(alias, type)?.id !== alias,
    )
    for (const alias of aliases) this.#release(alias, type)
    this.#entries[index] =
      aliases.length === entity.aliases.length ? entity : { ...entity, aliases }
    for (const name of [id, ...aliases]) {
      this.#indexOfKey.set(keyOf(name, type), index)
      this.#indexesOfName.set(name, (this.#indexesOfName.get(name) ?? new Set()).add(index))
    }
  }

  remove({ id, type }: Pick<Entity, 'id' | 'type'>): void {
    const index = this.#indexOfKey.get(keyOf(id, type))
    const entity = this.find(id, type)
    if (index === undefined || entity === null) return
    this.#entries[index] = null
    for (const name of [entity.id, ...entity.aliases]) this.#forget(name, type, index)
  }

  entities(): readonly Entity[] {
    return this.#entries.filter((entity) => entity !== null)
  }

  #release(name: string, type: string): void {
    const index = this.#indexOfKey.get(keyOf(name, type))
    const holder = this.find(name, type)
    if (index === undefined || holder === null) return
    if (holder.id === name) {
      this.remove(holder)
      return
    }
    this.#entries[index] = { ...holder, aliases: holder.aliases.filter((alias) => alias !== name) }
    this.#forget(name, type, index)
  }

  #forget(name: string, type: string, index: number): void {
    this.#indexOfKey.delete(keyOf(name, type))
    this.#indexesOfName.get(name)?.delete(index)
  }
}

/** Case and spaces do not distinguish types. */
function keyOf(name: string, type: string): string {
  return `${type.trim().toLowerCase()}\0${name}`
}

/** `name` is the id or former id of `reported` by which `known` was found. */
export function isSameEntity(known: Entity, reported: TurnEntity, name: string): boolean {
  if (known.id === reported.id) return true
  // A temporary id means only the entity that has this name.
  if (!isReal(known)) return true
  // Two rows of a database differ, unless one is reported as the former id of the other.
  if (isReal(reported)) return known.id === name
  const isNew = !isBacked(reported) || reported.action === 'create'
  return !isNew || hasSameLabel(known, reported)
}

function hasSameLabel(known: Entity, reported: TurnEntity): boolean {
  return known.type === reported.type && foldedText(known.label) === foldedText(reported.label)
}

export function reportedNames({ id, formerId }: TurnEntity): readonly string[] {
  return formerId === null || formerId.trim() === '' || formerId === id ? [id] : [id, formerId]
}
