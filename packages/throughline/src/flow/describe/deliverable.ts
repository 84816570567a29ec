/** A request that was read, as it would be delivered if nothing had to be left out. */
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { Sha256 } from '../../domain/hash.ts'
import type { MessageInput } from '../../domain/message-input.ts'
import type { FileContent } from '../../domain/sealed-message.ts'
import type { Reading } from '../../ports/adapter.ts'
import { jsonObjectOrNull } from '../check/check-fields.ts'
import { checkContent } from '../check/check-parts.ts'

export function deliverable(reading: Reading, sha256: Sha256): Deliverable {
  const files: FileContent[] = []
  const sink = { sha256, files, bytesMax: Number.POSITIVE_INFINITY }
  const messages = reading.messages.map(
    (message: MessageInput, seq): ContextMessage => ({
      role: message.role,
      author: message.author ?? null,
      parts: checkContent(message.content, `messages[${seq}].content`, sink),
      meta: jsonObjectOrNull(message.meta, `messages[${seq}].meta`),
      seq,
      slot: 'recent',
    }),
  )
  return {
    system: reading.system,
    tools: reading.tools,
    messages,
    files: new Map(files.map((file) => [file.sha256, file.bytes])),
    breakpoints: [],
  }
}
