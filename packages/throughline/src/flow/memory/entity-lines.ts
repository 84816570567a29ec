/**
 * Entities in lines. A name may stem from anywhere: it has one line, and what we know of it stands
 * before it, so that no name can tell of another entity, or that it is saved.
 */
import type { Entity } from '../../domain/entity.ts'
import type { MemoryReader, TurnMemory } from '../../domain/turn-memory.ts'
import type { TurnRules } from '../../domain/turn-rules.ts'
import { cutText } from '../text/cut-text.ts'
import { oneLine } from '../text/one-line.ts'
import { recentFirst, unsavedEntities } from './active-entities.ts'
import { lineBlock, type MemoryBlock } from './memory-block.ts'

/** The most recent first, whatever their types: the last ones are left out where room is short. */
export function entityBlock(
  { activeEntities, entities }: TurnMemory,
  reader: MemoryReader,
  rules: TurnRules,
): MemoryBlock {
  // Whoever plans says which of them to save, and whoever acts saves them: neither may use their ids.
  const unsaved = new Set(unsavedEntities(entities, rules))
  const notes = (entity: Entity) => [
    ...(unsaved.has(entity) ? ['not saved yet'] : []),
    ...(reader === 'condensed' ? [] : [`turn ${entity.turnLastRef}`]),
  ]
  const lines = recentFirst([...activeEntities, ...unsaved]).map((entity) =>
    entityText(entity, notes(entity)),
  )
  const of = entities.filter(({ state }) => state !== 'inactive').length
  return lineBlock('entities: type, id, name', lines, { of })
}

export function entityText({ type, id, label }: Entity, notes: readonly string[]): string {
  const known = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  return `${shortName(type)} ${shortName(id)}${known}: ${shortName(label)}`
}

export function shortName(name: string): string {
  return cutText(oneLine(name), nameCharacters)
}

const nameCharacters = 160
