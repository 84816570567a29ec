/** The kinds of items that a response is made of, and whose they are. */
import type { Role } from '../../domain/message.ts'
import { type Fields, filledText } from '../unknown-json.ts'

/** The type of an item; short forms leave it out. */
export function typeOf(item: Fields): string {
  const type = filledText(item['type'])
  if (type !== null) return type
  if (item['role'] !== undefined) return 'message'
  return filledText(item['id']) === null ? 'unknown' : 'item_reference'
}

/** Calls that the caller answers, by the type of the answer. */
const callOfOutput: ReadonlyMap<string, string> = new Map(
  ['function', 'custom_tool', 'computer', 'local_shell', 'shell', 'apply_patch'].map((kind) => [
    `${kind}_call_output`,
    `${kind}_call`,
  ]),
)
const answeredCalls = new Set(callOfOutput.values())

/** What joins a call and its output; the type is part of it. Null for all other items. */
export function callKey(item: Fields): string | null {
  const type = typeOf(item)
  const id = filledText(item['call_id'])
  return answeredCalls.has(type) && id !== null ? `${type} ${id}` : null
}

export function outputKey(item: Fields): string | null {
  const call = callOfOutput.get(typeOf(item))
  // The output of a local shell names its call in `id`.
  const id = filledText(item['call_id']) ?? filledText(item['id'])
  return call !== undefined && id !== null ? `${call} ${id}` : null
}

/** Who speaks in an item that we do not know. */
export function roleOfItem(type: string): Role {
  if (type.endsWith('_output')) return 'tool'
  if (type === 'additional_tools') return 'system'
  return type === 'mcp_approval_response' || type.startsWith('compaction') ? 'user' : 'assistant'
}

/** Whether the service takes the item for instructions. */
export function isOfSystem(item: Fields): boolean {
  const type = typeOf(item)
  if (type === 'message') return item['role'] === 'system' || item['role'] === 'developer'
  return roleOfItem(type) === 'system'
}

/** Whether the model made the item: such a one must follow reasoning. */
export function isAnswer(item: Fields): boolean {
  const type = typeOf(item)
  if (type === 'message') return item['role'] === 'assistant'
  return type === 'compaction' || roleOfItem(type) === 'assistant'
}

/** Items of tools that came after this was written are named like these. */
export function isKnownType(type: string): boolean {
  return knownTypes.has(type) || type.endsWith('_call') || type.endsWith('_call_output')
}

const knownTypes = new Set([
  'message',
  'reasoning',
  'item_reference',
  'compaction',
  'compaction_summary',
  'compaction_trigger',
  'additional_tools',
  'tool_search_output',
  'mcp_list_tools',
  'mcp_approval_request',
  'mcp_approval_response',
])
