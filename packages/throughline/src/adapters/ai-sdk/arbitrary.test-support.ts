/** Random prompts of the AI SDK: every kind of part in every allowed place. */
import fc from 'fast-check'
import type { AiSdkRequest } from './request.ts'

type Fields = Readonly<Record<string, unknown>>

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const filled = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value): unknown => JSON.parse(JSON.stringify(value)))
const record = fc.dictionary(fc.string({ maxLength: 6 }), json, { maxKeys: 3 }).map(plain)
const cacheControl = fc.constant({ cacheControl: { type: 'ephemeral' } })
const providerOptions = fc
  .dictionary(
    fc.constantFrom('anthropic', 'openai', 'google', 'other'),
    fc.oneof(
      record,
      cacheControl,
      fc.constant({ itemId: 'msg_1' }),
      fc.constantFrom({ thoughtSignature: 'EvQB+/==' }, { thoughtSignature: 'EvQC' }),
    ),
    { maxKeys: 2 },
  )
  .map(plain)

/** Programs pass objects with a prototype; fast-check also makes some without. */
function plain(value: object): Fields {
  return { ...value } as Fields
}

function withOptions(part: fc.Arbitrary<object>): fc.Arbitrary<Fields> {
  const more = fc.record({ providerOptions, note: json }, { requiredKeys: [] })
  return fc.tuple(part, fc.oneof({ weight: 3, arbitrary: fc.constant({}) }, more)).map((both) => ({
    ...both[1],
    ...both[0],
  }))
}

const bytes = fc.uint8Array({ minLength: 1, maxLength: 20 })
const base64 = bytes.map((data) => Buffer.from(data).toString('base64'))
const address = fc.constantFrom('https://example.test/a.png', 'https://example.test', 'gs://b/c')
const dataUrl = base64.map((data) => `data:image/png;base64,${data}`)
const inline = fc.oneof(
  bytes,
  bytes.map((data) => new Uint8Array(data).buffer),
  base64,
)
const url = fc.oneof(address, dataUrl).map((href) => new URL(href))
const reference = fc.constant({ openai: 'file-1', anthropic: 'file_2' })
const tagged = fc.oneof(
  inline.map((data) => ({ type: 'data', data })),
  url.map((href) => ({ type: 'url', url: href })),
  fc.constant({
    type: 'url',
    url: new URL('https://example.test'),
    originalUrl: 'https://Example.test',
  }),
  reference.map((ids) => ({ type: 'reference', reference: ids })),
  filled.map((words) => ({ type: 'text', text: words })),
)
const mediaType = fc.constantFrom('image/png', 'image', 'image/*', 'application/pdf', 'text/plain')
const fileFields = fc.record({ filename: filled }, { requiredKeys: [] })

function fileOf(data: fc.Arbitrary<unknown>): fc.Arbitrary<Fields> {
  const part = fc.record({ type: fc.constant('file'), data, mediaType })
  return withOptions(
    fc.tuple(part, fileFields).map(([required, more]) => ({ ...more, ...required })),
  )
}

const textPart = withOptions(fc.record({ type: fc.constant('text'), text: filled }))
const filePart = fileOf(fc.oneof(inline, url, address, dataUrl, reference, tagged))
const imagePart = withOptions(
  fc.record(
    {
      type: fc.constant('image'),
      image: fc.oneof(inline, url, address, dataUrl, reference),
      mediaType: fc.constantFrom('image/png', 'image'),
    },
    { requiredKeys: ['type', 'image'] },
  ),
)
const reasoning = fc.oneof(
  withOptions(fc.record({ type: fc.constant('reasoning'), text })),
  filled.map((signature) => ({
    type: 'reasoning',
    text: 'Let me see.',
    providerOptions: { anthropic: { signature } },
  })),
  filled.map((sealed) => ({
    type: 'reasoning',
    text: '',
    providerOptions: { openai: { itemId: 'rs_1', reasoningEncryptedContent: sealed } },
  })),
)
const reasoningFile = withOptions(
  fc.record({
    type: fc.constant('reasoning-file'),
    data: fc.oneof(
      inline,
      url,
      dataUrl,
      inline.map((data) => ({ type: 'data', data })),
    ),
    mediaType,
  }),
)
const custom = withOptions(fc.constant({ type: 'custom', kind: 'openai.compaction' }))

const item = fc.oneof(
  textPart,
  fileOf(tagged),
  withOptions(base64.map((data) => ({ type: 'file-data', data, mediaType: 'application/pdf' }))),
  withOptions(base64.map((data) => ({ type: 'image-data', data, mediaType: 'image/png' }))),
  withOptions(address.map((href) => ({ type: 'file-url', url: href }))),
  withOptions(address.map((href) => ({ type: 'image-url', url: href }))),
  withOptions(fc.constant({ type: 'file-id', fileId: { openai: 'file-1' } })),
  withOptions(fc.constant({ type: 'image-file-reference', providerReference: { openai: 'f' } })),
  withOptions(fc.constant({ type: 'custom' })),
)
const output = withOptions(
  fc.oneof(
    fc.record({ type: fc.constantFrom('text', 'error-text'), value: text }),
    fc.record({ type: fc.constantFrom('json', 'error-json'), value: json }),
    fc.record({ type: fc.constant('content'), value: fc.array(item, { maxLength: 3 }) }),
    fc.record({ type: fc.constant('execution-denied'), reason: text }, { requiredKeys: ['type'] }),
  ),
)

const call = fc.record({
  name: filled,
  input: fc.oneof({ weight: 4, arbitrary: record }, json),
  output,
  more: withOptions(fc.record({ dynamic: fc.boolean() }, { requiredKeys: [] })),
  by: fc.constantFrom('caller', 'caller', 'provider', 'approval'),
})
const step = fc.record({
  parts: fc.array(fc.oneof(textPart, reasoning, filePart, reasoningFile, custom), { maxLength: 3 }),
  calls: fc.array(call, { maxLength: 3 }),
  apart: fc.boolean(),
})
const userContent = fc.oneof(
  filled,
  fc.array(fc.oneof(textPart, filePart, imagePart), { minLength: 1, maxLength: 3 }),
)
const message = withOptions(fc.constant({}))
const turn = fc.record({
  user: userContent,
  more: message,
  steps: fc.array(step, { maxLength: 3 }),
})

const systemMessage = withOptions(filled.map((content) => ({ role: 'system', content })))
const instructions = fc.record(
  {
    value: fc.oneof(filled, systemMessage, fc.array(systemMessage, { minLength: 1, maxLength: 3 })),
  },
  { requiredKeys: [] },
)

type Turn = typeof turn extends fc.Arbitrary<infer Value> ? Value : never

/** Prompts in which the rules find nothing. */
export const prompts: fc.Arbitrary<AiSdkRequest> = fc
  .record({
    field: fc.constantFrom('instructions', 'system'),
    instructions,
    turns: fc.array(turn, { minLength: 1, maxLength: 4 }),
    note: fc.option(systemMessage),
    last: userContent,
  })
  .map(({ field, instructions: { value }, turns, note, last }) => {
    const messages = [
      ...turns.flatMap((one, index) => messagesOf(one, index)),
      ...(note === null ? [] : [note]),
      { role: 'user', content: last },
    ]
    const prompt = {
      ...(value === undefined ? {} : { [field]: value }),
      messages,
      ...(note === null ? {} : { allowSystemInMessages: true }),
    }
    // The shapes above are those of the SDK; the tests with its own schemas prove it.
    return prompt as unknown as AiSdkRequest
  })

function messagesOf({ user, more, steps }: Turn, index: number): readonly Fields[] {
  return [
    { ...more, role: 'user', content: user },
    ...steps.flatMap((one, at) => stepOf(one, `call-${index}-${at}`)),
  ]
}

function stepOf({ parts, calls, apart }: Turn['steps'][number], id: string): readonly Fields[] {
  const made = calls.map((one, at) => callOf(one, `${id}-${at}`))
  const content = [...parts, ...made.flatMap(({ assistant }) => assistant)]
  const results = made.flatMap(({ tool }) => tool)
  if (content.length === 0) return []
  const tools = apart ? results.map((result) => [result]) : results.length > 0 ? [results] : []
  return [
    { role: 'assistant', content },
    ...tools.map((found) => ({ role: 'tool', content: found })),
  ]
}

interface Halves {
  readonly assistant: readonly Fields[]
  readonly tool: readonly Fields[]
}

function callOf(
  { name, input, output: value, more, by }: Turn['steps'][number]['calls'][number],
  id: string,
): Halves {
  const made = { ...more, type: 'tool-call', toolCallId: id, toolName: name, input }
  const result = { type: 'tool-result', toolCallId: id, toolName: name, output: value }
  switch (by) {
    case 'provider':
      return { assistant: [{ ...made, providerExecuted: true }, result], tool: [] }
    case 'approval':
      return {
        assistant: [
          made,
          { type: 'tool-approval-request', approvalId: `ask-${id}`, toolCallId: id },
        ],
        tool: [{ type: 'tool-approval-response', approvalId: `ask-${id}`, approved: true }, result],
      }
    default:
      return { assistant: [made], tool: [result] }
  }
}
