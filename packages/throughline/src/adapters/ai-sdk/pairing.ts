/**
 * Finds parts without their partner: the rules report them, and `write` omits them.
 *
 * Results are in tool messages before the next user or system message. Tools that the provider ran need
 * none; their results are in the assistant's message. A call that waits for approval is answered by an
 * approval response in the last message, because the SDK then runs it.
 */
import type { Role } from '../../domain/message.ts'
import type { Fields } from '../unknown-json.ts'
import type { unpairedReasons } from './words-data.ts'

type UnpairedRule = keyof typeof unpairedReasons

export function partPath(message: number, part: number): string {
  return `messages[${message}].content[${part}]`
}

export function unpairedParts(messages: readonly Pick<SdkMessage, 'role' | 'content'>[]) {
  const unpaired = new Map<string, UnpairedRule>()
  const callIds = new Set<unknown>()
  /** Paths of calls without a result yet, by id. */
  const unanswered = new Map<unknown, string>()
  const answered = new Set<unknown>()
  const callByApproval = new Map<unknown, unknown>()
  const reportUnanswered = () => {
    for (const path of unanswered.values()) unpaired.set(path, 'missing-result')
    unanswered.clear()
  }
  const pairAssistantPart = (part: Fields, path: string) => {
    const { type, toolCallId: id, providerExecuted, approvalId } = part
    if (type === 'tool-call') callIds.add(id)
    if (type === 'tool-call' && providerExecuted !== true) {
      if (unanswered.has(id)) unpaired.set(path, 'duplicate-call')
      else unanswered.set(id, path)
      answered.delete(id)
    }
    if (type === 'tool-result' && !callIds.has(id)) unpaired.set(path, 'orphan-result')
    if (type !== 'tool-approval-request') return
    if (callIds.has(id)) callByApproval.set(approvalId, id)
    else unpaired.set(path, 'orphan-approval')
  }
  const pairToolPart = ({ type, toolCallId: id, approvalId }: Fields, path: string) => {
    if (type === 'tool-approval-response' && !callByApproval.has(approvalId))
      unpaired.set(path, 'orphan-approval')
    if (type !== 'tool-result') return
    if (unanswered.delete(id)) answered.add(id)
    else unpaired.set(path, answered.has(id) ? 'duplicate-result' : 'orphan-result')
  }
  for (const [message, { role, content }] of messages.entries()) {
    if (role === 'user' || role === 'system') reportUnanswered()
    for (const [index, part] of content.entries()) {
      if (role === 'assistant') pairAssistantPart(part, partPath(message, index))
      if (role === 'tool') pairToolPart(part, partPath(message, index))
    }
  }
  const last = messages.at(-1)
  if (last?.role === 'tool')
    for (const { type, approvalId } of last.content)
      if (type === 'tool-approval-response') unanswered.delete(callByApproval.get(approvalId))
  reportUnanswered()
  return unpaired
}

/** A message of the AI SDK while it is written. */
export interface SdkMessage {
  /** The index of its message in the context. */
  readonly from: number
  readonly role: Role
  readonly fields: Fields
  /** Whether a single text was read as a list. */
  readonly wasList: boolean
  /** Whether it was read as a separate message after another one of the assistant. */
  readonly wasSeparate: boolean
  readonly content: readonly Fields[]
}

/**
 * Whether the provider would receive an empty message. The SDK removes empty text (except the assistant's
 * with options) and approval requests, and sends the message even if nothing is left.
 */
export function isEmptyForProvider({
  role,
  fields,
  content,
}: Pick<SdkMessage, 'role' | 'fields' | 'content'>): boolean {
  switch (role) {
    case 'system':
      return content.every((part) => part['text'] === '') && fields['providerOptions'] === undefined
    case 'user':
      return content.every(({ type, text }) => type === 'text' && text === '')
    case 'assistant':
      return content.every(
        ({ type, text, providerOptions }) =>
          type === 'tool-approval-request' ||
          (type === 'text' && text === '' && providerOptions === undefined),
      )
    case 'tool':
      return content.length === 0
  }
}
