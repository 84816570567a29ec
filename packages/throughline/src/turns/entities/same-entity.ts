/**
 * Whether what a turn has brought is an entity that is known. Its id tells, but a name that an
 * entity had before may be given again: agents count their temporary ids from one in each turn.
 */
import type { TurnEntity } from '../../domain/agent-turn.ts'
import { type Entity, isBacked, isReal } from '../../domain/entity.ts'
import { foldedText } from '../folded-text.ts'

/** Whether `known`, which has or had this name, is meant; the name is the id or the former one. */
export function isSameEntity(known: Entity, brought: TurnEntity, name: string): boolean {
  if (known.id === brought.id) return true
  // Its name was made up, and is the only one that there is.
  if (!isReal(known)) return true
  // Two rows of a database are two, unless one is said to have been the other.
  if (isReal(brought)) return known.id === name
  const beginsAnew = !isBacked(brought) || brought.action === 'create'
  return !beginsAnew || hasSameName(known, brought)
}

function hasSameName(known: Entity, brought: TurnEntity): boolean {
  return known.type === brought.type && foldedText(known.label) === foldedText(brought.label)
}
