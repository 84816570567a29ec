/**
 * The rules of chat completions, transcribed from OpenAI's reference and from the
 * errors that its service answers with.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Fields, fieldsOf } from '../unknown-json.ts'
import { audioProblems, documentProblems, pictureProblems } from './media-rules.ts'
import { problem, valueProblems } from './rules.ts'
import {
  callIdProblems,
  functionNameProblems,
  schemaProblems,
  toolsProblems,
} from './tool-rules.ts'

/** Longer ids were refused for years, and are by many services of the same form. */
export const callIdMax = 40
export const nameMax = 64

type Problems = Generator<RequestProblem>
type ChatRole = 'system' | 'developer' | 'user' | 'assistant' | 'tool' | 'function'

const partTypes: Readonly<Record<ChatRole, readonly string[]>> = {
  system: ['text'],
  developer: ['text'],
  user: ['text', 'image_url', 'input_audio', 'file'],
  assistant: ['text', 'refusal'],
  tool: ['text'],
  function: [],
}

/**
 * Everything that OpenAI's chat completions would refuse in a request; empty for one that is taken.
 *
 * @example
 * const [problem] = openaiChatProblems({ messages: [{ role: 'tool', content: 'Nobody has called.' }] })
 * console.log(problem?.rule, problem?.at, problem?.message)
 */
export function openaiChatProblems(request: unknown): readonly RequestProblem[] {
  const body = fieldsOf(request)
  if (body === null) return [problem('request', '', 'must be an object')]
  const { messages, tools } = body
  if (!Array.isArray(messages) || messages.length === 0)
    return [problem('messages', 'messages', 'must be an array that is not empty')]
  return [
    ...valueProblems({ messages, tools }),
    ...messages.flatMap((message, index) => [...messageProblems(message, `messages[${index}]`)]),
    ...pairingProblems(messages),
    ...toolsProblems(tools, toolProblems),
  ]
}

function* messageProblems(message: unknown, at: string): Problems {
  const fields = fieldsOf(message)
  const role = fields?.['role']
  if (fields === null || typeof role !== 'string' || !Object.hasOwn(partTypes, role)) {
    yield problem('role', `${at}.role`, `must be one of ${Object.keys(partTypes).join(', ')}`)
    return
  }
  const known = role as ChatRole
  if (known !== 'tool' && known !== 'function') yield* nameProblems(fields['name'], `${at}.name`)
  switch (known) {
    case 'system':
    case 'developer':
    case 'user':
      yield* requiredContent(fields['content'], known, at)
      return
    case 'assistant':
      yield* answerProblems(fields, at)
      return
    case 'tool':
      yield* callIdProblems(fields['tool_call_id'], `${at}.tool_call_id`, callIdMax)
      yield* requiredContent(fields['content'], known, at)
      return
    case 'function':
      yield* functionNameProblems(fields['name'], `${at}.name`)
      if (typeof fields['content'] !== 'string' && fields['content'] !== null)
        yield problem('content', `${at}.content`, 'must be text or null')
  }
}

export function* nameProblems(name: unknown, at: string): Problems {
  if (name === undefined) return
  if (typeof name !== 'string' || name.length > nameMax || !/^[^\s<|\\/>]+$/.test(name))
    yield problem(
      'name',
      at,
      `must be 1 to ${nameMax} characters without blanks, <, >, |, \\ and /`,
    )
}

function* requiredContent(content: unknown, role: ChatRole, at: string): Problems {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) yield problem('content', `${at}.content`, 'must be text or parts')
  else if (content.length === 0)
    yield problem('content', `${at}.content`, 'must not be an empty array')
  else yield* contentProblems(content, role, `${at}.content`)
}

/** What the rules have against parts that stand in a message of this role. */
export function contentProblems(
  content: readonly unknown[],
  role: ChatRole,
  at = 'content',
): readonly RequestProblem[] {
  return content.flatMap((part, index) => [...partProblems(part, role, `${at}[${index}]`)])
}

function* partProblems(part: unknown, role: ChatRole, at: string): Problems {
  const fields = fieldsOf(part)
  const type = fields?.['type']
  if (fields === null || typeof type !== 'string' || !partTypes[role].includes(type)) {
    yield problem('part', at, `of role ${role} must be one of ${partTypes[role].join(', ')}`)
    return
  }
  if ((type === 'text' || type === 'refusal') && typeof fields[type] !== 'string')
    yield problem('part', `${at}.${type}`, 'must be text')
  if (type === 'image_url')
    yield* pictureProblems(fieldsOf(fields['image_url'])?.['url'], `${at}.image_url.url`)
  if (type === 'input_audio') yield* audioProblems(fields['input_audio'], `${at}.input_audio`)
  if (type === 'file') yield* fileProblems(fieldsOf(fields['file']), `${at}.file`)
}

function* fileProblems(file: Fields | null, at: string): Problems {
  if (typeof file?.['file_id'] === 'string') return
  if (file?.['file_data'] === undefined) yield problem('file', at, 'must have file_data or file_id')
  else yield* documentProblems(file['file_data'], `${at}.file_data`)
}

function* answerProblems(message: Fields, at: string): Problems {
  const { content, refusal, audio, tool_calls, function_call } = message
  const speaks = [fieldsOf(audio), fieldsOf(function_call)].some((field) => field !== null)
  const instead = speaks || typeof refusal === 'string' || Array.isArray(tool_calls)
  if (!instead || (content !== undefined && content !== null))
    yield* requiredContent(content, 'assistant', at)
  if (refusal !== undefined && refusal !== null && typeof refusal !== 'string')
    yield problem('refusal', `${at}.refusal`, 'must be text or null')
  if (audio !== undefined && audio !== null && typeof fieldsOf(audio)?.['id'] !== 'string')
    yield problem('audio', `${at}.audio`, 'must be null or have an id')
  if (function_call !== undefined && function_call !== null)
    yield* callBodyProblems(fieldsOf(function_call), 'arguments', `${at}.function_call`)
  if (tool_calls !== undefined) yield* callsProblems(tool_calls, `${at}.tool_calls`)
}

function* callsProblems(calls: unknown, at: string): Problems {
  if (!Array.isArray(calls) || calls.length === 0) {
    yield problem('tool-calls', at, 'must be an array that is not empty, or be left out')
    return
  }
  const seen = new Set<unknown>()
  for (const [index, call] of calls.entries()) {
    const id = fieldsOf(call)?.['id']
    if (seen.has(id))
      yield problem('duplicate-call', `${at}[${index}].id`, 'is the id of two calls')
    seen.add(id)
    yield* callProblems(fieldsOf(call) ?? {}, `${at}[${index}]`)
  }
}

function* callProblems(call: Fields, at: string): Problems {
  yield* callIdProblems(call['id'], `${at}.id`, callIdMax)
  switch (call['type']) {
    case 'function':
      yield* callBodyProblems(fieldsOf(call['function']), 'arguments', `${at}.function`)
      return
    case 'custom':
      yield* callBodyProblems(fieldsOf(call['custom']), 'input', `${at}.custom`)
      return
    default:
      yield problem('call-type', `${at}.type`, 'must be function or custom')
  }
}

function* callBodyProblems(body: Fields | null, argument: string, at: string): Problems {
  yield* functionNameProblems(body?.['name'], `${at}.name`)
  if (typeof body?.[argument] !== 'string')
    yield problem('arguments', `${at}.${argument}`, 'must be a string')
}

/** Each call is answered once, directly behind the message that made it. */
function* pairingProblems(messages: readonly unknown[]): Problems {
  let waiting = new Map<unknown, string>()
  let answered = new Set<unknown>()
  for (const [index, message] of messages.entries()) {
    const fields = fieldsOf(message) ?? {}
    const id = fields['tool_call_id']
    if (fields['role'] === 'tool') {
      const at = `messages[${index}].tool_call_id`
      if (answered.has(id)) yield problem('duplicate-result', at, 'was answered before')
      else if (!waiting.has(id)) yield problem('orphan-result', at, 'answers no call before it')
      waiting.delete(id)
      answered.add(id)
      continue
    }
    yield* unanswered(waiting)
    waiting = new Map()
    answered = new Set()
    if (fields['role'] !== 'assistant' || !Array.isArray(fields['tool_calls'])) continue
    for (const [place, call] of fields['tool_calls'].entries())
      waiting.set(fieldsOf(call)?.['id'], `messages[${index}].tool_calls[${place}]`)
  }
  yield* unanswered(waiting)
}

function* unanswered(waiting: ReadonlyMap<unknown, string>): Problems {
  for (const at of waiting.values())
    yield problem('missing-result', at, 'has no tool message directly behind it')
}

function* toolProblems(tool: Fields, at: string): Problems {
  const { type } = tool
  if (type !== 'function' && type !== 'custom') {
    yield problem('tool', `${at}.type`, 'must be function or custom')
    return
  }
  const inner = fieldsOf(tool[type])
  yield* functionNameProblems(inner?.['name'], `${at}.${type}.name`)
  if (type === 'function') yield* schemaProblems(inner?.['parameters'], `${at}.function.parameters`)
}
