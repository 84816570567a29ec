/** The rules of chat completions, from OpenAI's reference and the errors of its service. */
import type { RequestProblem } from '../../ports/adapter.ts'
import {
  checkEach,
  checkFields,
  matchesNameRule,
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
export const maxCallIdLength = 40
export const maxNameLength = 64

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
    // Responses take an empty list, chat completions do not.
    if (Array.isArray(tools) && tools.length === 0)
      report('tools', 'tools', 'must not be empty: leave it out')
    checkTools(tools, checkTool, report)
  })
}

const rulesFor = (role: string, ...types: readonly string[]): PartRules => ({
  types,
  errorPrefix: `of role ${role} `,
})

export const userPartRules = rulesFor('user', 'text', 'image_url', 'input_audio', 'file')

const partRules = {
  system: rulesFor('system', 'text'),
  developer: rulesFor('developer', 'text'),
  user: userPartRules,
  assistant: rulesFor('assistant', 'text', 'refusal'),
  tool: rulesFor('tool', 'text'),
  function: rulesFor('function'),
}

function checkMessage(message: unknown, at: string, report: Report) {
  const fields = fieldsOf(message)
  const role = fields?.['role']
  if (fields === null || typeof role !== 'string' || !Object.hasOwn(partRules, role))
    return report('role', `${at}.role`, `must be one of ${Object.keys(partRules).join(', ')}`)
  const { content, name } = fields
  const knownRole = role as keyof typeof partRules
  if (knownRole === 'function') {
    checkFunctionName(name, `${at}.name`, report)
    if (typeof content !== 'string' && content !== null)
      report('content', `${at}.content`, 'must be text or null')
    return
  }
  if (knownRole === 'tool') checkCallId(fields['tool_call_id'], `${at}.tool_call_id`, report)
  else checkName(name, `${at}.name`, report)
  if (knownRole === 'assistant') checkAssistant(fields, at, report)
  else checkContent(content, partRules[knownRole], `${at}.content`, report)
}

const nameText = `must be 1 to ${maxNameLength} characters without blanks, <, >, |, \\ and /`
const isName = matchesNameRule({ pattern: /^[^\s<|\\/>]+$/, maxLength: maxNameLength })
export const checkName = optional(must('name', nameText, isName))

const checkCallId = callIdCheck(maxCallIdLength)

function checkAssistant(message: Fields, at: string, report: Report): void {
  const { content, refusal, audio, tool_calls, function_call } = message
  const mayLackContent =
    fieldsOf(audio) !== null ||
    fieldsOf(function_call) !== null ||
    typeof refusal === 'string' ||
    Array.isArray(tool_calls)
  if (!mayLackContent || (content !== undefined && content !== null))
    checkContent(content, partRules.assistant, `${at}.content`, report)
  if (refusal !== undefined && refusal !== null && typeof refusal !== 'string')
    report('refusal', `${at}.refusal`, 'must be text or null')
  if (audio !== undefined && audio !== null && typeof fieldsOf(audio)?.['id'] !== 'string')
    report('audio', `${at}.audio`, 'must be null or have an id')
  if (function_call !== undefined && function_call !== null)
    checkFields(fieldsOf(function_call) ?? {}, callShapes.function, `${at}.function_call`, report)
  if (tool_calls !== undefined) checkCalls(tool_calls, `${at}.tool_calls`, report)
}

const callShapes = {
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
    const path = `${at}[${index}]`
    if (seen.has(id)) report('duplicate-call', `${path}.id`, 'is the id of two calls')
    seen.add(id)
    checkCallId(id, `${path}.id`, report)
    if (type === 'function' || type === 'custom')
      checkFields(fieldsOf(call[type]) ?? {}, callShapes[type], `${path}.${type}`, report)
    else report('call-type', `${path}.type`, 'must be function or custom')
  }
}

/** Each call is answered once, directly after the message that made it. */
function checkPairs(messages: readonly unknown[], report: Report): void {
  const unanswered = new Map<unknown, string>()
  const answered = new Set<unknown>()
  const reportUnanswered = () => {
    for (const path of unanswered.values())
      report('missing-result', path, 'has no tool message directly after it')
    unanswered.clear()
    answered.clear()
  }
  for (const [index, message] of messages.entries()) {
    const { role, tool_call_id: id, tool_calls: calls } = fieldsOf(message) ?? {}
    if (role === 'tool') {
      const at = `messages[${index}].tool_call_id`
      if (answered.has(id)) report('duplicate-result', at, 'was answered before')
      else if (!unanswered.has(id)) report('orphan-result', at, 'answers no call before it')
      unanswered.delete(id)
      answered.add(id)
      continue
    }
    reportUnanswered()
    if (role !== 'assistant' || !Array.isArray(calls)) continue
    for (const [callIndex, call] of calls.entries())
      unanswered.set(fieldsOf(call)?.['id'], `messages[${index}].tool_calls[${callIndex}]`)
  }
  reportUnanswered()
}

function checkTool(tool: Fields, at: string, report: Report) {
  const { type } = tool
  if (type !== 'function' && type !== 'custom')
    return report('tool', `${at}.type`, 'must be function or custom')
  const inner = fieldsOf(tool[type])
  checkFunctionName(inner?.['name'], `${at}.${type}.name`, report)
  if (type === 'function') checkSchema(inner?.['parameters'], `${at}.function.parameters`, report)
}
