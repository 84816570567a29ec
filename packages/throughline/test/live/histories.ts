/** Small histories with the cases that services treat in different ways. */

import { buildDeliverable } from '../../src/calls/read-messages.ts'
import type { Deliverable } from '../../src/domain/context.ts'
import type { MessageInput } from '../../src/domain/message.ts'
import { sha256 } from '../../src/system.ts'

const picture =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mNQSFiAFTEMLQkAAmxIAc8z8pwAAAAASUVORK5CYII='

function history(...messages: readonly MessageInput[]): Deliverable {
  const tools = [
    {
      name: 'read_file',
      description: 'Reads a file.',
      parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
    { name: 'now', description: 'Tells the time.' },
  ]
  const system = [{ type: 'text', text: 'Answer with one word.', metadata: null } as const]
  return buildDeliverable({ system, tools, messages }, sha256)
}

const call = (callId: string, path: string) =>
  ({ type: 'tool-call', callId, name: 'read_file', input: { path } }) as const

const result = (callId: string, output: string) =>
  ({ type: 'tool-result', callId, name: 'read_file', output }) as const

/** Parallel calls, answered in another order and in one message, followed by text. */
export const parallelCalls = history(
  { role: 'user', author: 'Ada Lovelace', content: 'Read both files.' },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Two files.', signature: 'bm90IHlvdXJz' },
      { type: 'text', text: 'Reading.' },
      call('call_a', 'a.txt'),
      call(`call_${'b'.repeat(90)}`, 'b.txt'),
    ],
  },
  {
    role: 'tool',
    content: [result(`call_${'b'.repeat(90)}`, 'blue'), result('call_a', '')],
  },
  { role: 'user', content: 'What does b.txt say?' },
)

/** One call after the other without a result between them, as responses have it. */
export const callsInARow = history(
  { role: 'user', content: 'Read both files.' },
  { role: 'assistant', content: [call('call_a', 'a.txt')] },
  { role: 'assistant', content: 'And the other one.' },
  { role: 'assistant', content: [call('call_b', 'b.txt')] },
  { role: 'tool', content: [result('call_a', 'red')] },
  { role: 'tool', content: [result('call_b', 'blue')] },
  { role: 'assistant', content: 'Red.' },
  { role: 'assistant', content: 'And blue.' },
  { role: 'system', content: 'The user likes brevity.' },
  { role: 'user', content: 'Which was first?' },
)

/** A call without a result and a result without a call. */
export const orphans = history(
  { role: 'user', content: 'Read the file.' },
  { role: 'assistant', content: [{ type: 'text', text: 'I try.' }, call('call_lost', 'a.txt')] },
  {
    role: 'user',
    content: [result('call_unknown', 'nobody asked'), { type: 'text', text: 'Well?' }],
  },
)

/** Pictures from the user and from a tool, an excerpt, and blocks of several providers. */
export const pictures = history(
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Which colour is this?' },
      { type: 'file', mediaType: 'image/png', data: picture },
      { type: 'resource-excerpt', resourceId: 'colours', text: 'There are many.' },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'opaque', kind: 'anthropic/redacted_thinking', json: '{"type":"redacted_thinking"}' },
      { type: 'opaque', kind: 'openai/web_search_call', json: '{"type":"web_search_call"}' },
      call('call_a', 'a.png'),
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        callId: 'call_a',
        name: 'read_file',
        output: {
          kind: 'parts',
          parts: [
            { type: 'text', text: 'Here.' },
            { type: 'file', mediaType: 'image/png', data: picture },
          ],
        },
      },
    ],
  },
  { role: 'user', content: 'And this? \ud83d' },
)

export const histories = { parallelCalls, callsInARow, orphans, pictures }
