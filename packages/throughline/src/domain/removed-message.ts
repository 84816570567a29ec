/**
 * A message that was removed keeps its place and its role, and has no parts: places never move,
 * and what names one goes on naming it. To everybody who makes something of the log it is not there.
 */
import { canonicalHash } from './canonical.ts'
import type { Sha256 } from './hash.ts'
import type { Mark, Message, Role } from './message.ts'
import { encodeBody } from './message-body.ts'
import type { SealedMessage } from './sealed-message.ts'

/** The mark of a message that was removed. See `isRemoved`. */
export const removedMark: Mark = { kind: 'removed' }

/**
 * Whether a message was removed: it has its place and its role, and no words.
 *
 * @example
 * const shown = messages.filter((message) => !isRemoved(message))
 * const marks = [removedMark] // of the row that stands there instead
 */
export function isRemoved({ marks }: { readonly marks?: Message['marks'] | undefined }): boolean {
  return marks?.some(({ kind }) => kind === 'removed') ?? false
}

/** What stands in the place of a message of that role. */
export function removedMessage(role: Role, sha256: Sha256): RemovedMessage {
  const message = { role, author: null, parts: [], status: 'complete', meta: null } as const
  const body = encodeBody(message)
  const contentHash = sha256(body)
  return {
    body,
    raw: null,
    contentHash,
    identityHash: contentHash,
    canonicalHash: canonicalHash(message, sha256),
    calls: [],
    answers: [],
    files: [],
  }
}

export type RemovedMessage = Omit<SealedMessage, 'createdAt' | 'key'>
