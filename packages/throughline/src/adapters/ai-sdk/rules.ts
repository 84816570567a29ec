/** The rules of AI SDK prompts: errors of `generateText`, its types, and what all its providers refuse. */
import { type Role, roles } from '../../domain/message.ts'
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Check, checkEach, problemsOf, type Report } from '../rules.ts'
import { type Fields, isPlain } from '../unknown-json.ts'
import { commonProblems } from '../well-formed.ts'
import { checkByType, checkOtherFields } from './part-checks.ts'
import { itemShapes, partShapes } from './part-shapes-data.ts'
import { contentKinds, unpairedReasons } from './words-data.ts'

/** Everything that the AI SDK or its provider would refuse; empty if valid. See `openaiChatProblems`. */
export function aiSdkProblems(request: unknown): readonly RequestProblem[] {
  if (!isPlain(request)) return [{ rule: 'request', at: '', message: 'must be an object' }]
  const { instructions, system, messages, allowSystemInMessages: allowed } = request
  const problems = problemsOf((report) => {
    checkInstructions(request, report)
    if (!Array.isArray(messages)) report('messages', 'messages', 'must be an array')
    else checkMessages(messages, allowed === true, report)
  })
  const flaws = commonProblems({ instructions, system, messages })
  return [...problems, ...flaws.filter(({ rule }) => rule === 'unicode')]
}

function checkInstructions({ instructions, system, prompt }: Fields, report: Report): void {
  if (prompt !== undefined && prompt !== null)
    report('prompt', 'prompt', 'must be left out: the SDK would ignore the messages')
  if (instructions !== undefined && system !== undefined)
    report('instructions', 'system', 'must be left out beside instructions')
  const [at, value] =
    instructions === undefined ? ['system', system] : ['instructions', instructions]
  if (value === undefined) return
  if (typeof value === 'string') {
    if (value === '') report('empty-content', `${at}`, 'must not be empty')
  } else if (!Array.isArray(value)) checkSystem(value, `${at}`, report)
  else if (value.length === 0) report('empty-content', `${at}`, 'must not be empty')
  else checkEach(value, checkSystem, `${at}`, report)
}

function checkSystem(message: unknown, at: string, report: Report): void {
  if (isPlain(message) && message['role'] === 'system') checkMessage(message, 'system', at, report)
  else report('instructions', at, 'must be text or a message whose role is system')
}

function checkMessages(messages: readonly unknown[], allowsSystem: boolean, report: Report): void {
  if (messages.length === 0) report('empty-messages', 'messages', 'must not be empty')
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    const role = isPlain(message) ? roleOf(message) : null
    if (!isPlain(message)) report('message', at, 'must be an object')
    else if (role === null) report('role', `${at}.role`, `must be one of ${roles.join(', ')}`)
    else checkMessage(message, role, at, report)
    if (role === 'system' && !allowsSystem)
      report('system-in-messages', at, 'needs allowSystemInMessages; else use instructions')
  }
  const last = messages.at(-1)
  if (isPlain(last) && last['role'] === 'assistant')
    report('last-message', `messages[${messages.length - 1}]`, 'must not be the assistant’s')
  checkPairing(messages, report)
}

function roleOf(message: Fields): Role | null {
  return roles.find((role) => role === message['role']) ?? null
}

function checkMessage(message: Fields, role: Role, at: string, report: Report): void {
  const { content } = message
  checkOtherFields(message, ['role', 'content'], at, report)
  const isParts = Array.isArray(content) && role !== 'system'
  if (isParts) checkEach(content, partCheck(role), `${at}.content`, report)
  if (!isParts && !(typeof content === 'string' && role !== 'tool'))
    report('content', `${at}.content`, `must be ${contentKinds[role]}`)
  else if (isEmptyForProvider({ role, fields: message, content: partsOf(content) }))
    report('empty-content', `${at}.content`, 'must not be empty')
}

function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  // A value that is not a part keeps its index, and does not count as empty.
  return Array.isArray(content) ? content.map((part) => (isPlain(part) ? part : {})) : []
}

function checkPairing(messages: readonly unknown[], report: Report): void {
  const paired = messages.map((message) => {
    const fields = isPlain(message) ? message : {}
    return { role: roleOf(fields) ?? 'user', content: partsOf(fields['content']) }
  })
  const unpaired = unpairedParts(paired)
  // In the order of the request.
  for (const [message, { content }] of paired.entries())
    for (const part of content.keys()) {
      const at = partPath(message, part)
      const rule = unpaired.get(at)
      if (rule !== undefined) report(rule, at, unpairedReasons[rule])
    }
}

export const checkItem = checkByType(itemShapes)
export const partCheck = (role: Role): Check => checkByType(partShapes[role])

export function partPath(message: number, part: number): string {
  return `messages[${message}].content[${part}]`
}

/**
 * Finds parts without their partner: the rules report them, and `write` omits them.
 *
 * Results are in tool messages before the next user or system message. Tools that the provider ran need
 * none; their results are in the assistant's message. A call that waits for approval is answered by an
 * approval response in the last message, because the SDK then runs it.
 */
export function unpairedParts(messages: readonly Pick<SdkMessage, 'role' | 'content'>[]) {
  const unpaired = new Map<string, keyof typeof unpairedReasons>()
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
