/** A captured request in one form, whatever API it was written for. */
import { parsedInput } from '../../packages/throughline/src/cli/simulation/survival-along.ts'

export interface SentRequest {
  /** As the provider's cache sees it: tools and instructions, then each message. */
  readonly pieces: readonly string[]
  readonly items: readonly SentItem[]
}

interface SentItem {
  readonly role: string
  /** Texts, values of arguments, and results; no JSON. */
  readonly text: string
}

type Fields = Readonly<Record<string, unknown>>

export function sentRequest(body: unknown): SentRequest {
  const { tools, instructions, messages, input } = fieldsOf(body)
  const items = listOf(
    messages ?? (typeof input === 'string' ? [{ role: 'user', content: input }] : input),
  )
  const system = typeof instructions === 'string' ? [{ role: 'system', text: instructions }] : []
  return {
    pieces: [JSON.stringify([tools, instructions]), ...items.map((item) => JSON.stringify(item))],
    items: [...system, ...items.map((item) => sentItem(fieldsOf(item)))],
  }
}

function sentItem({ role, content, tool_calls, arguments: given, output }: Fields): SentItem {
  const calls = listOf(tool_calls).map((call) => fieldsOf(fieldsOf(call)['function'])['arguments'])
  const inputs = [...calls, given]
    .filter((each) => each !== undefined)
    .map((each) => valuesOf(parsedInput(each)))
  const text = [textOf(content), textOf(output), ...inputs].filter((each) => each !== '').join('\n')
  return {
    role: typeof role === 'string' ? role : output === undefined ? 'assistant' : 'tool',
    text,
  }
}

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  return listOf(content)
    .map((part) => String(fieldsOf(part)['text'] ?? ''))
    .join('\n')
}

function valuesOf(value: unknown): string {
  if (typeof value !== 'object' || value === null) return String(value ?? '')
  return Object.values(value).map(valuesOf).join('\n')
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
