/** The rules of AI SDK prompts: errors of `generateText`, its types, and what all its providers refuse. */
import { type Role, roles } from '../../domain/message.ts'
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Check, checkEach, problemsOf, type Report } from '../rules.ts'
import { type Fields, isPlain } from '../unknown-json.ts'
import { commonProblems } from '../well-formed.ts'
import { isEmptyForProvider, partPath, unpairedParts } from './pairing.ts'
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
