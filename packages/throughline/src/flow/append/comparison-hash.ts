/** The hash by which a client's copy of messages is recognized, whatever its spelling. */
import { comparisonText, type Sha256 } from '../../domain/hash.ts'
import type { Message, MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { checkContent } from '../check/check-parts.ts'

/**
 * A hash that is equal for two spellings of the same messages: text or a list with one text, other cache hints,
 * other white space at the end of a text, an answer in one piece or in several. Several messages, such as the
 * pieces of an answer, have one hash.
 *
 * @example
 * const { messages } = openaiChat.read(request)
 * const isKnown = messages.at(-1) !== undefined && known.has(comparisonHash(messages.slice(-1)))
 */
export function comparisonHash(messages: readonly (Message | MessageInput)[]): string {
  return sha256(comparisonText(messages.map((message) => comparedMessage(message, sha256))))
}

function comparedMessage(message: Message | MessageInput, hash: Sha256) {
  const { role, author = null } = message
  if ('parts' in message) return { role, author, parts: message.parts }
  const sink = { sha256: hash, files: [], bytesMax: Number.MAX_SAFE_INTEGER }
  return { role, author, parts: checkContent(message.content, 'messages', sink) }
}
