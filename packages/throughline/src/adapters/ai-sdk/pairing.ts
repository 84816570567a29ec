/**
 * Finds parts without their partner: the rules report them, and `write` omits them.
 *
 * Results are in tool messages before the next user or system message. Tools that the provider ran need
 * none; their results are in the assistant's message. A call that waits for approval is answered by an
 * approval response in the last message, because the SDK then runs it.
 */
import type { Role } from '../../domain/message.ts'
import type { Fields } from '../unknown-json.ts'
import type { looseReasons } from './words-data.ts'

type LooseRule = keyof typeof looseReasons

export function placeOf(message: number, part: number): string {
  return `messages[${message}].content[${part}]`
}

export function looseParts(
  messages: readonly Pick<Draft, 'role' | 'content'>[],
): ReadonlyMap<string, LooseRule> {
  const loose = new Map<string, LooseRule>()
  // Calls without a result yet, calls with one, all calls so far, and calls by approval id.
  const open = new Map<unknown, string>()
  const answered = new Set<unknown>()
  const called = new Set<unknown>()
  const approvals = new Map<unknown, unknown>()
  const closeAll = () => {
    for (const call of open.values()) loose.set(call, 'missing-result')
    open.clear()
  }
  const call = (id: unknown, place: string) => {
    if (open.has(id)) loose.set(place, 'duplicate-call')
    else open.set(id, place)
    answered.delete(id)
  }
  const ofAssistant = (part: Fields, place: string) => {
    const { type, toolCallId: id } = part
    if (type === 'tool-call') called.add(id)
    if (type === 'tool-call' && part['providerExecuted'] !== true) call(id, place)
    if (type === 'tool-result' && !called.has(id)) loose.set(place, 'orphan-result')
    if (type !== 'tool-approval-request') return
    if (called.has(id)) approvals.set(part['approvalId'], id)
    else loose.set(place, 'orphan-approval')
  }
  const ofTool = ({ type, toolCallId: id, approvalId }: Fields, place: string) => {
    if (type === 'tool-approval-response' && !approvals.has(approvalId))
      loose.set(place, 'orphan-approval')
    if (type !== 'tool-result') return
    if (open.delete(id)) answered.add(id)
    else loose.set(place, answered.has(id) ? 'duplicate-result' : 'orphan-result')
  }
  for (const [message, { role, content }] of messages.entries()) {
    if (role === 'user' || role === 'system') closeAll()
    for (const [index, part] of content.entries()) {
      if (role === 'assistant') ofAssistant(part, placeOf(message, index))
      if (role === 'tool') ofTool(part, placeOf(message, index))
    }
  }
  const last = messages.at(-1)
  if (last?.role === 'tool')
    for (const { type, approvalId } of last.content)
      if (type === 'tool-approval-response') open.delete(approvals.get(approvalId))
  closeAll()
  return loose
}

/** A message of the AI SDK while it is written. */
export interface Draft {
  readonly source: number
  readonly role: Role
  readonly fields: Fields
  /** Whether a single text was read as a list. */
  readonly listed: boolean
  /** Whether it was read as a separate message after another one of the assistant. */
  readonly apart: boolean
  readonly content: readonly Fields[]
}

/**
 * Whether the provider would receive an empty message. The SDK removes empty text (except the assistant's
 * with options) and approval requests, and sends the message even if nothing is left.
 */
export function saysNothing(draft: Pick<Draft, 'role' | 'fields' | 'content'>): boolean {
  const { role, fields, content } = draft
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
