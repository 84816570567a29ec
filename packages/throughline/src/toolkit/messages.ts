/** Parses and redacts messages as the engine does, for programs that show or measure them. */
import type { Message, MessageInput, Part } from '../domain/message.ts'
import { redactSecrets } from '../extract/redact-secrets.ts'
import { sealMessages } from '../flow/append/append.ts'
import { redactLogMessage, redactStrings } from '../flow/redact/redact-message.ts'
import { sha256 } from '../system.ts'

/**
 * Parses messages as a log would store them, without a log: checked, with complete parts.
 *
 * @example
 * const [message] = parseMessages([{ role: 'user', content: 'And the invoice?' }])
 * console.log(message?.parts)
 */
export function parseMessages(messages: readonly MessageInput[]): readonly Message[] {
  return sealMessages(messages, sha256)
}

/**
 * The parts of a message without its secrets. The result for a stored message is cached. Of a giant
 * message only the start and the end are read, as in recall and summaries.
 *
 * @example
 * for await (const message of chat.messages()) console.log(redactMessage(message))
 */
export function redactMessage(message: Message | Pick<Message, 'role' | 'parts'>): readonly Part[] {
  if ('hashes' in message) return redactLogMessage(message).message.parts
  return redactStrings({ seq: 0, ...message }, (text) => redactSecrets(text).text).parts
}
