/** What came of a step, in a line, by rules: a list by its count and its kinds, never item by item. */
import type { StepResult } from '../domain/agent-turn.ts'
import type { JsonObject, JsonValue } from '../domain/json.ts'
import { safeLine } from './turn-words.ts'

const outcomeCharacters = 200

export function stepOutcome(step: StepResult): string {
  const { outcome, status, error, result } = step
  if (outcome !== null && outcome.trim() !== '') return safeLine(outcome, outcomeCharacters)
  if (status === 'skipped') return 'skipped'
  if (status === 'done') return safeLine(told(parsed(result)), outcomeCharacters)
  const why = [error?.code ?? '', error?.message ?? ''].filter((part) => part !== '').join(' ')
  return why === '' ? 'failed' : safeLine(`failed: ${why}`, outcomeCharacters)
}

/** Null where there is no list, or no telling which. */
export function recordCountOf(result: JsonValue): number | null {
  const value = parsed(result)
  if (isList(value)) return value.length
  if (!isObject(value)) return null
  const lists = Object.values(value).filter(isList)
  return lists.length === 1 ? (lists[0]?.length ?? null) : null
}

/** Many tools write their JSON as a text. */
function parsed(result: JsonValue): JsonValue {
  if (typeof result !== 'string' || !/^\s{0,20}[[{]/.test(result)) return result
  try {
    return JSON.parse(result) as JsonValue
  } catch {
    // It begins as JSON does and is something else.
    return result
  }
}

function told(result: JsonValue): string {
  if (typeof result === 'string') return textTold(result)
  if (isList(result)) return listTold(result.length === 1 ? 'record' : 'records', result)
  if (isObject(result)) return objectTold(result)
  return result === null ? 'done' : String(result)
}

const fewItems = 5

/** What stands before a list, and how many it has. */
function textTold(text: string): string {
  if (text.trim() === '') return 'done'
  const items = text.match(/^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)]) /gm)?.length ?? 0
  if (items < fewItems) return text
  const before = text.slice(0, text.search(/^[ \t]{0,8}(?:[-*+•]|\d{1,3}[.)]) /m)).trim()
  return before === '' ? `${items} items` : `${before} ${items} items`
}

function objectTold(result: JsonObject): string {
  const lists = Object.entries(result).flatMap(([name, value]) =>
    isList(value) ? [listTold(name, value)] : [],
  )
  if (lists.length > 0) return lists.join(', ')
  const names = Object.keys(result)
  if (names.length === 0) return 'done'
  const more = names.length > mostFields ? ` and ${names.length - mostFields} more` : ''
  return `a record with ${names.slice(0, mostFields).join(', ')}${more}`
}

const mostFields = 5

function listTold(name: string, items: readonly JsonValue[]): string {
  const kinds = new Map<string, number>()
  for (const item of items) {
    const kind = kindOf(item)
    if (kind !== null) kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
  }
  if (kinds.size === 0) return `${items.length} ${name}`
  const most = [...kinds].toSorted((one, other) => other[1] - one[1]).slice(0, mostKinds)
  return `${items.length} ${name} (${most.map(([kind, count]) => `${count} ${kind}`).join(', ')})`
}

const mostKinds = 5

/** As records say it of themselves. */
function kindOf(item: JsonValue): string | null {
  if (!isObject(item)) return null
  for (const name of ['type', 'kind', 'category']) {
    const kind = item[name]
    if (typeof kind === 'string' && kind !== '' && kind.length <= kindCharacters) return kind
  }
  return null
}

const kindCharacters = 40

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
