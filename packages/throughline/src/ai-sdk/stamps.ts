/**
 * Stamps on messages that we made: what `prepareStep` returns comes back with the next
 * step, and may be kept by the application. A stamp is an option of the message under our
 * name, which the SDK carries along and providers pass over.
 */
import { isPlain } from '../adapters/unknown-json.ts'
import type { Seq } from '../domain/ids.ts'
import type { PromptMessage } from './call.ts'

const optionsKey = 'throughline'

/** What a message was shown from. */
export interface Stamp {
  readonly conversation: string
  /** How long its log was then: what came since is not among the stamped messages. */
  readonly head: Seq
}

export function stamped<Message extends object>(message: Message, stamp: Stamp): Message {
  const { providerOptions } = message as { readonly providerOptions?: unknown }
  const options = isPlain(providerOptions) ? providerOptions : {}
  return { ...message, providerOptions: { ...options, [optionsKey]: { ...stamp } } }
}

/** Null where a message is not ours. */
function stampOf({ providerOptions }: PromptMessage): Stamp | null {
  const own = isPlain(providerOptions) ? providerOptions[optionsKey] : null
  if (!isPlain(own)) return null
  const { conversation, head } = own
  return typeof conversation === 'string' && Number.isSafeInteger(head) && Number(head) >= 0
    ? { conversation, head: Number(head) }
    : null
}

export interface Unstamped<Message> {
  /** Of the last stamped message; null where there are none. */
  readonly stamp: Stamp | null
  /** What stands behind it. */
  readonly messages: readonly Message[]
}

/**
 * Only stamps of the named conversation and its forks count: messages may come from a client
 * that writes into them what it likes, and must not get at another conversation by it.
 */
export function unstamped<Message extends PromptMessage>(
  messages: readonly Message[],
  named: string,
): Unstamped<Message> {
  const ownStamp = (message: Message | undefined): Stamp | null => {
    const stamp = message === undefined ? null : stampOf(message)
    return stamp !== null && isOf(stamp.conversation, named) ? stamp : null
  }
  const last = messages.findLastIndex((message) => ownStamp(message) !== null)
  return { stamp: ownStamp(messages[last]), messages: messages.slice(last + 1) }
}

function isOf(conversation: string, named: string): boolean {
  if (!conversation.startsWith(named)) return false
  return /^(?:~\d+)*$/.test(conversation.slice(named.length))
}
