/**
 * The rules of the AI SDK for a prompt: what `generateText` throws on before it asks a
 * provider, what its types and schemas refuse, and what no provider behind it takes.
 */
import { type Role, roles } from '../../domain/message.ts'
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Fields, isPlain } from '../unknown-json.ts'
import { flawsIn } from '../well-formed.ts'
import { saysNothing } from './draft.ts'
import type { Report } from './file-rules.ts'
import { type LooseRule, looseParts, placeOf } from './pairing.ts'
import { checkOthers, checkPart } from './part-rules.ts'

/**
 * Everything that the AI SDK, or a provider behind it, would refuse in a request; empty for one that is taken. See `openaiChatProblems`.
 */
export function aiSdkProblems(request: unknown): readonly RequestProblem[] {
  const problems: RequestProblem[] = []
  const report: Report = (rule, at, message) => problems.push({ rule, at, message })
  if (!isPlain(request)) {
    report('request', '', 'must be an object')
    return problems
  }
  checkInstructions(request, report)
  const { messages } = request
  if (!Array.isArray(messages)) report('messages', 'messages', 'must be an array')
  else checkMessages(messages, request['allowSystemInMessages'] === true, report)
  const { instructions, system } = request
  const broken = flawsIn({ instructions, system, messages }).filter(
    ({ rule }) => rule === 'unicode',
  )
  return [...problems, ...broken]
}

function checkInstructions({ instructions, system, prompt }: Fields, report: Report): void {
  if (prompt !== undefined && prompt !== null)
    report('prompt', 'prompt', 'must be left out: the SDK would not look at the messages')
  if (instructions !== undefined && system !== undefined)
    report('instructions', 'system', 'must be left out beside instructions')
  const [at, value] =
    instructions === undefined ? ['system', system] : ['instructions', instructions]
  if (value === undefined) return
  if (typeof value === 'string') {
    if (value === '') report('empty-content', `${at}`, 'must not be empty')
  } else if (!Array.isArray(value)) checkSystem(value, `${at}`, report)
  else if (value.length === 0) report('empty-content', `${at}`, 'must not be empty')
  else
    for (const [index, message] of value.entries()) checkSystem(message, `${at}[${index}]`, report)
}

function checkSystem(message: unknown, at: string, report: Report): void {
  if (isPlain(message) && message['role'] === 'system') checkMessage(message, 'system', at, report)
  else report('instructions', at, 'must be text or a message whose role is system')
}

function checkMessages(messages: readonly unknown[], systemAllowed: boolean, report: Report): void {
  if (messages.length === 0) report('empty-messages', 'messages', 'must not be empty')
  for (const [index, message] of messages.entries()) {
    const at = `messages[${index}]`
    const role = isPlain(message) ? roleOf(message) : null
    if (!isPlain(message)) report('message', at, 'must be an object')
    else if (role === null) report('role', `${at}.role`, `must be one of ${roles.join(', ')}`)
    else checkMessage(message, role, at, report)
    if (role === 'system' && !systemAllowed)
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
  checkOthers(message, ['role', 'content'], at, report)
  const takesText = role !== 'tool'
  const takesParts = role !== 'system'
  const isParts = Array.isArray(content) && takesParts
  if (isParts)
    for (const [index, part] of content.entries())
      checkPart(part, role, `${at}.content[${index}]`, report)
  if (!isParts && !(typeof content === 'string' && takesText))
    report('content', `${at}.content`, `must be ${contentOf(takesText, takesParts)}`)
  else if (saysNothing({ role, fields: message, content: partsOf(content) }))
    report('empty-content', `${at}.content`, 'must not be empty')
}

function contentOf(takesText: boolean, takesParts: boolean): string {
  if (!takesText) return 'an array of parts'
  return takesParts ? 'text or an array of parts' : 'text'
}

function partsOf(content: unknown): readonly Fields[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }]
  // What is no part keeps its place, as something that is not empty.
  return Array.isArray(content) ? content.map((part) => (isPlain(part) ? part : {})) : []
}

function checkPairing(messages: readonly unknown[], report: Report): void {
  const paired = messages.map((message) =>
    isPlain(message)
      ? { role: roleOf(message) ?? 'user', content: partsOf(message['content']) }
      : { role: 'user' as const, content: [] },
  )
  const loose = looseParts(paired)
  if (loose.size === 0) return
  paired.forEach(({ content }, message) => {
    content.forEach((_, part) => {
      const rule = loose.get(placeOf(message, part))
      if (rule !== undefined) report(rule, `messages[${message}].content[${part}]`, reasons[rule])
    })
  })
}

const reasons: Readonly<Record<LooseRule, string>> = {
  'missing-result': 'is a call whose result is missing before the next message of the user',
  'duplicate-call': 'is a call with the id of one that still waits for its result',
  'orphan-result': 'is a result of no call',
  'duplicate-result': 'is a second result of one call',
  'orphan-approval': 'belongs to no call, or to no request for approval',
}
