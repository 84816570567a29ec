/** The answers of the scripted upstream, in the form of each API. */
export interface ScriptedAnswer {
  readonly text?: string
  readonly thinking?: string
  readonly calls?: readonly ScriptedCall[]
  /** How long the second half of the answer waits. */
  readonly pauseMs?: number
}

export interface ScriptedCall {
  readonly name: string
  /** Of a tool of the Responses API that is one of several. */
  readonly namespace?: string
  readonly input: object
}

interface Given {
  readonly number: number
  readonly tokens: number
  readonly isStream: boolean
}

type WriteAnswer = (answer: ScriptedAnswer, given: Given) => Buffer

/** Of the call at this place of the answer with this number. */
export const callId = (number: number, at = 0) =>
  `call_${'abcdefghij'.repeat(2)}${number}${at === 0 ? '' : 'xyz'.charAt(at - 1)}`

function events(list: readonly (readonly [string | null, object | string])[]): Buffer {
  return Buffer.from(
    list
      .map(([event, data]) => {
        const text = typeof data === 'string' ? data : JSON.stringify(data)
        return `${event === null ? '' : `event: ${event}\n`}data: ${text}\n\n`
      })
      .join(''),
  )
}

function json(value: object): Buffer {
  return Buffer.from(JSON.stringify(value))
}

function halves(text: string): readonly string[] {
  const middle = Math.ceil(text.length / 2)
  return [text.slice(0, middle), text.slice(middle)].filter((half) => half !== '')
}

const anthropic: WriteAnswer = (
  { text = '', thinking, calls = [] },
  { number, tokens, isStream },
) => {
  const id = `msg_${'x'.repeat(12)}${number}`
  const signature = Buffer.from(`signature of answer ${number}`).toString('base64')
  const blocks = [
    ...(thinking === undefined ? [] : [{ type: 'thinking', thinking, signature }]),
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ name, input }, at) => ({
      ...{ type: 'tool_use', id: callId(number, at), name, input },
    })),
  ]
  const stop_reason = calls.length === 0 ? 'end_turn' : 'tool_use'
  const usage = { input_tokens: tokens, output_tokens: 5 }
  const message = { id, type: 'message', role: 'assistant', model: 'small', stop_sequence: null }
  if (!isStream) return json({ ...message, content: blocks, stop_reason, usage })
  const start = { ...message, content: [], stop_reason: null, usage }
  return events([
    ['message_start', { type: 'message_start', message: start }],
    ['ping', { type: 'ping' }],
    // Of a newer version: it must pass, and change nothing.
    ['unheard_of', { type: 'unheard_of', words: 'ü' }],
    ...blocks.flatMap((block, index) => [
      [
        'content_block_start',
        { type: 'content_block_start', index, content_block: emptied(block) },
      ] as const,
      ...deltasOf(block).map(
        (delta) => ['content_block_delta', { type: 'content_block_delta', index, delta }] as const,
      ),
      ['content_block_stop', { type: 'content_block_stop', index }] as const,
    ]),
    [
      'message_delta',
      {
        type: 'message_delta',
        delta: { stop_reason, stop_sequence: null },
        usage: { output_tokens: 5 },
      },
    ],
    ['message_stop', { type: 'message_stop' }],
  ])
}

type Block = { readonly type: string; readonly [name: string]: unknown }

function emptied(block: Block): object {
  if (block.type === 'text') return { type: 'text', text: '' }
  if (block.type === 'thinking') return { type: 'thinking', thinking: '', signature: '' }
  return { ...block, input: {} }
}

function deltasOf(block: Block): readonly object[] {
  if (block.type === 'text')
    return halves(String(block['text'])).map((text) => ({ type: 'text_delta', text }))
  if (block.type === 'thinking')
    return [
      { type: 'thinking_delta', thinking: block['thinking'] },
      { type: 'signature_delta', signature: block['signature'] },
    ]
  return halves(JSON.stringify(block['input'])).map((partial_json) => ({
    type: 'input_json_delta',
    partial_json,
  }))
}

const chat: WriteAnswer = ({ text = '', calls = [] }, { number, tokens, isStream }) => {
  const base = { id: `chatcmpl-${'x'.repeat(12)}${number}`, created: 1, model: 'small' }
  const usage = { prompt_tokens: tokens, completion_tokens: 5, total_tokens: tokens + 5 }
  const finish_reason = calls.length === 0 ? 'stop' : 'tool_calls'
  const asked = calls.map(({ name, input }, at) => ({
    ...{ id: callId(number, at), type: 'function' },
    function: { name, arguments: JSON.stringify(input) },
  }))
  const tool_calls = asked.length === 0 ? {} : { tool_calls: asked }
  const content = text === '' ? null : text
  if (!isStream) {
    const message = { role: 'assistant', content, refusal: null, ...tool_calls }
    const choice = { index: 0, message, logprobs: null, finish_reason }
    return json({ ...base, object: 'chat.completion', choices: [choice], usage })
  }
  const chunk = (delta: object, finish: string | null = null) =>
    [
      null,
      {
        ...base,
        object: 'chat.completion.chunk',
        choices: [{ index: 0, delta, finish_reason: finish }],
      },
    ] as const
  return events([
    chunk({ role: 'assistant', content: '' }),
    ...halves(text).map((half) => chunk({ content: half })),
    ...asked.flatMap((each, index) => [
      chunk({ tool_calls: [{ ...each, index, function: { ...each.function, arguments: '' } }] }),
      ...halves(each.function.arguments).map((half) =>
        chunk({ tool_calls: [{ index, function: { arguments: half } }] }),
      ),
    ]),
    chunk({}, finish_reason),
    [null, { ...base, object: 'chat.completion.chunk', choices: [], usage }],
    [null, '[DONE]'],
  ])
}

const responses: WriteAnswer = (
  { text = '', thinking, calls = [] },
  { number, tokens, isStream },
) => {
  const unique = `${'x'.repeat(12)}${number}`
  const output = [
    ...(thinking === undefined
      ? []
      : [
          {
            id: `rs_${unique}`,
            type: 'reasoning',
            summary: [],
            encrypted_content: `sealed ${number}`,
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            ...{ id: `msg_${unique}`, type: 'message', status: 'completed', role: 'assistant' },
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...calls.map(({ name, input, namespace }, at) => ({
      ...{ id: `fc_${unique}${at === 0 ? '' : `_${at}`}`, type: 'function_call' },
      ...{ status: 'completed', name, ...(namespace !== undefined && { namespace }) },
      ...{ call_id: callId(number, at), arguments: JSON.stringify(input) },
    })),
  ]
  const usage = {
    ...{ input_tokens: tokens, input_tokens_details: { cached_tokens: 0 }, output_tokens: 5 },
    ...{ output_tokens_details: { reasoning_tokens: 0 }, total_tokens: tokens + 5 },
  }
  const base = {
    id: `resp_${unique}`,
    object: 'response',
    created_at: 1,
    model: 'small',
    tools: [],
  }
  const whole = {
    ...base,
    status: 'completed',
    output,
    usage,
    parallel_tool_calls: true,
    error: null,
  }
  if (!isStream) return json(whole)
  let sequence_number = 0
  const event = (type: string, fields: object) =>
    [type, { type, sequence_number: sequence_number++, ...fields }] as const
  return events([
    event('response.created', { response: { ...base, status: 'in_progress', output: [] } }),
    ...output.flatMap((item, output_index) => [
      event('response.output_item.added', { output_index, item: addedItem(item) }),
      ...(item.type === 'message'
        ? [
            event('response.content_part.added', {
              ...{ item_id: item.id, output_index, content_index: 0 },
              part: { type: 'output_text', text: '', annotations: [] },
            }),
            ...halves(text).map((delta) =>
              event('response.output_text.delta', {
                ...{ item_id: item.id, output_index, content_index: 0, delta },
              }),
            ),
          ]
        : []),
      event('response.output_item.done', { output_index, item }),
    ]),
    event('response.completed', { response: whole }),
  ])
}

function addedItem(item: { readonly type: string }): object {
  if (item.type === 'message') return { ...item, status: 'in_progress', content: [] }
  return item.type === 'function_call' ? { ...item, arguments: '', status: 'in_progress' } : item
}

const gemini: WriteAnswer = ({ text = '', calls = [] }, { number, tokens, isStream }) => {
  const usageMetadata = {
    promptTokenCount: tokens,
    candidatesTokenCount: 5,
    totalTokenCount: tokens + 5,
  }
  const piece = (parts: readonly object[], finishReason?: string) => ({
    candidates: [
      { content: { role: 'model', parts }, index: 0, ...(finishReason && { finishReason }) },
    ],
    ...{ usageMetadata, modelVersion: 'small', responseId: `response-${'x'.repeat(8)}${number}` },
  })
  const asked = calls.map(({ name, input }) => ({ functionCall: { name, args: input } }))
  const texts = halves(text).map((half) => ({ text: half }))
  if (!isStream) return json(piece([...(text === '' ? [] : [{ text }]), ...asked], 'STOP'))
  const pieces = [...texts, ...asked]
  return events(
    pieces.map((part, at) => [null, piece([part], at === pieces.length - 1 ? 'STOP' : undefined)]),
  )
}

export const wireAnswers = { anthropic, chat, responses, gemini } as const
