/** Titles that were made from messages: found out where that is not known yet, and made again. */
import type { Seq } from '../../domain/ids.ts'
import { isTitleOf } from '../../extract/title.ts'
import { remadeTitle } from '../remade-title.ts'
import type { SqliteConnection } from './connection.ts'
import { conversationByPk } from './find.ts'
import { readSpan } from './read.ts'
import { hashConversation } from './row-hash.ts'
import { type ConversationRow, unknownTitleSeq } from './rows.ts'

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

/**
 * A file of an earlier release does not say where a title is from. One that equals what we made from
 * a message is derived from it; every other is taken for the caller's. Called before messages change.
 */
export function settleTitle(connection: SqliteConnection, pk: number): void {
  const unknown = connection.get(
    'SELECT title FROM conversations WHERE pk = ? AND title_seq = ?',
    pk,
    unknownTitleSeq,
  )
  const title = unknown?.['title']
  if (typeof title !== 'string') return
  const seq = sourceOf(connection, conversationByPk(connection, pk), title)
  writeTitle(connection, pk, { title, seq })
}

/** Earlier releases looked no further. */
const messagesRead = 200

function sourceOf(connection: SqliteConnection, row: ConversationRow, title: string): Seq | null {
  for (let seq = 0; seq < Math.min(messagesRead, row.conversation.head); seq += 1) {
    const [message] = readSpan(connection, row, { from: seq, to: seq + 1 })
    if (message?.role === 'user' && isTitleOf(title, { ...message, content: message.parts }))
      return seq
  }
  return null
}

interface TitleCells {
  readonly title: string | null
  readonly seq: Seq | null
}

function writeTitle(connection: SqliteConnection, pk: number, { title, seq }: TitleCells): void {
  connection.run('UPDATE conversations SET title = ?, title_seq = ? WHERE pk = ?', title, seq, pk)
  hashConversation(connection, pk)
}
