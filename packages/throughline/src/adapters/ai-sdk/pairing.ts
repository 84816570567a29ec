/**
 * Which parts have lost their other half. The rules name them and writing leaves them
 * out, so that both mean the same.
 *
 * As the SDK has it: the results of a call stand in messages of the tool before anybody
 * else speaks; what the provider ran itself needs none, and its results stand in the
 * assistant's message. A call that waits for approval is answered by the response in
 * the last message, for the SDK then runs it.
 */
import type { Role } from '../../domain/message.ts'
import type { Fields } from '../unknown-json.ts'
import type { looseReasons } from './words-data.ts'

type LooseRule = keyof typeof looseReasons

export function placeOf(message: number, part: number): string {
  return `messages[${message}].content[${part}]`
}

/** The parts without their other half, and the rule that each breaks. */
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

/** A message of the AI SDK on its way: which message it comes from, and its parts. */
export interface Draft {
  readonly source: number
  readonly role: Role
  readonly fields: Fields
  /** Whether its content was read as a list, though it is one text. */
  readonly listed: boolean
  /** Whether it stood behind another of the assistant's already. */
  readonly apart: boolean
  readonly content: readonly Fields[]
}

/**
 * Whether a provider would get nothing of it. The SDK takes out empty text (an
 * assistant's with options stays, for what they carry) and requests for approval, and
 * then sends what is left, be it nothing.
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
