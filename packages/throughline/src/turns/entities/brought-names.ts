/** The names under which a turn brings something: its id, and the one that it had before. */
import type { TurnEntity } from '../../domain/agent-turn.ts'

export function broughtNames({ id, formerId }: TurnEntity): readonly string[] {
  return formerId === null || formerId.trim() === '' || formerId === id ? [id] : [id, formerId]
}
