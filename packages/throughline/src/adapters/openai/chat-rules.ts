/** The rules of chat completions, from OpenAI's reference and the errors of its service. */
import type { RequestProblem } from '../../ports/adapter.ts'
import {
  checkEach,
  checkFields,
  isNamed,
  must,
  optional,
  type Report,
  type Shape,
} from '../rules.ts'
import { type Fields, fieldsOf } from '../unknown-json.ts'
import {
  argumentText,
  callIdCheck,
  checkContent,
  checkFunctionName,
  checkSchema,
  checkTools,
  type PartRules,
  requestProblems,
} from './rules.ts'

/** OpenAI refused longer ids for years, and many compatible services still do. */
export const callIdMax = 40
export const nameMax = 64

/**
 * Everything that OpenAI's chat completions would refuse in a request; empty if the request is valid.
 *
 * @example
 * const [problem] = openaiChatProblems({ messages: [{ role: 'tool', content: 'A result without a call' }] })
 * console.log(problem?.rule, problem?.at, problem?.message)
 */
export function openaiChatProblems(request: unknown): readonly RequestProblem[] {
  const body = fieldsOf(request)
  if (body === null) return [{ rule: 'request', at: '', message: 'must be an object' }]
  const { messages, tools } = body
  if (!Array.isArray(messages) || messages.length === 0)
    return [{ rule: 'messages', at: 'messages', message: 'must be an array that is not empty' }]
  return requestProblems({ messages, tools }, (report) => {
    checkEach(messages, checkMessage, 'messages', report)
    checkPairs(messages, report)
    checkTools(tools, checkTool, report)
  })
}

const rulesFor = (role: string, ...types: readonly string[]): PartRules => ({
  types,
  whose: `of role ${role} `,
})

export const userParts = rulesFor('user', 'text', 'image_url', 'input_audio', 'file')

const parts = {
  system: rulesFor('system', 'text'),
  developer: rulesFor('developer', 'text'),
  user: userParts,
  assistant: rulesFor('assistant', 'text', 'refusal'),
  tool: rulesFor('tool', 'text'),
  function: rulesFor('function'),
}

function checkMessage(message: unknown, at: string, report: Report) {
  const fields = fieldsOf(message)
  const role = fields?.['role']
  if (fields === null || typeof role !== 'string' || !Object.hasOwn(parts, role))
    return report('role', `${at}.role`, `must be one of ${Object.keys(parts).join(', ')}`)
  const { content, name } = fields
  const known = role as keyof typeof parts
  if (known === 'function') {
    checkFunctionName(name, `${at}.name`, report)
    if (typeof content !== 'string' && content !== null)
      report('content', `${at}.content`, 'must be text or null')
    return
  }
  if (known === 'tool') checkCallId(fields['tool_call_id'], `${at}.tool_call_id`, report)
  else checkName(name, `${at}.name`, report)
  if (known === 'assistant') checkAnswer(fields, at, report)
  else checkContent(content, parts[known], `${at}.content`, report)
}

const nameText = `must be 1 to ${nameMax} characters without blanks, <, >, |, \\ and /`
const isName = isNamed({ allowed: /^[^\s<|\\/>]+$/, lengthMax: nameMax })
export const checkName = optional(must('name', nameText, isName))

const checkCallId = callIdCheck(callIdMax)

function checkAnswer(message: Fields, at: string, report: Report): void {
  const { content, refusal, audio, tool_calls, function_call } = message
  const speaks = [fieldsOf(audio), fieldsOf(function_call)].some((field) => field !== null)
  const instead = speaks || typeof refusal === 'string' || Array.isArray(tool_calls)
  if (!instead || (content !== undefined && content !== null))
    checkContent(content, parts.assistant, `${at}.content`, report)
  if (refusal !== undefined && refusal !== null && typeof refusal !== 'string')
    report('refusal', `${at}.refusal`, 'must be text or null')
  if (audio !== undefined && audio !== null && typeof fieldsOf(audio)?.['id'] !== 'string')
    report('audio', `${at}.audio`, 'must be null or have an id')
  if (function_call !== undefined && function_call !== null)
    checkFields(fieldsOf(function_call) ?? {}, calledShapes.function, `${at}.function_call`, report)
  if (tool_calls !== undefined) checkCalls(tool_calls, `${at}.tool_calls`, report)
}

const calledShapes = {
  function: { name: checkFunctionName, arguments: argumentText },
  custom: { name: checkFunctionName, input: argumentText },
} satisfies Readonly<Record<string, Shape>>

function checkCalls(calls: unknown, at: string, report: Report) {
  if (!Array.isArray(calls) || calls.length === 0)
    return report('tool-calls', at, 'must be an array that is not empty, or be left out')
  const seen = new Set<unknown>()
  for (const [index, value] of calls.entries()) {
    const call = fieldsOf(value) ?? {}
    const { id, type } = call
    const place = `${at}[${index}]`
    if (seen.has(id)) report('duplicate-call', `${place}.id`, 'is the id of two calls')
    seen.add(id)
    checkCallId(id, `${place}.id`, report)
    if (type === 'function' || type === 'custom')
      checkFields(fieldsOf(call[type]) ?? {}, calledShapes[type], `${place}.${type}`, report)
    else report('call-type', `${place}.type`, 'must be function or custom')
  }
}

/** Each call is answered once, directly after the message that made it. */
function checkPairs(messages: readonly unknown[], report: Report): void {
  const waiting = new Map<unknown, string>()
  const answered = new Set<unknown>()
  const close = () => {
    for (const at of waiting.values())
      report('missing-result', at, 'has no tool message directly after it')
    waiting.clear()
    answered.clear()
  }
  for (const [index, message] of messages.entries()) {
    const { role, tool_call_id: id, tool_calls: calls } = fieldsOf(message) ?? {}
    if (role === 'tool') {
      const at = `messages[${index}].tool_call_id`
      if (answered.has(id)) report('duplicate-result', at, 'was answered before')
      else if (!waiting.has(id)) report('orphan-result', at, 'answers no call before it')
      waiting.delete(id)
      answered.add(id)
      continue
    }
    close()
    if (role !== 'assistant' || !Array.isArray(calls)) continue
    for (const [place, call] of calls.entries())
      waiting.set(fieldsOf(call)?.['id'], `messages[${index}].tool_calls[${place}]`)
  }
  close()
}

function checkTool(tool: Fields, at: string, report: Report) {
  const { type } = tool
  if (type !== 'function' && type !== 'custom')
    return report('tool', `${at}.type`, 'must be function or custom')
  const inner = fieldsOf(tool[type])
  checkFunctionName(inner?.['name'], `${at}.${type}.name`, report)
  if (type === 'function') checkSchema(inner?.['parameters'], `${at}.function.parameters`, report)
}
