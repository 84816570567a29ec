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

interface PairedMessage {
  readonly role: Role
  readonly content: readonly Fields[]
}

export type LooseRule =
  | 'missing-result'
  | 'duplicate-call'
  | 'orphan-result'
  | 'duplicate-result'
  | 'orphan-approval'

/** Where a part stands: `placeOf(message, part)`. */
type Place = `${number}/${number}`

export function placeOf(message: number, part: number): Place {
  return `${message}/${part}`
}

interface State {
  readonly loose: Map<Place, LooseRule>
  /** Calls that wait for a result. */
  readonly open: Map<unknown, Place>
  readonly answered: Set<unknown>
  /** Ids of all calls so far. */
  readonly called: Set<unknown>
  /** Calls by the id of the approval that they wait for. */
  readonly approvals: Map<unknown, unknown>
}

/** The parts without their other half, and the rule that each breaks. */
export function looseParts(messages: readonly PairedMessage[]): ReadonlyMap<Place, LooseRule> {
  const state: State = {
    loose: new Map(),
    open: new Map(),
    answered: new Set(),
    called: new Set(),
    approvals: new Map(),
  }
  messages.forEach(({ role, content }, message) => {
    if (role === 'user' || role === 'system') closeAll(state)
    content.forEach((part, index) => {
      if (role === 'assistant') ofAssistant(part, placeOf(message, index), state)
      if (role === 'tool') ofTool(part, placeOf(message, index), state)
    })
  })
  for (const callId of waitingForApproval(messages.at(-1), state)) state.open.delete(callId)
  closeAll(state)
  return state.loose
}

function closeAll({ open, loose }: State): void {
  for (const call of open.values()) loose.set(call, 'missing-result')
  open.clear()
}

function ofAssistant(part: Fields, place: Place, state: State): void {
  const { open, answered, called, approvals, loose } = state
  const { type, toolCallId } = part
  switch (type) {
    case 'tool-call':
      called.add(toolCallId)
      if (part['providerExecuted'] === true) return
      if (open.has(toolCallId)) loose.set(place, 'duplicate-call')
      else open.set(toolCallId, place)
      answered.delete(toolCallId)
      return
    case 'tool-result':
      if (!called.has(toolCallId)) loose.set(place, 'orphan-result')
      return
    case 'tool-approval-request':
      if (called.has(toolCallId)) approvals.set(part['approvalId'], toolCallId)
      else loose.set(place, 'orphan-approval')
  }
}

function ofTool(part: Fields, place: Place, { open, answered, approvals, loose }: State): void {
  const { type, toolCallId } = part
  if (type === 'tool-approval-response' && !approvals.has(part['approvalId']))
    loose.set(place, 'orphan-approval')
  if (type !== 'tool-result') return
  if (open.delete(toolCallId)) answered.add(toolCallId)
  else loose.set(place, answered.has(toolCallId) ? 'duplicate-result' : 'orphan-result')
}

function waitingForApproval(
  last: PairedMessage | undefined,
  { approvals }: State,
): readonly unknown[] {
  if (last?.role !== 'tool') return []
  return last.content.flatMap((part) =>
    part['type'] === 'tool-approval-response' ? [approvals.get(part['approvalId'])] : [],
  )
}

/** A message of the AI SDK on its way: which message it comes from, and its parts. */
export interface Draft {
  /** Index of the message of the context. */
  readonly source: number
  readonly role: Role
  /** Fields beside the role and the content. */
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
export function saysNothing({
  role,
  fields,
  content,
}: Pick<Draft, 'role' | 'fields' | 'content'>): boolean {
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
