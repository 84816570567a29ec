/** Reads the messages of a request into those to append, with the atoms by which they are compared with a log. */
import type { ContextMessage, Deliverable } from '../domain/context.ts'
import type { Sha256 } from '../domain/hash.ts'
import type { MessageInput, Part } from '../domain/message.ts'
import type { FileContent } from '../domain/sealed-message.ts'
import { checkJsonObjectOrNull } from '../flow/check/check-fields.ts'
import { checkContent } from '../flow/check/check-parts.ts'
import type { Reading } from '../ports/adapter.ts'
import { sha256 } from '../system.ts'
import { type Atom, atomsOf } from './match.ts'

/** A message to append, and its atoms: one for each part that is compared with the log. */
export interface ReadMessage {
  readonly input: MessageInput
  readonly atoms: readonly Atom[]
}

export function readMessages(reading: Reading): readonly ReadMessage[] {
  const { messages: checked } = buildDeliverable(reading, sha256)
  return reading.messages.map((input, index) => {
    const { role, parts } = checked[index] ?? { role: input.role, parts: [] as readonly Part[] }
    return { input, atoms: atomsOf({ role, parts }, true) }
  })
}

/** The messages after the first `knownAtoms` atoms. A message without atoms is not new. */
export function newMessages(messages: readonly ReadMessage[], knownAtoms: number) {
  let atomsBefore = 0
  return messages.flatMap(({ input, atoms }) => {
    const knownInMessage = knownAtoms - atomsBefore
    atomsBefore += atoms.length
    const firstNew = atoms[Math.max(0, knownInMessage)]
    if (firstNew === undefined) return []
    if (knownInMessage <= 0 || typeof input.content === 'string') return [input]
    return [{ ...input, content: input.content.slice(firstNew.partIndex) }]
  })
}

/** Builds a request with all messages of a reading, whatever its size. */
export function buildDeliverable(reading: Reading, sha256: Sha256): Deliverable {
  const files: FileContent[] = []
  const sink = { sha256, files, bytesMax: Number.POSITIVE_INFINITY }
  const messages = reading.messages.map(
    (message: MessageInput, seq): ContextMessage => ({
      role: message.role,
      author: message.author ?? null,
      parts: checkContent(message.content, `messages[${seq}].content`, sink),
      meta: checkJsonObjectOrNull(message.meta, `messages[${seq}].meta`),
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
