/** Random valid requests of OpenAI: every kind of block in every form. */
import fc from 'fast-check'
import { pixel } from './foreign.test-support.ts'

const text = fc.string({ unit: 'grapheme', maxLength: 12 })
const name = fc.stringMatching(/^[a-zA-Z0-9_-]{1,20}$/)
const maybe = <Value>(key: string, value: fc.Arbitrary<Value>) =>
  fc.oneof(
    fc.constant({}),
    value.map((made) => ({ [key]: made })),
  )
const merged = (...pieces: readonly fc.Arbitrary<object>[]) =>
  fc.tuple(...pieces).map((made): object => Object.assign({}, ...made))
const fixed = (value: object) => fc.constant(value)
const some = <Value>(value: fc.Arbitrary<Value>) =>
  fc.array(value, { minLength: 1, maxLength: 3, size: 'max' })
// Written JSON has no -0.
const json = fc
  .jsonValue({ maxDepth: 2 })
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 9 })
  .map((bytes) => btoa(String.fromCharCode(...bytes)))
const imageUrl = fc.oneof(
  fc.constant('https://a.test/b.png'),
  fc.constantFrom('png', 'jpeg', 'webp;x=y').map((kind) => `data:image/${kind};base64,${pixel}`),
  // Not the base64 that its bytes would give.
  fc.constant('data:image/gif;base64,AB=='),
)
const pdf = base64.map((data) => `data:application/pdf;base64,${data}`)
const audio = fc.record({ data: base64, format: fc.constantFrom('wav', 'mp3') })
const input = fc.oneof(
  fc.constant(''),
  fc.constant('{"a": 1.0}'),
  text,
  json.map((v) => JSON.stringify(v)),
)
const schema = fc.constantFrom(
  { type: 'object', properties: {} },
  { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] },
)

/** Two alike would break a rule, so they are not shrunk. */
const freshId = (prefix: string) =>
  fc.noShrink(fc.uuid()).map((id) => `${prefix}${id.slice(0, 23)}`)

const chatText = merged(
  fixed({ type: 'text' }),
  text.map((made) => ({ text: made })),
  maybe('cache', json),
)
const chatPart = fc.oneof(
  chatText,
  merged(
    fixed({ type: 'image_url' }),
    merged(
      imageUrl.map((url) => ({ url })),
      maybe('detail', fc.constantFrom('low', 'high')),
    ).map((image_url) => ({ image_url })),
  ),
  audio.map((input_audio) => ({ type: 'input_audio', input_audio })),
  merged(
    pdf.map((file_data) => ({ file_data })),
    maybe('filename', text),
  ).map((file) => ({
    type: 'file',
    file,
  })),
  fixed({ type: 'file', file: { file_id: 'file-1' } }),
)
const chatRefusal = text.map((refusal) => ({ type: 'refusal', refusal }))
const named = maybe('name', name)

const chatCall = fc.oneof(
  fc.record({
    id: freshId('call_'),
    type: fc.constant('function'),
    function: merged(
      name.map((n) => ({ name: n })),
      input.map((i) => ({ arguments: i })),
    ),
  }),
  fc.record({
    id: freshId('call_'),
    type: fc.constant('custom'),
    custom: fc.record({ name, input: text }),
  }),
)

const chatExchange = fc
  .tuple(
    fc.uniqueArray(chatCall, { minLength: 1, maxLength: 3, selector: ({ id }) => id }),
    fc.constantFrom({}, { content: null }, { content: '' }, { content: 'Well.' }),
    fc.array(fc.oneof(text, some(chatText)), { minLength: 3, maxLength: 3 }),
    fc.boolean(),
    maybe('refusal', fc.oneof(text, fc.constant(null))),
  )
  .map(([calls, content, outputs, backwards, refusal]) => {
    const results = calls.map(({ id }, index) => ({
      role: 'tool',
      tool_call_id: id,
      content: outputs[index] ?? '',
    }))
    const answer = { role: 'assistant', ...content, ...refusal, tool_calls: calls }
    return [answer, ...(backwards ? results.toReversed() : results)]
  })

const chatInstruction = merged(
  fc.constantFrom({ role: 'system' }, { role: 'developer' }),
  fc.oneof(text, some(chatText)).map((content) => ({ content })),
  named,
)

const chatTurn: fc.Arbitrary<readonly object[]> = fc.oneof(
  merged(
    fixed({ role: 'user' }),
    fc.oneof(text, some(chatPart)).map((content) => ({ content })),
    named,
    maybe('meta', json),
  ).map((message) => [message]),
  merged(
    fixed({ role: 'assistant' }),
    fc.oneof(text, some(fc.oneof(chatText, chatRefusal))).map((content) => ({ content })),
    named,
    maybe('annotations', fc.constant([])),
  ).map((message) => [message]),
  fixed({ role: 'assistant', content: null, refusal: 'No.' }).map((message) => [message]),
  fixed({ role: 'assistant', content: null, audio: { id: 'audio_1' } }).map((one) => [one]),
  chatInstruction.map((message) => [message]),
  chatExchange,
  fixed([
    { role: 'assistant', content: null, function_call: { name: 'f', arguments: '{' } },
    { role: 'function', name: 'f', content: 'done' },
  ]) as fc.Arbitrary<readonly object[]>,
)

const chatTool = fc.oneof(
  merged(
    name.map((made) => ({ name: made })),
    maybe('description', text),
    maybe('parameters', schema),
    maybe('strict', fc.constantFrom(true, false, null)),
  ).map((made) => ({ type: 'function', function: made })),
  name.map((made) => ({ type: 'custom', custom: { name: made, format: { type: 'text' } } })),
)

export const chatRequest = fc
  .tuple(
    fc.array(chatInstruction, { maxLength: 2 }),
    fc.array(chatTurn, { minLength: 1, maxLength: 8, size: 'max' }),
    maybe('tools', some(chatTool)),
  )
  .map(([system, turns, tools]) => ({
    messages: [...system, ...turns.flat()] as never[],
    ...tools,
  }))

const inputText = text.map((made) => ({ type: 'input_text', text: made }))
const outputPart = fc.oneof(
  inputText,
  imageUrl.map((image_url) => ({ type: 'input_image', image_url, detail: 'low' })),
  merged(
    fixed({ type: 'input_file' }),
    pdf.map((file_data) => ({ file_data })),
    maybe('filename', text),
    maybe('file_url', fc.constant(null)),
  ),
  fixed({ type: 'input_file', file_url: 'https://a.test/b.pdf' }),
  fixed({ type: 'input_file', file_id: 'file-1' }),
  fixed({ type: 'input_image', file_id: 'file-2', image_url: null }),
)
const userPart = fc.oneof(
  outputPart,
  audio.map((input_audio) => ({ type: 'input_audio', input_audio })),
)
const answerPart = fc.oneof(
  text.map((made) => ({ type: 'output_text', text: made, annotations: [] })),
  chatRefusal,
)
const full = fc.constantFrom({}, { type: 'message' }, { type: 'message', status: 'completed' })

const speech = fc.oneof(
  merged(
    full,
    fixed({ role: 'user' }),
    fc.oneof(text, some(userPart)).map((content) => ({ content })),
  ),
  merged(
    full,
    fc.constantFrom({ role: 'system' }, { role: 'developer' }),
    fc.oneof(text, some(inputText)).map((content) => ({ content })),
  ),
)
const answer = fc.oneof(
  merged(
    full,
    fixed({ role: 'assistant' }),
    text.map((content) => ({ content })),
  ),
  merged(
    fixed({ type: 'message', role: 'assistant', status: 'completed' }),
    freshId('msg_').map((id) => ({ id })),
    some(answerPart).map((content) => ({ content })),
  ),
  freshId('ws_').map((id) => ({ type: 'web_search_call', id, status: 'completed' })),
  freshId('ig_').map((id) => ({ type: 'image_generation_call', id, result: pixel })),
  freshId('msg_').map((id) => ({ type: 'item_reference', id })),
  freshId('cmp_').map((id) => ({ type: 'compaction', id, encrypted_content: 'gAAA' })),
)
const exchange = fc
  .tuple(
    freshId('call_'),
    fc.constantFrom('function', 'custom_tool', 'computer', 'shell'),
    name,
    input,
    maybe('id', freshId('x')),
    fc.oneof(text, some(outputPart)),
  )
  .map(([call_id, kind, named, argument, ids, output]) => {
    const id = 'id' in ids ? { id: `${kind === 'custom_tool' ? 'ctc' : 'fc'}_${ids['id']}` } : {}
    const body =
      kind === 'function' ? { name: named, arguments: argument } : { name: named, input: argument }
    return [
      { type: `${kind}_call`, call_id, ...id, ...body },
      { type: `${kind}_call_output`, call_id, output },
    ] as const
  })
const reasoning = merged(
  fixed({ type: 'reasoning' }),
  fc.oneof(
    freshId('rs_').map((id) => ({ id })),
    freshId('rs_').map((id) => ({ id, encrypted_content: 'gAAAAAB' })),
    fixed({ encrypted_content: 'gAAAAAC' }),
    freshId('rs_').map((id) => ({ id, encrypted_content: null, status: 'completed' })),
  ),
  fc
    .array(
      text.map((made) => ({ type: 'summary_text', text: made })),
      { maxLength: 2 },
    )
    .map((summary) => ({ summary })),
)

const responsesTurn: fc.Arbitrary<readonly object[]> = fc.oneof(
  speech.map((item) => [item]),
  fc.tuple(fc.array(reasoning, { maxLength: 2 }), some(answer)).map((items) => items.flat()),
  fc
    .tuple(
      fc.array(reasoning, { maxLength: 2 }),
      fc.array(answer, { maxLength: 1 }),
      some(exchange),
    )
    .map(([thoughts, answers, calls]) => [
      ...thoughts,
      ...answers,
      ...calls.map(([call]) => call),
      ...calls.map(([, output]) => output).toReversed(),
    ]),
)

const responsesTool = fc.oneof(
  merged(
    name.map((made) => ({ type: 'function', name: made })),
    maybe('description', text),
    maybe('parameters', fc.oneof(schema, fc.constant(null))),
    maybe('strict', fc.constantFrom(true, false, null)),
  ),
  name.map((made) => ({ type: 'custom', name: made, format: { type: 'text' } })),
  fixed({ type: 'web_search', filters: null }),
  fixed({ type: 'mcp', server_label: 'a.b', server_url: 'https://a.test' }),
)

export const responsesRequest = fc
  .tuple(
    maybe('instructions', text),
    fc.oneof(
      { weight: 1, arbitrary: text },
      {
        weight: 9,
        arbitrary: fc
          .array(responsesTurn, { minLength: 1, maxLength: 8, size: 'max' })
          .map((turns): readonly object[] => turns.flat()),
      },
    ),
    maybe('tools', some(responsesTool)),
  )
  .map(([instructions, made, tools]) => ({ ...instructions, input: made as never, ...tools }))
