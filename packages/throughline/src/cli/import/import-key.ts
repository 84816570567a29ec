/**
 * The key of a message in a conversation that is not its own: the one of the transcript that it
 * comes from, and its key there. So two transcripts can be imported into one conversation.
 */
import { createHash } from 'node:crypto'

/** The engine takes keys of 1,024 characters. */
const keyLengthMax = 1_024

export function importKey(conversationId: string, key: string | undefined): string | undefined {
  if (key === undefined) return undefined
  const whole = `${conversationId}/${key}`
  if (whole.length <= keyLengthMax) return whole
  return createHash('sha256').update(whole).digest('hex')
}
