/**
 * The rules of responses, transcribed from OpenAI's reference and from the errors that
 * its service answers with.
 */
import type { RequestProblem } from '../../ports/adapter.ts'
import { type Fields, fieldsOf } from '../unknown-json.ts'
import { audioProblems, documentProblems, pictureProblems } from './media-rules.ts'
import { callKey, isAnswer, isKnownType, outputKey, typeOf } from './responses-items.ts'
import { problem, valueProblems } from './rules.ts'
import {
  callIdProblems,
  functionNameProblems,
  schemaProblems,
  toolsProblems,
} from './tool-rules.ts'

export const callIdMax = 64
const itemIdMax = 64

type Problems = Generator<RequestProblem>

/**
 * Everything that OpenAI's responses would refuse in a request; empty for one that is taken. See `openaiChatProblems`.
 */
export function openaiResponsesProblems(request: unknown): readonly RequestProblem[] {
  const body = fieldsOf(request)
  if (body === null) return [problem('request', '', 'must be an object')]
  const { instructions, input, tools } = body
  return [
    ...valueProblems({ instructions, input, tools }),
    ...(instructions === undefined || typeof instructions === 'string'
      ? []
      : [problem('instructions', 'instructions', 'must be text, or be left out')]),
    ...(typeof input === 'string' ? [] : listProblems(input)),
    ...toolsProblems(tools, toolProblems),
  ]
}

function listProblems(input: unknown): readonly RequestProblem[] {
  if (!Array.isArray(input) || input.length === 0)
    return [problem('input', 'input', 'must be text or an array that is not empty')]
  const items = input.map((item) => fieldsOf(item) ?? {})
  return [
    ...items.flatMap((item, index) => itemProblems(item, `input[${index}]`)),
    ...idProblems(items),
    ...pairingProblems(items),
    ...reasoningProblems(items),
  ]
}

/** What the rules have against one item, whatever stands beside it. */
export function itemProblems(item: Fields, at = 'item'): readonly RequestProblem[] {
  return [...ownIdProblems(item, at), ...shapeProblems(item, at)]
}

/** How ids begin that the service made and looks at. */
const idPrefixes: Readonly<Record<string, string>> = {
  function_call: 'fc',
  custom_tool_call: 'ctc',
  reasoning: 'rs',
}

export function* ownIdProblems(item: Fields, at: string): Problems {
  const { id } = item
  if (id === undefined || id === null) return
  const type = typeOf(item)
  const prefix = type === 'message' && item['role'] === 'assistant' ? 'msg' : idPrefixes[type]
  if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id) || id.length > itemIdMax)
    yield problem('item-id', `${at}.id`, `must be 1 to ${itemIdMax} letters, digits, _ and -`)
  else if (prefix !== undefined && !id.startsWith(prefix))
    yield problem('item-id', `${at}.id`, `must begin with ${prefix}`)
}

function* shapeProblems(item: Fields, at: string): Problems {
  const type = typeOf(item)
  switch (type) {
    case 'message':
      yield* messageProblems(item, at)
      return
    case 'reasoning':
      yield* sealProblems(item, at)
      return
    case 'function_call':
    case 'custom_tool_call': {
      const argument = type === 'function_call' ? 'arguments' : 'input'
      yield* callIdProblems(item['call_id'], `${at}.call_id`, callIdMax)
      yield* functionNameProblems(item['name'], `${at}.name`)
      if (typeof item[argument] !== 'string')
        yield problem('arguments', `${at}.${argument}`, 'must be a string')
      return
    }
    case 'function_call_output':
    case 'custom_tool_call_output':
      yield* callIdProblems(item['call_id'], `${at}.call_id`, callIdMax)
      yield* contentProblems(item['output'], outputTypes, `${at}.output`)
      return
    default:
      if (!isKnownType(type)) yield problem('item-type', at, `is of no type that is known: ${type}`)
  }
}

const outputTypes: readonly string[] = ['input_text', 'input_image', 'input_file']

const partTypes: Readonly<Record<string, readonly string[]>> = {
  user: [...outputTypes, 'input_audio'],
  system: ['input_text'],
  developer: ['input_text'],
  assistant: ['output_text', 'refusal'],
}

function* messageProblems(item: Fields, at: string): Problems {
  const { role, content } = item
  const types = typeof role === 'string' && Object.hasOwn(partTypes, role) ? partTypes[role] : null
  if (types === null || types === undefined)
    yield problem('role', `${at}.role`, `must be one of ${Object.keys(partTypes).join(', ')}`)
  else yield* contentProblems(content, types, `${at}.content`)
}

function* contentProblems(content: unknown, types: readonly string[], at: string): Problems {
  if (typeof content === 'string') return
  if (!Array.isArray(content)) yield problem('content', at, 'must be text or parts')
  else if (content.length === 0) yield problem('content', at, 'must not be an empty array')
  else
    for (const [index, part] of content.entries())
      yield* partProblems(part, types, `${at}[${index}]`)
}

/** What the rules have against a part that stands where these types may. */
export function* partProblems(part: unknown, types: readonly string[], at: string): Problems {
  const fields = fieldsOf(part)
  const type = fields?.['type']
  if (fields === null || typeof type !== 'string' || !types.includes(type)) {
    yield problem('part', at, `must be one of ${types.join(', ')}`)
    return
  }
  if (type === 'input_text' || type === 'output_text' || type === 'refusal') {
    const field = type === 'refusal' ? 'refusal' : 'text'
    if (typeof fields[field] !== 'string') yield problem('part', `${at}.${field}`, 'must be text')
  }
  if (type === 'input_image' && typeof fields['file_id'] !== 'string')
    yield* pictureProblems(fields['image_url'], `${at}.image_url`)
  if (type === 'input_audio') yield* audioProblems(fields['input_audio'], `${at}.input_audio`)
  if (type === 'input_file') yield* fileProblems(fields, at)
}

export const userPartTypes = partTypes['user'] ?? []

function* fileProblems(file: Fields, at: string): Problems {
  const { file_id, file_url, file_data } = file
  if (typeof file_id === 'string' || typeof file_url === 'string') return
  if (file_data === undefined || file_data === null)
    yield problem('file', at, 'must have file_data, file_url or file_id')
  else yield* documentProblems(file_data, `${at}.file_data`)
}

/** Reasoning goes back as it came: with its summary, and an id or its sealed content. */
function* sealProblems(item: Fields, at: string): Problems {
  const { id, summary, encrypted_content } = item
  if (!Array.isArray(summary) || summary.some((part) => !isSummary(part)))
    yield problem('reasoning', `${at}.summary`, 'must be an array of summary_text')
  if (typeof id !== 'string' && typeof encrypted_content !== 'string')
    yield problem('reasoning', at, 'must have an id or encrypted_content')
  const sealed = encrypted_content ?? ''
  if (typeof sealed !== 'string')
    yield problem('reasoning', `${at}.encrypted_content`, 'must be text or null')
}

function isSummary(part: unknown): boolean {
  const fields = fieldsOf(part)
  return fields?.['type'] === 'summary_text' && typeof fields['text'] === 'string'
}

function* idProblems(items: readonly Fields[]): Problems {
  const seen = new Set<unknown>()
  for (const [index, item] of items.entries()) {
    const { id } = item
    if (typeof id !== 'string') continue
    if (seen.has(id)) yield problem('duplicate-id', `input[${index}].id`, 'is the id of two items')
    seen.add(id)
  }
}

/** Each call is answered once and after it was made. */
function* pairingProblems(items: readonly Fields[]): Problems {
  const calls = new Map<string, number>()
  const answered = new Set<string>()
  for (const [index, item] of items.entries()) {
    const at = `input[${index}].call_id`
    const call = callKey(item)
    if (call !== null && calls.has(call)) yield problem('duplicate-call', at, 'is of two calls')
    if (call !== null) calls.set(call, index)
    const output = outputKey(item)
    if (output === null) continue
    if (!calls.has(output)) yield problem('orphan-result', at, 'answers no call before it')
    else if (answered.has(output)) yield problem('duplicate-result', at, 'was answered before')
    answered.add(output)
  }
  for (const [key, index] of calls)
    if (!answered.has(key)) yield problem('missing-result', `input[${index}]`, 'has no output')
}

function* reasoningProblems(items: readonly Fields[]): Problems {
  for (const [index, item] of items.entries()) {
    const next = items[index + 1]
    if (typeOf(item) === 'reasoning' && (next === undefined || !isAnswer(next)))
      yield problem('reasoning-alone', `input[${index}]`, 'has no item of the model behind it')
  }
}

function* toolProblems(tool: Fields, at: string): Problems {
  const { type } = tool
  if (typeof type !== 'string' || type === '') yield problem('tool', `${at}.type`, 'must be text')
  if (type !== 'function' && type !== 'custom') return
  yield* functionNameProblems(tool['name'], `${at}.name`)
  if (type === 'function') yield* schemaProblems(tool['parameters'], `${at}.parameters`)
}
