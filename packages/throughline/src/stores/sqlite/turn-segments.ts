/** Whose rows hold the turns of a conversation: a fork has the first so many of its source. */
import type { Seq } from '../../domain/ids.ts'
import type { Cell } from './cells.ts'
import type { SqliteConnection } from './connection.ts'
import { conversationByPk } from './find.ts'
import type { ConversationRow } from './rows.ts'

/** Turns of one owner; `from` in it, `to` not. */
export interface TurnSegment {
  readonly pk: number
  readonly from: number
  readonly to: number
}

/** Oldest first; they tile the turns. */
export function turnSegmentsOf(
  connection: SqliteConnection,
  row: ConversationRow,
): readonly TurnSegment[] {
  const segments: TurnSegment[] = []
  let owner = row
  let to = newestTurn(connection, row) + 1
  for (;;) {
    const from = (owner.fork?.turns ?? 0) + 1
    if (from < to) segments.unshift({ pk: owner.pk, from, to })
    if (owner.fork === null || from === 1) return segments
    to = from
    owner = conversationByPk(connection, owner.fork.pk)
  }
}

export function newestTurn(connection: SqliteConnection, { pk, fork }: ConversationRow): number {
  const found = connection.get(
    'SELECT max(turn) AS newest FROM turns WHERE conversation = ?',
    pk,
  )?.['newest']
  return isNone(found) ? (fork?.turns ?? 0) : Number(found)
}

function isNone(cell: Cell): cell is null | undefined {
  return cell === null || cell === undefined
}

/** The last turn up to which all messages lie before a place. */
export function turnsBefore(
  connection: SqliteConnection,
  row: ConversationRow,
  place: Seq,
): number {
  for (const { pk, from, to } of turnSegmentsOf(connection, row)) {
    const found = connection.get(
      `SELECT min(turn) AS behind FROM turns
       WHERE conversation = ? AND turn >= ? AND turn < ? AND messages_to > ?`,
      pk,
      from,
      to,
      place,
    )?.['behind']
    if (!isNone(found)) return Number(found) - 1
  }
  return newestTurn(connection, row)
}

/** Up to this turn it reads what another one has, which it goes on from. */
export function turnsSharedWith(
  connection: SqliteConnection,
  row: ConversationRow,
  other: number,
): number {
  let shared = newestTurn(connection, row)
  let owner = row
  while (owner.pk !== other && owner.fork !== null) {
    shared = Math.min(shared, owner.fork.turns)
    owner = conversationByPk(connection, owner.fork.pk)
  }
  return shared
}

/** Gives a conversation rows of its own of turns that another one reads; `from` in it, `to` not. */
export function copyTurns(
  connection: SqliteConnection,
  { of, to }: { readonly of: ConversationRow; readonly to: number },
  turns: { readonly from: number; readonly to: number },
): void {
  for (const segment of turnSegmentsOf(connection, of)) {
    const [from, end] = [Math.max(segment.from, turns.from), Math.min(segment.to, turns.to)]
    for (const [table, cells] of copied)
      connection.run(
        `INSERT INTO ${table} (conversation, ${cells})
         SELECT ?, ${cells} FROM ${table} WHERE conversation = ? AND turn >= ? AND turn < ?`,
        to,
        segment.pk,
        from,
        end,
      )
  }
}

const copied = [
  ['turns', 'turn, messages_from, messages_to, body'],
  ['steps', 'turn, step, body'],
] as const
