/** Collects the reply of a provider, from a JSON body or from the events of a stream. */
import { type Fields, isObject } from '../adapters/unknown-json.ts'
import type { MessageInput, MessageStatus } from '../domain/message.ts'

export interface ReplyReader {
  /** A whole reply, or an event of a stream. */
  whole(body: Fields): void
  event(event: Fields): void
  /** `messages` is empty where there is nothing to keep. Called once, at the end of the body. */
  end(): Reply
}

interface Reply {
  readonly messages: readonly MessageInput[]
  readonly usage: object | null
}

/** The last message of a reply that was cut off has the status `incomplete`. */
export function withStatus(
  messages: readonly MessageInput[],
  status: MessageStatus,
): readonly MessageInput[] {
  return messages.map((message, index) =>
    index === messages.length - 1 ? { ...message, status } : message,
  )
}

/** Without fields that are null or an empty list, which mean "none" in replies. */
export function givenFields(fields: Fields): Fields {
  const isGiven = ([, value]: [string, unknown]) =>
    value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)
  return Object.fromEntries(Object.entries(fields).filter(isGiven))
}

export function usageOf(body: Fields): object | null {
  return isObject(body['usage']) ? body['usage'] : null
}
