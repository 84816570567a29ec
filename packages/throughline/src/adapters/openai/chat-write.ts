/**
 * A context in the form of chat completions.
 *
 * A call's results must stand directly behind its message, so messages that call one
 * after the other become one, and results are brought up to their call. Messages
 * that only speak stay as many as they are.
 */
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { Part, TextPart } from '../../domain/message.ts'
import type { Files } from '../media.ts'
import { nothingText } from '../plain-text.ts'
import { isSound } from '../rules.ts'
import type { Fields } from '../unknown-json.ts'
import { wellFormed } from '../well-formed.ts'
import { checkName } from './chat-rules.ts'
import {
  answerMessage,
  contentOf,
  type OpenaiChatMessage,
  type OpenaiChatRequest,
  speakerOf,
  toolResultMessage,
} from './chat-write-message.ts'
import { factsOf, keptFields, wireOf } from './notes.ts'
import { callsOf, pairedMessages, resultOf } from './pairs.ts'
import { writeTools } from './tools.ts'

export function writeChat(context: Deliverable): OpenaiChatRequest {
  const whole = withoutHalfLegacy(context.messages)
  const messages = inOrder(mergedCalls(pairedMessages(whole, isLegacy)))
  const tools = writeTools(context.tools, 'chat')
  const written = [
    ...instructionGroups(context.system).map(instruction),
    ...messages.flatMap((message) => writeMessage(message, context.files) ?? []),
  ]
  const messagesOrNothing = written.length === 0 ? [nothing] : written
  return wellFormed({ messages: messagesOrNothing, ...(tools.length === 0 ? {} : { tools }) })
}

/** Stands where everything was left out: the service takes no empty list. */
const nothing: OpenaiChatMessage = { role: 'user', content: nothingText }

function instructionGroups(system: readonly TextPart[]): readonly (readonly TextPart[])[] {
  const groups: TextPart[][] = []
  for (const part of system) {
    const group = groups.at(-1)
    const continues = wireOf(part.metadata, 'chat')['continues'] === true
    const open = wireOf(group?.[0]?.metadata, 'chat')['content'] === 'parts'
    if (group !== undefined && continues && open) group.push(part)
    else groups.push([part])
  }
  return groups
}

function instruction(parts: readonly TextPart[]): OpenaiChatMessage {
  const metadata = parts[0]?.metadata
  const kept = keptFields(wireOf(metadata, 'chat')['message'], ['role', 'content'])
  return {
    ...keptFields(kept, isSound((report) => checkName(kept['name'], '', report)) ? [] : ['name']),
    role: instructionRole(factsOf(metadata)),
    content: contentOf(parts, 'system', new Map()) ?? '',
  }
}

function instructionRole({ role }: Fields): string {
  return role === 'developer' ? 'developer' : 'system'
}

/** Assistant messages behind a call and before its results become one message with it. */
function mergedCalls(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const merged: ContextMessage[] = []
  for (const message of messages) {
    const last = merged.at(-1)
    if (last !== undefined && message.role === 'assistant' && waits(last))
      merged[merged.length - 1] = { ...last, parts: [...last.parts, ...message.parts] }
    else merged.push(message)
  }
  return merged
}

function waits(message: ContextMessage): boolean {
  return message.role === 'assistant' && callsOf(message).some((call) => !isLegacy(call))
}

/** Each message that calls, and directly behind it its results as they came. */
function inOrder(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const places = Map.groupBy(
    messages.keys(),
    (index) => resultOf(messages[index] as ContextMessage)?.callId ?? '',
  )
  const taken = new Set<number>()
  return messages.flatMap((message, index) => {
    const result = resultOf(message)
    if (result !== null && !isLegacy(result)) return []
    const behind = callsOf(message).flatMap((call) => {
      const place = places.get(call.callId)?.find((at) => at > index && !taken.has(at))
      if (place === undefined || isLegacy(call)) return []
      taken.add(place)
      return [place]
    })
    const results = behind.sort((one, other) => one - other).flatMap((at) => messages[at] ?? [])
    return [message, ...results]
  })
}

function writeMessage(message: ContextMessage, files: Files): OpenaiChatMessage | null {
  switch (message.role) {
    case 'system': {
      const content = contentOf(message.parts, 'system', files)
      const role = instructionRole(factsOf(message.meta))
      return content === null ? null : { ...speakerOf(message), role, content }
    }
    case 'user': {
      const content = contentOf(message.parts, 'user', files)
      return content === null ? null : { ...speakerOf(message), role: 'user', content }
    }
    case 'assistant':
      return answerMessage(message, files)
    case 'tool':
      return toolResultMessage(message)
  }
}

/**
 * Calls of the days before `tool_calls` had no id, and were answered by the next function
 * message: both are written in the old form, or both in the new one.
 */
function isLegacy({ metadata }: Pick<Part, 'metadata'>): boolean {
  return wireOf(metadata, 'chat')['legacy'] === true
}

function withoutHalfLegacy(messages: readonly ContextMessage[]): readonly ContextMessage[] {
  const forms = new Map<string, Set<boolean>>()
  for (const { parts } of messages)
    for (const part of parts)
      if (isToolUse(part))
        forms.set(part.callId, (forms.get(part.callId) ?? new Set()).add(isLegacy(part)))
  const isHalf = (part: Part) =>
    isToolUse(part) && isLegacy(part) && forms.get(part.callId)?.size === 2
  return messages.map((message) =>
    message.parts.some(isHalf)
      ? {
          ...message,
          parts: message.parts.map((part) => (isHalf(part) ? { ...part, metadata: null } : part)),
        }
      : message,
  )
}

function isToolUse(part: Part): part is Extract<Part, { readonly callId: string }> {
  return part.type === 'tool-call' || part.type === 'tool-result'
}
