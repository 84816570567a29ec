/** Contexts that were read from other providers, and hostile ones, for tests of `write`. */
import fc from 'fast-check'
import type { ContextMessage, Deliverable, ToolSchema } from '../domain/context.ts'
import type { JsonObject } from '../domain/json.ts'
import type { Part, Role, ToolOutput } from '../domain/message.ts'

const metadata = null

export const text = (words: string, note: JsonObject | null = null): Part => ({
  type: 'text',
  text: words,
  metadata: note,
})

export const call = (callId: string, name: string, input = '{}'): Part => ({
  type: 'tool-call',
  callId,
  name,
  input,
  metadata,
})

export const result = (callId: string, output: ToolOutput | string, isError = false): Part => ({
  type: 'tool-result',
  callId,
  name: null,
  output: typeof output === 'string' ? { kind: 'text', text: output } : output,
  isError,
  metadata,
})

export const msg = (role: Role, ...parts: readonly (Part | string)[]): ContextMessage => ({
  role,
  author: null,
  parts: parts.map((part) => (typeof part === 'string' ? text(part) : part)),
  meta: null,
  seq: null,
  slot: 'recent',
})

export const context = (
  messages: readonly ContextMessage[],
  more: Partial<Deliverable> = {},
): Deliverable => ({
  system: [],
  tools: [],
  files: new Map([['f00d', new Uint8Array([1, 2, 3])]]),
  breakpoints: [],
  messages,
  ...more,
})

const image = (mediaType: string): Part => ({
  type: 'file',
  mediaType,
  name: 'a.bin',
  source: { kind: 'stored', sha256: 'f00d', sizeBytes: 3 },
  width: null,
  height: null,
  metadata,
})

const lookup: ToolSchema = {
  name: 'lookup',
  description: 'Looks a word up.',
  parameters: { type: 'object', properties: { word: { type: 'string' } } },
  metadata: { openai: { strict: true } },
}

/** Tool messages one by one, sealed reasoning, items of its own. */
export const openaiShaped = context(
  [
    msg('system', 'Answer in one line.'),
    {
      ...msg('user', 'What is in these?', image('image/png'), image('audio/wav')),
      author: 'Ada',
    },
    msg(
      'assistant',
      { type: 'reasoning', text: 'Two lookups.', signature: 'gAAAA', metadata: { openai: {} } },
      { type: 'opaque', kind: 'openai/web_search_call', json: '{"id":"ws_1"}', metadata },
      'Looking.',
      call('call|1', 'lookup', '{"word":"a"}'),
      call('call|2', 'functions.lookup', 'not json'),
    ),
    msg('tool', result('call|1', 'an article')),
    msg('tool', result('call|2', '', true)),
    msg('system', 'The user is in a hurry.'),
    msg('assistant', call('call|3', 'lookup', '[1]')),
    msg('tool', result('call|3', { kind: 'json', json: '{"found":12345678901234567890}' })),
  ],
  { tools: [lookup, { name: 'now' }] },
)

/** One tool message with several results, options of providers on the parts. */
export const sdkShaped = context([
  msg('user', text('Hello', { anthropic: { cacheControl: { type: 'ephemeral' } } })),
  msg(
    'assistant',
    { type: 'reasoning', text: 'Hm.', signature: null, metadata },
    call('a b', 'lookup'),
    call('', 'x'.repeat(200)),
  ),
  msg(
    'tool',
    result('a b', {
      kind: 'parts',
      parts: [
        { type: 'text', text: ' ', metadata },
        { ...(image('image/png') as Extract<Part, { type: 'file' }>) },
        { type: 'opaque', kind: 'openai/x', json: '{}', metadata },
      ],
    }),
    result('', 'done'),
  ),
  msg('assistant', { type: 'opaque', kind: 'openai/x', json: '{}', metadata }),
  msg('assistant', 'Done.\ud800', '   '),
  msg(
    'user',
    { type: 'resource-excerpt', resourceId: 'r', title: null, text: 'words', metadata },
    { type: 'attachment-ref', attachmentId: 'a', title: 'A', metadata },
  ),
])

const anyJson = fc.oneof(fc.json({ maxDepth: 3 }), fc.string({ maxLength: 12, unit: 'binary' }))
const anyNote: fc.Arbitrary<JsonObject | null> = fc.option(
  fc.dictionary(
    fc.constantFrom('anthropic', 'google', 'openai'),
    fc.oneof(
      fc.jsonValue({ maxDepth: 2 }),
      fc.dictionary(
        fc.constantFrom(
          'fields',
          'string',
          'content',
          'source',
          'thoughtSignature',
          'own',
          'id',
          'inner',
          'args',
          'response',
        ),
        fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constant(true), fc.constant('absent')),
      ),
    ) as fc.Arbitrary<JsonObject>,
  ) as fc.Arbitrary<JsonObject>,
  { freq: 2 },
)
const anyWords = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 8 }),
  fc.constantFrom('', ' ', 'hi', '\ud800'),
)
const anyId = fc.constantFrom('1', '2', 'call|3', '', 'x'.repeat(90))
const anyFile = fc.record({
  type: fc.constant('file' as const),
  mediaType: fc.constantFrom(
    'image/png',
    'image/*',
    'image/tiff',
    'application/pdf',
    'text/csv',
    'x',
  ),
  name: fc.option(anyWords),
  source: fc.oneof(
    fc.record({
      kind: fc.constant('stored' as const),
      sha256: fc.constantFrom('f00d', 'missing'),
      sizeBytes: fc.constant(3),
    }),
    fc.record({
      kind: fc.constant('url' as const),
      url: fc.constantFrom('https://a.example/b.png', 'http://a', 'gs://b/c', 'https:// x'),
    }),
  ),
  width: fc.constant(null),
  height: fc.constant(null),
  metadata: anyNote,
})
const anyText = fc.record({ type: fc.constant('text' as const), text: anyWords, metadata: anyNote })
const anyOpaque = fc.record({
  type: fc.constant('opaque' as const),
  kind: fc.constantFrom('anthropic/x', 'google/x', 'openai/x', 'anthropic/server_tool_use', ''),
  json: fc.oneof(
    anyJson,
    fc
      .record({
        type: fc.constantFrom(
          ...['server_tool_use', 'web_search_tool_result', 'mcp_tool_use', 'mcp_tool_result'],
          ...['redacted_thinking', 'tool_use', 'tool_result', 'text', 'thinking', 'compaction'],
        ),
        id: fc.constantFrom('srvtoolu_1', 'srvtoolu_2', '1'),
        tool_use_id: fc.constantFrom('srvtoolu_1', 'srvtoolu_2', '1'),
        name: fc.constant('n'),
        input: fc.constant({}),
        data: fc.constant('d'),
        cache_control: fc.constantFrom({ type: 'ephemeral' }, { type: 'ephemeral', ttl: '1h' }),
      })
      .map((value) => JSON.stringify(value)),
    fc
      .dictionary(
        fc.constantFrom(
          ...['text', 'executableCode', 'codeExecutionResult', 'functionCall', 'functionResponse'],
          ...['thoughtSignature', 'toolCall', 'toolResponse', 'inlineData', 'fileData'],
        ),
        fc.oneof(fc.constantFrom('', 'a', 'AAAA'), fc.constant({ id: '1', name: 'n' })),
        { maxKeys: 2 },
      )
      .map((value) => JSON.stringify(value)),
  ),
  metadata: anyNote,
})
const anyOutput: fc.Arbitrary<ToolOutput> = fc.oneof(
  anyWords.map((words) => ({ kind: 'text' as const, text: words })),
  anyJson.map((json) => ({ kind: 'json' as const, json })),
  fc
    .array(fc.oneof(anyText, anyFile, anyOpaque), { maxLength: 3 })
    .map((parts) => ({ kind: 'parts' as const, parts })),
)
const anyPart: fc.Arbitrary<Part> = fc.oneof(
  anyText,
  anyFile,
  anyOpaque,
  fc.record({
    type: fc.constant('reasoning' as const),
    text: anyWords,
    signature: fc.option(fc.constantFrom('', 'AAAA', '\udc00')),
    metadata: anyNote,
  }),
  fc.record({
    type: fc.constant('tool-call' as const),
    callId: anyId,
    name: fc.oneof(anyWords, fc.constantFrom('lookup', 'é'.repeat(99))),
    input: anyJson,
    metadata: anyNote,
  }),
  fc.record({
    type: fc.constant('tool-result' as const),
    callId: anyId,
    name: fc.option(anyWords),
    output: anyOutput,
    isError: fc.boolean(),
    metadata: anyNote,
  }),
  fc.record({
    type: fc.constant('resource-excerpt' as const),
    resourceId: anyWords,
    title: fc.option(anyWords),
    text: anyWords,
    metadata: anyNote,
  }),
  fc.record({
    type: fc.constant('attachment-ref' as const),
    attachmentId: anyWords,
    title: fc.option(anyWords),
    metadata: anyNote,
  }),
)

/** Anything that types allow, whatever the rules of a context say. */
export const anyContext: fc.Arbitrary<Deliverable> = fc.record({
  system: fc.array(anyText, { maxLength: 2 }),
  tools: fc.constantFrom<readonly ToolSchema[]>([], [lookup], [lookup, { name: 'now' }]),
  messages: fc.array(
    fc.record({
      role: fc.constantFrom<Role>('system', 'user', 'assistant', 'tool'),
      author: fc.option(anyWords),
      parts: fc.array(anyPart, { maxLength: 4 }),
      meta: anyNote,
      seq: fc.constant(null),
      slot: fc.constant('recent' as const),
    }),
    { maxLength: 6 },
  ),
  files: fc.constant(new Map([['f00d', new Uint8Array([1, 2, 3])]])),
  breakpoints: fc
    .uniqueArray(fc.nat(6), { maxLength: 3 })
    .map((list) => list.sort((a, b) => a - b)),
})
