/**
 * Nothing that a file supplied has the authority of the system in a later request: that is for the prompt
 * that the user gives. Two things of a file could have it: a prompt in its metadata, where chats keep
 * theirs, and messages of the role `system` in its log.
 *
 * The command line appends no such messages itself, so each in a log was imported, or written by another
 * program for its own requests. Its place and its words stay; they are set apart as data.
 */

import type { Context, ContextMessage, JsonObject } from '../index.ts'
import { dataBlock, wordsOf } from '../toolkit/index.ts'

/** Where a chat keeps the prompt that the user gave, in the metadata of its conversation. */
export const systemField = 'chatSystem'

/** Metadata of a file: a prompt in it stays readable, where no chat takes it from. */
export function importedMeta(meta: JsonObject | null): JsonObject | null {
  if (meta === null || !Object.hasOwn(meta, systemField)) return meta
  const { [systemField]: prompt = null, ...rest } = meta
  return { system: prompt, ...rest }
}

/** The tokens for the block were counted: providers without that role between messages get it so, too. */
export function withoutAuthority(context: Context): Context {
  return { ...context, messages: context.messages.map(asData) }
}

function asData(message: ContextMessage): ContextMessage {
  if (message.role !== 'system' || message.seq === null) return message
  const text = message.parts.flatMap((part) => wordsOf(part) ?? []).join('\n\n')
  const block = dataBlock('system message of the transcript', text)
  return { ...message, role: 'user', parts: [{ type: 'text', text: block, metadata: null }] }
}
