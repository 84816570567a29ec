/**
 * Pairs calls and results as OpenAI requires: each result in its own message, each call answered once.
 * Calls and results without a partner are omitted; a valid history stays unchanged.
 */
import type { ContextMessage } from '../../domain/context.ts'
import {
  isPlaceholder,
  type Part,
  type ToolCallPart,
  type ToolResultPart,
} from '../../domain/message.ts'

export interface SplitMessage extends ContextMessage {
  /** Whether it is text of a tool message, beside its results or instead of them. */
  readonly aside: boolean
}

type Unpaired = (part: ToolCallPart | ToolResultPart) => boolean

/** `unpaired` selects calls and results that need no partner. */
export function pairedMessages(
  messages: readonly ContextMessage[],
  unpaired: Unpaired = () => false,
): readonly SplitMessage[] {
  const single = messages.flatMap(splitResults)
  const kept = partners(single, unpaired)
  const isKept = (part: Part, name: string) =>
    !isCallOrResult(part) || unpaired(part) || kept.has(name)
  return single
    .map((message, index) => ({
      ...message,
      parts: message.parts.filter((part, place) => isKept(part, `${index}/${place}`)),
    }))
    .filter(({ parts }) => parts.length > 0)
}

/** Each result gets its own message; the rest of a tool message becomes a user message. */
function splitResults(message: ContextMessage): readonly SplitMessage[] {
  const split: SplitMessage[] = []
  let others: Part[] = []
  const ofTool = message.role === 'tool'
  const aside = ofTool || (message.role === 'user' && message.parts.some(isPlaceholder))
  const role = ofTool ? 'user' : message.role
  const flush = () => {
    if (others.length > 0) split.push({ ...message, role, parts: others, aside })
    others = []
  }
  for (const part of message.parts)
    if (part.type === 'tool-result') {
      flush()
      split.push({ ...message, role: 'tool', parts: [part], aside: false })
    } else others.push(part)
  flush()
  return split
}

export function isCallOrResult(part: Part): part is ToolCallPart | ToolResultPart {
  return part.type === 'tool-call' || part.type === 'tool-result'
}

/** The positions of answered calls and of their results. */
function partners(messages: readonly ContextMessage[], unpaired: Unpaired): ReadonlySet<string> {
  const open = new Map<string, string>()
  const found = new Set<string>()
  for (const [index, { role, parts }] of messages.entries())
    for (const [place, part] of parts.entries()) {
      if (!isCallOrResult(part) || unpaired(part)) continue
      const name = `${index}/${place}`
      // Only the assistant makes calls; a later call replaces an open one with the same id.
      if (part.type === 'tool-call' && role === 'assistant') open.set(part.callId, name)
      if (part.type !== 'tool-result') continue
      const call = open.get(part.callId)
      if (call === undefined) continue
      open.delete(part.callId)
      found.add(call).add(name)
    }
  return found
}

export function callsOf({ parts }: ContextMessage): readonly ToolCallPart[] {
  return parts.filter((part) => part.type === 'tool-call')
}

export function resultOf({ parts }: ContextMessage): ToolResultPart | null {
  const [first] = parts
  return first?.type === 'tool-result' ? first : null
}
