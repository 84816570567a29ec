/** Titles that were made from messages, made again where those have changed. */
import type { Seq } from '../../domain/ids.ts'
import { remadeTitle } from '../remade-title.ts'
import type { SqliteConnection } from './connection.ts'
import { conversationByPk } from './find.ts'
import { readSpan } from './read.ts'
import { hashConversation } from './row-hash.ts'

/** Called after messages at these places have changed. */
export function remakeTitle(
  connection: SqliteConnection,
  pk: number,
  places: readonly Seq[],
): void {
  const row = conversationByPk(connection, pk)
  const { title, titleFrom } = remadeTitle(row.conversation, places, (seq) => {
    const [message] = readSpan(connection, row, { from: seq, to: seq + 1 })
    return message ?? null
  })
  if (title !== row.conversation.title || titleFrom !== row.conversation.titleFrom)
    writeTitle(connection, pk, { title, seq: titleFrom })
}

interface TitleCells {
  readonly title: string | null
  readonly seq: Seq | null
}

function writeTitle(connection: SqliteConnection, pk: number, { title, seq }: TitleCells): void {
  connection.run('UPDATE conversations SET title = ?, title_seq = ? WHERE pk = ?', title, seq, pk)
  hashConversation(connection, pk)
}
