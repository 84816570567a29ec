/** What the scripted model sees of a request: the tools, and what came after its last answer. */
import type { ApiName } from '../gateway/scripted-upstream.ts'

export type Fields = Readonly<Record<string, unknown>>

interface SentResult {
  /** Empty where the API has no ids. */
  readonly id: string
  readonly text: string
}

export interface SentRequest {
  /** All results in the request. */
  readonly results: readonly SentResult[]
  /** After the last answer. */
  readonly last: { readonly text: string; readonly results: readonly SentResult[] }
  /** All texts of the user, the newest at the end. */
  readonly typed: string
  readonly asksForSummary: boolean
}

export interface ListedTool {
  readonly name: string
  readonly namespace?: string
  /** The names of its arguments. */
  readonly inputs: readonly string[]
  readonly isDeferred: boolean
}

interface Item {
  readonly isOfModel: boolean
  readonly text: string
  readonly results: readonly SentResult[]
}

export function sentRequest(body: Fields, api: ApiName): SentRequest {
  const items = itemsOf(body, api)
  const lastAnswer = items.findLastIndex(({ isOfModel }) => isOfModel)
  const after = items.slice(lastAnswer + 1)
  const text = after.map((item) => item.text).join('\n')
  return {
    results: items.flatMap(({ results }) => results),
    typed: items.flatMap((item) => (item.isOfModel ? [] : [item.text])).join('\n'),
    last: { text, results: after.flatMap(({ results }) => results) },
    asksForSummary: summaryForms.some((form) => form.test(text)),
  }
}

/** In the newest text of the user, or in the system prompt that some clients use for it. */
const summaryForms: readonly RegExp[] = [
  /CONTEXT CHECKPOINT COMPACTION/,
  /Do NOT call any tools/,
  /(?:create|write|provide|generate)[^.\n]{0,80} summary/i,
  /<state_snapshot>/,
]

function itemsOf(body: Fields, api: ApiName): readonly Item[] {
  if (api === 'responses') {
    const { input } = body
    if (typeof input === 'string') return [{ isOfModel: false, text: input, results: [] }]
    return listOf(input).map(responseItem)
  }
  if (api === 'gemini') return listOf(body['contents']).map(geminiItem)
  return listOf(body['messages']).map(messageItem)
}

function messageItem(message: Fields): Item {
  const { role, content, tool_call_id } = message
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content)
  const text = textsOf(blocks)
  if (role === 'tool')
    return { isOfModel: false, text: '', results: [{ id: String(tool_call_id), text }] }
  const results = blocks
    .filter(({ type }) => type === 'tool_result')
    .map((block) => ({ id: String(block['tool_use_id']), text: JSON.stringify(block['content']) }))
  return { isOfModel: role === 'assistant', text, results }
}

function responseItem(item: Fields): Item {
  const { type, role, call_id, output } = item
  if (type === 'function_call_output' || type === 'custom_tool_call_output')
    return {
      ...{ isOfModel: false, text: '' },
      results: [{ id: String(call_id), text: JSON.stringify(output) }],
    }
  const isOfModel = role === 'assistant' || (role === undefined && type !== undefined)
  const { content } = item
  return {
    isOfModel,
    text: typeof content === 'string' ? content : textsOf(listOf(content)),
    results: [],
  }
}

function geminiItem({ role, parts }: Fields): Item {
  const results = listOf(parts).flatMap(({ functionResponse }) => {
    if (functionResponse === undefined) return []
    return [{ id: '', text: JSON.stringify(functionResponse) }]
  })
  return { isOfModel: role === 'model', text: textsOf(listOf(parts)), results }
}

/** Tools by all the ways in which clients list them. */
export function listedTools(body: Fields, api: ApiName): readonly ListedTool[] {
  const tools = listOf(body['tools'])
  if (api === 'gemini')
    return tools.flatMap(({ functionDeclarations }) =>
      listOf(functionDeclarations).map((each) =>
        toolOf(each, each['parametersJsonSchema'] ?? each['parameters']),
      ),
    )
  return tools.flatMap((tool) => {
    const { type, name, tools: inner } = tool
    if (type === 'namespace')
      return listOf(inner).map((each) => ({
        ...toolOf(each, each['parameters']),
        namespace: String(name),
      }))
    const described = (tool['function'] as Fields | undefined) ?? tool
    return [toolOf(described, described['input_schema'] ?? described['parameters'])]
  })
}

function toolOf(tool: Fields, schema: unknown): ListedTool {
  const properties = (schema as Fields | undefined)?.['properties'] as Fields | undefined
  return {
    name: String(tool['name'] ?? tool['type']),
    inputs: Object.keys(properties ?? {}),
    isDeferred: tool['defer_loading'] === true,
  }
}

function textsOf(blocks: readonly Fields[]): string {
  return blocks
    .map(({ text }) => text)
    .filter((text) => typeof text === 'string')
    .join('\n')
}

export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? (value as Fields[]) : []
}
