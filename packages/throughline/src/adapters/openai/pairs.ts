/**
 * Pairs calls and results as OpenAI requires: each result in its own message, each call answered once.
 * Calls and results without a partner are omitted; a valid history stays unchanged.
 */
import type { ContextMessage } from '../../domain/context.ts'
import { isPlaceholder, type Part } from '../../domain/message.ts'
import { runsOf } from '../alternate-messages.ts'

export interface SplitMessage extends ContextMessage {
  /** Whether it is a user message with the text of a tool message, or with a placeholder. */
  readonly isBesideResults: boolean
}

type CallOrResult = Extract<Part, { readonly type: 'tool-call' | 'tool-result' }>
type NeedsNoPartner = (part: CallOrResult) => boolean

export function pairedMessages(
  messages: readonly ContextMessage[],
  needsNoPartner: NeedsNoPartner = () => false,
): readonly SplitMessage[] {
  const split = messages.flatMap(splitResults)
  const paired = pairedPositions(split, needsNoPartner)
  const isKept = (part: Part, position: string) =>
    !isCallOrResult(part) || needsNoPartner(part) || paired.has(position)
  return split
    .map((message, index) => ({
      ...message,
      parts: message.parts.filter((part, partIndex) => isKept(part, `${index}/${partIndex}`)),
    }))
    .filter(({ parts }) => parts.length > 0)
}

/** Each result gets its own message; the rest of a tool message becomes a user message. */
function splitResults(message: ContextMessage): readonly SplitMessage[] {
  const isTool = message.role === 'tool'
  const role = isTool ? 'user' : message.role
  const isBesideResults = isTool || (role === 'user' && message.parts.some(isPlaceholder))
  const isResult = ({ type }: Part) => type === 'tool-result'
  return runsOf(message.parts, ([first], next) => !isResult(first) && !isResult(next)).map(
    (parts) =>
      isResult(parts[0])
        ? { ...message, role: 'tool', parts, isBesideResults: false }
        : { ...message, role, parts, isBesideResults },
  )
}

export function isCallOrResult(part: Part): part is CallOrResult {
  return part.type === 'tool-call' || part.type === 'tool-result'
}

/** The positions of answered calls and of their results, as indexes of message and part: `3/0`. */
function pairedPositions(messages: readonly ContextMessage[], needsNoPartner: NeedsNoPartner) {
  const unanswered = new Map<string, string>()
  const paired = new Set<string>()
  for (const [index, { role, parts }] of messages.entries())
    for (const [partIndex, part] of parts.entries()) {
      if (!isCallOrResult(part) || needsNoPartner(part)) continue
      const position = `${index}/${partIndex}`
      // Only the assistant makes calls; a later call replaces an unanswered one with the same id.
      if (part.type === 'tool-call' && role === 'assistant') unanswered.set(part.callId, position)
      if (part.type !== 'tool-result') continue
      const callPosition = unanswered.get(part.callId)
      if (callPosition === undefined) continue
      unanswered.delete(part.callId)
      paired.add(callPosition).add(position)
    }
  return paired
}

export function callsOf({ parts }: ContextMessage) {
  return parts.filter((part) => part.type === 'tool-call')
}

/** The result of a message that `pairedMessages` split off; null for other messages. */
export function resultOf({ parts }: ContextMessage) {
  const [first] = parts
  return first?.type === 'tool-result' ? first : null
}
