import type { JsonValue } from './json.ts'

/** Generated and waiting; confirmed or from a database; rejected, replaced or stale. */
export type EntityState = 'pending' | 'active' | 'inactive'

/** Where an entity comes from. */
export type EntitySource = 'db_read' | 'db_write' | 'generate' | 'analyze'

/**
 * A thing that the turns of an agent are about, such as a recipe or a task, with its state. What was
 * generated waits (`pending`) until a write has made it real. Plain JSON.
 */
export interface Entity {
  readonly id: string
  /** An open set: `recipe`, `task`, … */
  readonly type: string
  /** Its name among people. */
  readonly label: string
  /** Ids that it had before: temporary ones, whose place a real one has taken. */
  readonly aliases: readonly string[]
  readonly state: EntityState
  readonly source: EntitySource
  readonly turnCreated: number
  /** The last turn that named it, or that brought it. */
  readonly turnLastRef: number
  /** The last turn that said anything new of it. */
  readonly turnUpdated: number
  /** The turn in which it came into its state. */
  readonly since: number
  /** Somebody wanted to be rid of it: its name alone does not bring it back. */
  readonly rejected: boolean
  readonly subdomain: string | null
  /** As it was then: kept for what was generated and exists nowhere else. */
  readonly data: JsonValue | null
}

/** Whether a database has answered for it. */
export function isBacked({ source }: Pick<Entity, 'source'>): boolean {
  return source === 'db_read' || source === 'db_write'
}

/** A database has answered for it, under an id that it may have given itself. */
export function isReal(entity: Pick<Entity, 'id' | 'source'>): boolean {
  return isBacked(entity) && !isTemporaryId(entity.id)
}

/** By its form alone; where it came from is looked at elsewhere. */
export function isTemporaryId(id: string): boolean {
  const text = id.normalize('NFKC').trim()
  return text === '' || made.test(text) || numbered.test(text) || blank.test(text)
}

/** `temp_recipe_1`, `TMP-3`, `gen:soup`, `temp12`; but `temperature`, `genre-3`, `general`. */
const made = /^(?:temp|tmp|temporary|gen|generated|placeholder|unsaved)(?:[^\p{L}\p{N}]|\d+$|$)/iu

/** These words also begin names that people give (`new-york`), so only a number may follow. */
const numbered = /^(?:new|draft|local|pending|unknown)(?:[^\p{L}\p{N}]?\d+)?$/iu

/** What stands where an id was to be filled in. */
const blank = /^(?:undefined|null|nan|\[object object\]|<[^<>]*>|\$?\{[^{}]*\}|\{\{[^{}]*\}\})$/iu
