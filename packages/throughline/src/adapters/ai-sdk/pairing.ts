/**
 * Which parts have lost their other half, for the rules that name them and the writing that omits them.
 *
 * The results of a call are in tool messages before anyone else speaks; what the provider ran itself
 * needs none, and its results are in the assistant's message. A call that waits for approval is
 * answered by the response in the last message, since the SDK then runs it.
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
  // Calls that wait for a result, those that have one, all so far, and those by their approval.
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
  /** Whether its content was read as a list, though it is one text. */
  readonly listed: boolean
  /** Whether it already followed another message of the assistant. */
  readonly apart: boolean
  readonly content: readonly Fields[]
}

/**
 * Whether a provider would get nothing of it: the SDK removes empty text (except an assistant's with
 * options) and requests for approval, and sends the rest even if that is nothing.
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
