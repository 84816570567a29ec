/** The rules of responses, from OpenAI's reference and its errors, and the kinds of its items. */
import type { Role } from '../../domain/message.ts'
import type { RequestProblem } from '../../ports/adapter.ts'
import { checkFields, type Report, type Shape } from '../rules.ts'
import { type Fields, fieldsOf, filledText } from '../unknown-json.ts'
import { callOfOutput, idPrefixes, itemTypes } from './names-data.ts'
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

export const maxCallIdLength = 64
const maxItemIdLength = 64

/** Everything that OpenAI's responses would refuse; empty if valid. See `openaiChatProblems`. */
export function openaiResponsesProblems(request: unknown): readonly RequestProblem[] {
  const body = fieldsOf(request)
  if (body === null) return [{ rule: 'request', at: '', message: 'must be an object' }]
  const { instructions, input, tools } = body
  return requestProblems({ instructions, input, tools }, (report) => {
    if (instructions !== undefined && typeof instructions !== 'string')
      report('instructions', 'instructions', 'must be text, or be left out')
    if (typeof input !== 'string') checkInput(input, report)
    checkTools(tools, checkTool, report)
  })
}

function checkInput(input: unknown, report: Report) {
  if (!Array.isArray(input) || input.length === 0)
    return report('input', 'input', 'must be text or an array that is not empty')
  const items = input.map((item) => fieldsOf(item) ?? {})
  for (const [index, item] of items.entries()) checkItem(item, `input[${index}]`, report)
  const ids = new Set<unknown>()
  for (const [index, { id }] of items.entries()) {
    if (typeof id !== 'string') continue
    if (ids.has(id)) report('duplicate-id', `input[${index}].id`, 'is the id of two items')
    ids.add(id)
  }
  checkPairs(items, report)
  for (const [index, item] of items.entries()) {
    const next = items[index + 1]
    if (typeOf(item) === 'reasoning' && (next === undefined || !isOfModel(next)))
      report('reasoning-alone', `input[${index}]`, 'has no item of the model after it')
  }
}

export function checkItem(item: Fields, at: string, report: Report): void {
  checkItemId(item, at, report)
  const type = typeOf(item)
  if (type === 'message') checkMessage(item, at, report)
  else if (type === 'reasoning') checkReasoning(item, at, report)
  else if (Object.hasOwn(itemShapes, type)) checkFields(item, itemShapes[type] ?? {}, at, report)
  else if (!isKnownType(type)) report('item-type', at, `has an unknown type: ${type}`)
}

export function checkItemId(item: Fields, at: string, report: Report): void {
  const { id } = item
  if (id === undefined || id === null) return
  const type = typeOf(item)
  const prefix = type === 'message' && item['role'] === 'assistant' ? 'msg' : idPrefixes[type]
  if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id) || id.length > maxItemIdLength)
    report('item-id', `${at}.id`, `must be 1 to ${maxItemIdLength} letters, digits, _ and -`)
  else if (prefix !== undefined && !id.startsWith(prefix))
    report('item-id', `${at}.id`, `must begin with ${prefix}`)
}

export const outputParts: PartRules = { types: ['input_text', 'input_image', 'input_file'] }
export const userPartRules: PartRules = { types: [...outputParts.types, 'input_audio'] }

const partRules: Readonly<Record<string, PartRules>> = {
  user: userPartRules,
  system: { types: ['input_text'] },
  developer: { types: ['input_text'] },
  assistant: { types: ['output_text', 'refusal'] },
}

function checkMessage({ role, content }: Fields, at: string, report: Report): void {
  const rules =
    typeof role === 'string' && Object.hasOwn(partRules, role) ? partRules[role] : undefined
  if (rules === undefined)
    report('role', `${at}.role`, `must be one of ${Object.keys(partRules).join(', ')}`)
  else checkContent(content, rules, `${at}.content`, report)
}

const call_id = callIdCheck(maxCallIdLength)
const outputShape: Shape = {
  call_id,
  output: (content, at, report) => checkContent(content, outputParts, at, report),
}

const itemShapes: Readonly<Record<string, Shape>> = {
  function_call: { call_id, name: checkFunctionName, arguments: argumentText },
  custom_tool_call: { call_id, name: checkFunctionName, input: argumentText },
  function_call_output: outputShape,
  custom_tool_call_output: outputShape,
}

/** Reasoning must be unchanged: with its summary, and an id or its encrypted content. */
function checkReasoning(item: Fields, at: string, report: Report): void {
  const { id, summary, encrypted_content } = item
  const isSummary = ({ type, text }: Fields) => type === 'summary_text' && typeof text === 'string'
  if (!Array.isArray(summary) || !summary.every((part) => isSummary(fieldsOf(part) ?? {})))
    report('reasoning', `${at}.summary`, 'must be an array of summary_text')
  if (typeof id !== 'string' && typeof encrypted_content !== 'string')
    report('reasoning', at, 'must have an id or encrypted_content')
  if (typeof (encrypted_content ?? '') !== 'string')
    report('reasoning', `${at}.encrypted_content`, 'must be text or null')
}

function checkPairs(items: readonly Fields[], report: Report): void {
  const calls = new Map<string, number>()
  const answered = new Set<string>()
  for (const [index, item] of items.entries()) {
    const at = `input[${index}].call_id`
    const key = callKey(item)
    if (key !== null && calls.has(key)) report('duplicate-call', at, 'is of two calls')
    if (key !== null) calls.set(key, index)
    const answeredKey = outputKey(item)
    if (answeredKey === null) continue
    if (!calls.has(answeredKey)) report('orphan-result', at, 'answers no call before it')
    else if (answered.has(answeredKey)) report('duplicate-result', at, 'was answered before')
    answered.add(answeredKey)
  }
  for (const [key, index] of calls)
    if (!answered.has(key)) report('missing-result', `input[${index}]`, 'has no output')
}

function checkTool(tool: Fields, at: string, report: Report): void {
  const { type } = tool
  if (typeof type !== 'string' || type === '') report('tool', `${at}.type`, 'must be text')
  if (type !== 'function' && type !== 'custom') return
  checkFunctionName(tool['name'], `${at}.name`, report)
  if (type === 'function') checkSchema(tool['parameters'], `${at}.parameters`, report)
}

/** The type of an item; short forms omit it. */
export function typeOf(item: Fields): string {
  const type = filledText(item['type'])
  if (type !== null) return type
  if (item['role'] !== undefined) return 'message'
  return filledText(item['id']) === null ? 'unknown' : 'item_reference'
}

/** Matches a call with its output, by type and id. Null for all other items. */
export function callKey(item: Fields): string | null {
  const type = typeOf(item)
  const id = filledText(item['call_id'])
  return callOfOutput.has(`${type}_output`) && id !== null ? `${type} ${id}` : null
}

/** The key of the call that an output answers. Null for all other items. */
export function outputKey(item: Fields): string | null {
  const call = callOfOutput.get(typeOf(item))
  // The output of a local shell names its call in `id`.
  const id = filledText(item['call_id']) ?? filledText(item['id'])
  return call !== undefined && id !== null ? `${call} ${id}` : null
}

/** The role of the message that an item of this type is read into. */
export function roleOfItem(type: string): Role {
  if (type.endsWith('_output')) return 'tool'
  if (type === 'additional_tools') return 'system'
  return type === 'mcp_approval_response' || type.startsWith('compaction') ? 'user' : 'assistant'
}

/** Whether the service treats the item as instructions. */
export function isInstructionItem(item: Fields): boolean {
  const type = typeOf(item)
  if (type === 'message') return item['role'] === 'system' || item['role'] === 'developer'
  return roleOfItem(type) === 'system'
}

/** Whether the model made the item: reasoning must be followed by such an item. */
export function isOfModel(item: Fields): boolean {
  const type = typeOf(item)
  if (type === 'message') return item['role'] === 'assistant'
  return type === 'compaction' || roleOfItem(type) === 'assistant'
}

/** Items of newer tools follow the same naming scheme, so they are accepted. */
export function isKnownType(type: string): boolean {
  return itemTypes.has(type) || type.endsWith('_call') || type.endsWith('_call_output')
}
