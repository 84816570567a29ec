/**
 * Checks calls and results from the request alone: every call is answered directly, and no result
 * lacks its call. Written from the providers' documentation, not from the adapters.
 */
import type { Context } from 'throughline'
import { type Fields, fieldsIn, isObject } from './check-text.ts'
import type { ProviderFormat } from './providers.ts'
import { type Violation, violation } from './tally.ts'

/** The calls and results of one message, in the order of the request. */
interface CallsAndResults {
  readonly calls: readonly string[]
  readonly results: readonly string[]
  /** Whether the message has other content. */
  readonly speaks: boolean
}

export function checkPairs(format: ProviderFormat, request: object): readonly Violation[] {
  return unpaired(pairsIn(format, request as Fields)).map((detail) =>
    violation('pairs', `${format}: ${detail}`),
  )
}

/** The same for a context, before any adapter could repair it. */
export function checkContextPairs({ messages }: Pick<Context, 'messages'>): readonly Violation[] {
  const pairs = messages.map(({ role, parts }): CallsAndResults => {
    const ofType = (type: 'tool-call' | 'tool-result') =>
      parts.flatMap((part) => (part.type === type ? [part.callId] : []))
    const [calls, results] = [ofType('tool-call'), ofType('tool-result')]
    // A result in its call's own message: the provider ran the tool.
    const own = calls.filter((id) => results.includes(id))
    const others = (ids: readonly string[]) => ids.filter((id) => !own.includes(id))
    return {
      calls: others(calls),
      results: others(results),
      speaks: role === 'user' || role === 'system',
    }
  })
  return unpaired(pairs).map((detail) => violation('pairs', `context: ${detail}`))
}

const withoutId = '(function)'

function unpaired(messages: readonly CallsAndResults[]): readonly string[] {
  const wrong: string[] = []
  const used = new Set<string>()
  let open = new Set<string>()
  for (const { calls, results, speaks } of messages) {
    for (const id of results)
      if (!open.delete(id)) wrong.push(`a result of "${id.slice(0, 40)}" without a call`)
    if (speaks && open.size > 0) {
      wrong.push(`other content comes before the result of "${[...open][0]?.slice(0, 40)}"`)
      open = new Set()
    }
    for (const id of calls) {
      if (used.has(id) && id !== withoutId) wrong.push(`the id "${id.slice(0, 40)}" is used twice`)
      used.add(id)
      open.add(id)
    }
  }
  if (open.size > 0) wrong.push(`"${[...open][0]?.slice(0, 40)}" is never answered`)
  return wrong
}

function pairsIn(format: ProviderFormat, request: Fields): readonly CallsAndResults[] {
  switch (format) {
    case 'openai-chat':
      return fieldsIn(request['messages']).map(chatPairs)
    case 'openai-responses':
      return fieldsIn(request['input']).map(itemPairs)
    case 'anthropic-messages':
      return fieldsIn(request['messages']).map(anthropicPairs)
    case 'gemini-contents':
      return geminiPairs(fieldsIn(request['contents']))
    case 'ai-sdk':
      return fieldsIn(request['messages']).map(sdkPairs)
  }
}

function idsOf(fields: readonly Fields[], key: string): readonly string[] {
  return fields.flatMap((one) => (typeof one[key] === 'string' ? [String(one[key])] : []))
}

function chatPairs(message: Fields): CallsAndResults {
  const { role, function_call: legacy } = message
  // The format before ids: one call, and its result next.
  if (role === 'function') return { calls: [], results: [withoutId], speaks: false }
  if (isObject(legacy)) return { calls: [withoutId], results: [], speaks: false }
  return {
    calls: idsOf(fieldsIn(message['tool_calls']), 'id'),
    results: role === 'tool' ? idsOf([message], 'tool_call_id') : [],
    speaks: role !== 'tool' && role !== 'assistant',
  }
}

function itemPairs(item: Fields): CallsAndResults {
  const type = String(item['type'] ?? 'message')
  const id = idsOf([item], 'call_id')
  if (type.endsWith('_call_output')) return { calls: [], results: id, speaks: false }
  // A call that the service ran has no `call_id`.
  if (type.endsWith('_call')) return { calls: id, results: [], speaks: false }
  return { calls: [], results: [], speaks: type === 'message' && item['role'] !== 'assistant' }
}

function anthropicPairs(message: Fields): CallsAndResults {
  const blocks = fieldsIn(message['content'])
  const ofType = (type: string) => blocks.filter((block) => block['type'] === type)
  const results = ofType('tool_result')
  // Results come before everything else in their message.
  const first = blocks.slice(0, results.length).every(({ type }) => type === 'tool_result')
  return {
    calls: idsOf(ofType('tool_use'), 'id'),
    results: first ? idsOf(results, 'tool_use_id') : ['(after other blocks)'],
    speaks: true,
  }
}

/** Ids are optional here: without one, a response answers the next open call of its name. */
function geminiPairs(contents: readonly Fields[]): readonly CallsAndResults[] {
  let numbered = 0
  let open: readonly { readonly id: string; readonly name: unknown }[] = []
  return contents.map((content) => {
    const parts = fieldsIn(content['parts'])
    const inner = (key: string) =>
      parts.flatMap((part) => (isObject(part[key]) ? [part[key] as Fields] : []))
    const responses = inner('functionResponse').map((response) => {
      const given = response['id']
      const found = open.find(({ id, name }) =>
        given === undefined ? name === response['name'] : id === `${given}`,
      )
      open = open.filter((call) => call !== found)
      return found?.id ?? `(response of ${String(response['name'])})`
    })
    const calls = inner('functionCall').map((call) => {
      numbered += 1
      return {
        id: call['id'] === undefined ? `(call ${numbered})` : `${call['id']}`,
        name: call['name'],
      }
    })
    open = calls
    return { calls: calls.map(({ id }) => id), results: responses, speaks: true }
  })
}

function sdkPairs(message: Fields): CallsAndResults {
  const parts = fieldsIn(message['content'])
  const ofType = (type: string) =>
    idsOf(
      parts.filter((part) => part['type'] === type),
      'toolCallId',
    )
  const calls = ofType('tool-call')
  const results = ofType('tool-result')
  const { role } = message
  if (role === 'tool') return { calls: [], results, speaks: false }
  const byProvider = parts.flatMap((part) =>
    part['type'] === 'tool-call' && part['providerExecuted'] === true
      ? idsOf([part], 'toolCallId')
      : [],
  )
  return {
    calls: calls.filter((id) => !results.includes(id) && !byProvider.includes(id)),
    results: results.filter((id) => !calls.includes(id)),
    speaks: role !== 'assistant',
  }
}
