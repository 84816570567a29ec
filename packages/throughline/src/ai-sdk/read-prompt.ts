/** The prompt of a call of a model, read: system messages at its beginning, then the history. */
import { aiSdk } from '../adapters/ai-sdk.ts'
import { isPlain } from '../adapters/unknown-json.ts'
import type { ContextMessage, Deliverable } from '../domain/context.ts'
import type { Sha256 } from '../domain/hash.ts'
import type { Part } from '../domain/message.ts'
import type { MessageInput } from '../domain/message-input.ts'
import type { FileContent } from '../domain/sealed-message.ts'
import { jsonObjectOrNull } from '../flow/check/check-fields.ts'
import { checkContent } from '../flow/check/check-parts.ts'
import type { Reading } from '../ports/adapter.ts'
import { sha256 } from '../system.ts'
import { type Atom, atomsOf } from './atoms.ts'
import type { PromptMessage } from './call.ts'

interface SplitPrompt {
  readonly system: readonly PromptMessage[]
  readonly messages: readonly PromptMessage[]
}

export function splitPrompt(prompt: readonly PromptMessage[]): SplitPrompt {
  const behind = prompt.findIndex(({ role }) => role !== 'system')
  const from = behind < 0 ? prompt.length : behind
  return { system: prompt.slice(0, from), messages: prompt.slice(from) }
}

export function readSystem(system: readonly PromptMessage[]): Reading['system'] {
  // A border: what stands in a list of instructions is looked at, whatever its type says.
  const instructions = system as unknown as { role: 'system'; content: string }[]
  return aiSdk.read({ instructions, messages: [] }).system
}

/** A message to append, and what it is recognised by. */
export interface ReadMessage {
  readonly input: MessageInput
  readonly atoms: readonly Atom[]
}

export function readMessages(messages: readonly PromptMessage[]): readonly ReadMessage[] {
  const reading = aiSdk.read({ messages })
  const { messages: checked } = deliverable(reading, sha256)
  return reading.messages.map((input, index) => {
    const { role, parts } = checked[index] ?? { role: input.role, parts: [] as readonly Part[] }
    return { input, atoms: atomsOf({ role, parts }, true) }
  })
}

/**
 * The messages of a call as their author wrote them: answers to requests for approval get as
 * far as a call only where the provider runs the tool, and say so no more.
 */
export function asWritten(message: PromptMessage): PromptMessage {
  const { role, content } = message
  if (role !== 'tool' || !Array.isArray(content)) return message
  const parts: readonly unknown[] = content
  return {
    ...message,
    content: parts.map((part) =>
      isPlain(part) && part['type'] === 'tool-approval-response'
        ? { ...part, providerExecuted: true }
        : part,
    ),
  }
}

/** What is left of messages whose first atoms are known. One without any says nothing new. */
export function newMessages(
  messages: readonly ReadMessage[],
  newFrom: number,
): readonly MessageInput[] {
  let place = 0
  return messages.flatMap(({ input, atoms }) => {
    const known = newFrom - place
    place += atoms.length
    const next = atoms[Math.max(0, known)]
    if (next === undefined) return []
    if (known <= 0 || typeof input.content === 'string') return [input]
    return [{ ...input, content: input.content.slice(next.part) }]
  })
}

/** A request that was read, as it would be delivered if nothing had to be left out. */
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
