/** Random valid requests of the Messages API, with every kind of block. */
import fc from 'fast-check'

type Block = Readonly<Record<string, unknown>>

const words = fc.oneof(
  fc.constantFrom('hello', ' padded ', 'größer 😀', '\ufeffmarked'),
  fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).map((text) => `a${text}`),
)
const json = fc
  .dictionary(fc.string({ maxLength: 6 }), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 3 })
  .map((value) => JSON.parse(JSON.stringify(value)) as Block)
const base64 = fc
  .uint8Array({ minLength: 1, maxLength: 9 })
  .map((bytes) => Buffer.from(bytes).toString('base64'))
const extra = fc.oneof(fc.constant({}), fc.constant({}), fc.constant({ unknown: [1, null] }))

const textBlock: fc.Arbitrary<Block> = fc
  .tuple(
    words,
    fc.constantFrom({}, { citations: null }, { citations: [{ type: 'x', index: 1 }] }),
    extra,
  )
  .map(([text, citations, more]) => ({ type: 'text', text, ...citations, ...more }))
const image: fc.Arbitrary<Block> = fc
  .oneof(
    base64.map((data) => ({ type: 'base64', media_type: 'image/png', data })),
    // Base64 that is not canonical: bits after the end.
    fc.constant({ type: 'base64', media_type: 'image/png', data: 'AB==' }),
    fc.constant({ type: 'url', url: 'https://a.example/b.png' }),
    fc.constant({ type: 'file', file_id: 'file_1' }),
  )
  .map((source) => ({ type: 'image', source }))
const paper: fc.Arbitrary<Block> = fc
  .tuple(
    fc.oneof(
      base64.map((data) => ({ type: 'base64', media_type: 'application/pdf', data })),
      words.map((data) => ({ type: 'text', media_type: 'text/plain', data })),
      fc.constant({ type: 'url', url: 'https://a.example/b.pdf' }),
      fc.constant({ type: 'content', content: [{ type: 'text', text: 'x' }] }),
    ),
    fc.constantFrom<Block>(
      {},
      { title: 'T' },
      { title: null, context: 'c' },
      { citations: { enabled: true } },
    ),
  )
  .map(([source, more]) => ({ type: 'document', source, ...more }))
const found = {
  type: 'search_result',
  source: 's',
  title: 't',
  content: [{ type: 'text', text: 'x' }],
}
const userBlock = fc.oneof(
  textBlock,
  image,
  paper,
  fc.constantFrom<Block>(
    found,
    { type: 'container_upload', file_id: 'f' },
    { type: 'newer', a: 1 },
  ),
)
const output = fc.oneof(
  fc.constant(undefined),
  fc.constant(''),
  words,
  fc.array(fc.oneof(textBlock, image, paper, fc.constant<Block>(found)), { maxLength: 3 }),
)
const resultBody: fc.Arbitrary<Block> = fc.oneof(
  fc
    .tuple(output, fc.constantFrom({}, { is_error: false }))
    .map(([content, error]) => (content === undefined ? error : { content, ...error })),
  fc
    .oneof(words, fc.array(textBlock, { minLength: 1, maxLength: 2 }))
    .map((content) => ({ content, is_error: true })),
)
const call: fc.Arbitrary<Block> = fc
  .tuple(json, fc.constantFrom({}, { caller: { type: 'direct' } }))
  .map(([input, more]) => ({ type: 'tool_use', name: 'lookup', input, ...more }))

type Place = readonly Block[]
const serverPair = fc.constantFrom<Place>(
  [
    { type: 'server_tool_use', id: 'srvtoolu_#', name: 'web_search', input: { query: 'q' } },
    { type: 'web_search_tool_result', tool_use_id: 'srvtoolu_#', content: [{ type: 'r', e: 'E' }] },
  ],
  [
    { type: 'mcp_tool_use', id: 'mcp#', name: 'm', server_name: 's', input: {} },
    { type: 'mcp_tool_result', tool_use_id: 'mcp#', is_error: false, content: 'x' },
  ],
)
const thinking: fc.Arbitrary<Block> = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'Hm. ', 'I think'), extra)
    .map(([text, more]) => ({ type: 'thinking', thinking: text, signature: 'EqQB+/==', ...more })),
  fc.constant({ type: 'redacted_thinking', data: 'AAAA' }),
)
const spoken: fc.Arbitrary<Place> = fc
  .array(
    fc.oneof(
      thinking.map((block) => [block]),
      textBlock.map((block) => [block]),
      serverPair,
      fc.constant<Place>([{ type: 'compaction', content: 'summary' }]),
    ),
    { maxLength: 4 },
  )
  .map((pieces) => pieces.flat())

interface Exchange {
  readonly spoken: Place
  readonly calls: readonly (readonly [Block, Block])[]
  readonly deferred: boolean
  readonly asked: string | Place
}
const exchange: fc.Arbitrary<Exchange> = fc.record({
  spoken,
  calls: fc.array(fc.tuple(call, resultBody), { maxLength: 3 }),
  deferred: fc.boolean(),
  asked: fc.oneof(words, fc.array(userBlock, { minLength: 1, maxLength: 3 })),
})

export const anthropicRequest = fc
  .record(
    {
      system: fc.oneof(words, fc.array(textBlock, { minLength: 1, maxLength: 2 })),
      asked: fc.oneof(words, fc.array(userBlock, { minLength: 1, maxLength: 3 })),
      exchanges: fc.array(exchange, { maxLength: 4 }),
      tools: fc.constantFrom<readonly Block[]>(
        [{ name: 'lookup', description: 'd', input_schema: { type: 'object' } }],
        [
          { name: 'a', input_schema: { type: 'object' }, type: 'custom', strict: true },
          { type: 'web_search_20250305', name: 'web_search', max_uses: 2 },
          { type: 'mcp_toolset', mcp_server_name: 's' },
        ],
      ),
      marks: fc.array(fc.nat(30), { maxLength: 4 }),
    },
    { requiredKeys: ['asked', 'exchanges', 'marks'] },
  )
  .map(({ system, asked, exchanges, tools, marks }) =>
    withMarks(
      {
        ...(system === undefined ? {} : { system }),
        messages: [{ role: 'user', content: asked }, ...exchanges.flatMap(messagesOf)],
        ...(tools === undefined ? {} : { tools }),
      },
      new Set(marks),
    ),
  )

function messagesOf(exchange: Exchange, index: number) {
  const calls = exchange.calls.map(([block], at) => ({ ...block, id: `toolu_${index}_${at}` }))
  const results = exchange.calls.map(([, body], at) => ({
    type: 'tool_result',
    tool_use_id: `toolu_${index}_${at}`,
    ...body,
  }))
  const id = `srvtoolu_late_${index}`
  const late = exchange.deferred && calls.length > 0
  const waiting = late ? [{ type: 'server_tool_use', id, name: 'web_fetch', input: {} }] : []
  const content = numbered(exchange.spoken, index)
  const asked = exchange.asked
  const next = typeof asked === 'string' ? [{ type: 'text', text: asked }] : asked
  if (calls.length === 0)
    return [
      { role: 'assistant', content: content.length === 0 ? 'Well.' : content },
      { role: 'user', content: asked },
    ]
  const turn = { role: 'assistant', content: [...content, ...waiting, ...calls] }
  if (!late) return [turn, { role: 'user', content: [...results, ...next] }]
  const answer = { type: 'web_fetch_tool_result', tool_use_id: id, content: {} }
  return [
    turn,
    { role: 'user', content: results },
    { role: 'assistant', content: [answer] },
    { role: 'user', content: asked },
  ]
}

/** Server tools may be called once under an id. */
function numbered(blocks: Place, exchange: number): Place {
  let pairs = 0
  return blocks.map((block) => {
    if ('id' in block) pairs += 1
    const unique = `${exchange}_${pairs}`
    const text = JSON.stringify(block).replaceAll(/(srvtoolu_|mcp)#/g, `$1${unique}`)
    return JSON.parse(text) as Block
  })
}

/** Marks on some of the blocks that may have one. */
function withMarks(request: { readonly messages: readonly object[] }, marks: ReadonlySet<number>) {
  let seen = 0
  return JSON.parse(JSON.stringify(request), (_key, value) => {
    const type = value?.type
    if (!['text', 'tool_use', 'tool_result', 'web_search_tool_result'].includes(type)) return value
    if (value.media_type !== undefined || value.name === 'lookup') return value
    seen += 1
    return marks.has(seen) ? { ...value, cache_control: { type: 'ephemeral' } } : value
  })
}
