import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { JsonObject, JsonValue } from '../../domain/json.ts'
import type { Part, ToolOutput } from '../../domain/message.ts'
import { openaiChat, openaiResponses } from '../http-adapters.ts'

const json = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>
const text = fc.string({ unit: 'binary', maxLength: 8 })
const oneOf = <Value>(...values: readonly Value[]) => fc.constantFrom(...values)

/** Notes with the names that ours have, and anything in them. */
const wireNames = [
  'message',
  'content',
  'extra',
  'inner',
  'item',
  'after',
  'next',
  'part',
  'legacy',
  'null',
  'continues',
  'block',
  'input',
]
const fieldNames = ['id', 'type', 'role', 'name', 'status', 'refusal', 'summary', 'file_id', 'url']
const fields = fc.dictionary(oneOf(...fieldNames), json, { maxKeys: 4 })
const wire = fc.dictionary(
  oneOf(...wireNames),
  fc.oneof(json, fields, fc.constant(true), oneOf('parts', 'absent', 'text', 'file', 'input_file')),
  { maxKeys: 5 },
)
const metadata = fc
  .oneof(
    fc.constant(null),
    fc.record(
      {
        refusal: fc.oneof(fc.constant(true), json),
        custom: fc.oneof(fc.constant(true), json),
        role: oneOf<string | number>('developer', 7),
        chat: fc.oneof(wire, json),
        responses: fc.oneof(wire, json),
      },
      { requiredKeys: [] },
    ),
  )
  .map((openai): JsonObject | null => (openai === null ? null : ({ openai } as JsonObject)))

const callId = oneOf('a', 'b', 'c', 'd'.repeat(70), '\ud800', ' ')
const file = fc.record({
  type: fc.constant('file' as const),
  metadata,
  mediaType: oneOf('image/png', 'image/*', 'audio/wav', 'application/pdf', 'video/mp4', 'x'),
  name: fc.oneof(fc.constant(null), text),
  source: oneOf(
    { kind: 'url', url: 'https://a.test' } as const,
    { kind: 'url', url: 'data:x' } as const,
    { kind: 'stored', sha256: 'here', sizeBytes: 2 } as const,
    { kind: 'stored', sha256: 'gone', sizeBytes: 2 } as const,
  ),
  width: fc.constant(null),
  height: fc.constant(null),
})
const spoken = fc.record({ type: fc.constant('text' as const), metadata, text })
const opaque = fc.record({
  type: fc.constant('opaque' as const),
  metadata,
  kind: oneOf('openai/web_search_call', 'openai/image_url', 'openai/audio', 'anthropic/x'),
  json: fc.oneof(
    text,
    fc
      .record({
        type: oneOf('computer_call', 'message', 'image_url', 'reasoning', 'x'),
        call_id: callId,
      })
      .map((block) => JSON.stringify(block)),
    json.map((value) => JSON.stringify(value)),
  ),
})
const output: fc.Arbitrary<ToolOutput> = fc.oneof(
  text.map((made) => ({ kind: 'text', text: made }) as const),
  fc
    .array(fc.oneof(spoken, file, opaque), { maxLength: 3 })
    .map((parts) => ({ kind: 'parts', parts }) as const),
)
const part: fc.Arbitrary<Part> = fc.oneof(
  spoken,
  file,
  opaque,
  fc.record({
    type: fc.constant('reasoning' as const),
    metadata,
    text,
    signature: fc.oneof(fc.constant(null), text),
  }),
  fc.record({
    type: fc.constant('tool-call' as const),
    metadata,
    callId,
    name: oneOf('f', 'g h', '\udc00'),
    input: text,
  }),
  fc.record({
    type: fc.constant('tool-result' as const),
    metadata,
    callId,
    name: oneOf(null, 'f', ''),
    output,
    isError: fc.boolean(),
  }),
  fc.record({
    type: fc.constant('resource-excerpt' as const),
    metadata,
    resourceId: text,
    title: fc.constant(null),
    text,
  }),
)
const message: fc.Arbitrary<ContextMessage> = fc.record({
  role: oneOf('system', 'user', 'assistant', 'tool'),
  author: oneOf(null, '', 'Ada', 'A <b> c', '😀'.repeat(40), `${'x'.repeat(63)}😀`),
  parts: fc.array(part, { maxLength: 4 }),
  meta: metadata,
  seq: fc.constant(null),
  slot: fc.constant('recent'),
})
const context: fc.Arbitrary<Deliverable> = fc
  .tuple(fc.array(spoken, { maxLength: 2 }), fc.array(message, { maxLength: 8, size: 'max' }))
  .map(([system, messages]) => ({
    system,
    tools: [{ name: 'a tool', parameters: {}, metadata: { openai: { chat: 1 } } }],
    messages: [...messages, question],
    files: new Map([['here', new Uint8Array([1, 2])]]),
    breakpoints: [],
  }))
const question: ContextMessage = {
  role: 'user',
  author: null,
  parts: [{ type: 'text', text: 'So?', metadata: null }],
  meta: null,
  seq: null,
  slot: 'current',
}

describe('invalid contexts', () => {
  it.each([openaiChat, openaiResponses])('are written as valid requests: $format', (adapter) => {
    fc.assert(
      fc.property(context, (made) => {
        expect(adapter.problems(adapter.write(made))).toEqual([])
      }),
      { numRuns: 1_000 },
    )
  })
})
