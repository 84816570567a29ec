/** Messages to drop, and meters of every grain, for tests of the rule digest. */
import type { MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { sealMessages } from '../append/append.ts'
import type { DroppedMessages } from './digest-lines.ts'

/** Some as no tokenizer counts. */
export const counters = {
  characters: (text: string) => text.length,
  fours: (text: string) => Math.ceil(text.length / 4),
  bytes: (text: string) => new TextEncoder().encode(text).length,
  words: (text: string) => text.split(/\s+/).length,
  squares: (text: string) => text.length ** 2,
  nothing: () => 0,
} as const

export const meter = { text: counters.fours }

export function dropped(messages: Iterable<MessageInput>): DroppedMessages {
  return { messages: sealMessages([...messages], sha256), calls: new Map() }
}
