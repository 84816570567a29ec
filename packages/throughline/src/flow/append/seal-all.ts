/** Messages that the caller keeps, as messages of ours: checked, hashed, and with their places. */
import { defaults } from '../../defaults.ts'
import type { Sha256 } from '../../domain/hash.ts'
import { conversationId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { MessageInput } from '../../domain/message-input.ts'
import { elements } from '../check/check-fields.ts'
import { invalidOption } from '../check/check-options.ts'
import { reading } from './reading.ts'
import { sealMessage } from './seal-message.ts'
import { unplacedMessage } from './unsealed-message.ts'

const id = conversationId('given')

export function sealAll(messages: readonly MessageInput[], sha256: Sha256): readonly Message[] {
  if (!Array.isArray(messages)) throw invalidOption('messages must be an array of messages')
  const settings = { sha256, now: 0, messageBytesMax: defaults.messageBytesMax.value }
  return reading(() =>
    elements(messages).map((message, seq) =>
      unplacedMessage(sealMessage(message, `messages[${seq}]`, settings), id, seq),
    ),
  )
}
