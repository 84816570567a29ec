import type { JsonValue } from './json.ts'

/** Generated and waiting; confirmed or from a database; rejected, replaced or stale. */
export type EntityState = 'pending' | 'active' | 'inactive'

/** Where an entity comes from. */
export type EntitySource = 'db_read' | 'db_write' | 'generate' | 'analyze'

/**
 * A thing that the turns of an agent are about, such as a recipe or a task, with its state. What
 * was generated waits (`pending`) until a write has made it real. Plain JSON.
 */
export interface Entity {
  readonly id: string
  /** An open set: `recipe`, `task`, … */
  readonly type: string
  /** Its name for people. */
  readonly label: string
  /** Earlier ids: temporary ones that a real one has replaced. */
  readonly aliases: readonly string[]
  readonly state: EntityState
  readonly source: EntitySource
  readonly turnCreated: number
  /** The last turn that named it, or that brought it. */
  readonly turnLastRef: number
  /** The last turn with anything new about it. */
  readonly turnUpdated: number
  /** The turn in which it got its state. */
  readonly since: number
  /** The user rejected it: its name alone does not bring it back. */
  readonly rejected: boolean
  readonly subdomain: string | null
  /** The data then: kept for what was generated and exists nowhere else. */
  readonly data: JsonValue | null
}

/** Whether a database has confirmed it. */
export function isBacked({ source }: Pick<Entity, 'source'>): boolean {
  return source === 'db_read' || source === 'db_write'
}

/** Confirmed by a database, under an id that is not temporary. */
export function isReal(entity: Pick<Entity, 'id' | 'source'>): boolean {
  return isBacked(entity) && !isTemporaryId(entity.id)
}

/** By its form alone; its source is checked elsewhere. */
export function isTemporaryId(id: string): boolean {
  const text = id.normalize('NFKC').trim()
  return text === '' || temporary.test(text) || numbered.test(text) || unfilled.test(text)
}

/** `temp_recipe_1`, `TMP-3`, `gen:soup`, `temp12`; but `temperature`, `genre-3`, `general`. */
const temporary =
  /^(?:temp|tmp|temporary|gen|generated|placeholder|unsaved)(?:[^\p{L}\p{N}]|\d+$|$)/iu

/** These words also begin names that people give (`new-york`), so only a number may follow. */
const numbered = /^(?:new|draft|local|pending|unknown)(?:[^\p{L}\p{N}]?\d+)?$/iu

/** An unfilled placeholder for an id. */
const unfilled =
  /^(?:undefined|null|nan|\[object object\]|<[^<>]*>|\$?\{[^{}]*\}|\{\{[^{}]*\}\})$/iu
