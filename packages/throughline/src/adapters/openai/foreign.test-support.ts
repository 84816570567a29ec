/** Histories in the shapes that other providers' adapters read, for writing to OpenAI. */

import { buildDeliverable } from '../../calls/read-messages.ts'
import type { ContextMessage, Deliverable } from '../../domain/context.ts'
import type { MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'

export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

function history(...messages: readonly MessageInput[]): Deliverable {
  return {
    ...buildDeliverable(
      {
        system: [{ type: 'text', text: 'Be brief.', metadata: { anthropic: { cached: true } } }],
        tools: [
          { name: 'read file', description: 'Reads.', parameters: { type: 'object' } },
          { name: 'look', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
          { name: 'now' },
        ],
        messages,
      },
      sha256,
    ),
    breakpoints: [0],
  }
}

/** Results of several calls and new words in one message of the user; signed thinking. */
export const anthropicHistory = history(
  {
    role: 'user',
    author: 'Ada Lovelace',
    content: [
      { type: 'text', text: 'Look at these.' },
      { type: 'file', mediaType: 'image/png', data: pixel },
      { type: 'file', mediaType: 'application/pdf', data: btoa('%PDF-1.4') },
      { type: 'file', mediaType: 'image/heic', name: 'a.heic', data: pixel },
    ],
  },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Hm.', signature: 'EqQBCkYIAxgC', metadata: { anthropic: {} } },
      { type: 'text', text: 'Reading.' },
      { type: 'tool-call', callId: 'toolu_01', name: 'read file', input: { path: 'a' } },
      { type: 'tool-call', callId: `toolu_${'x'.repeat(80)}`, name: 'look', input: { at: 'b' } },
    ],
  },
  {
    role: 'user',
    content: [
      {
        type: 'tool-result',
        callId: `toolu_${'x'.repeat(80)}`,
        output: {
          kind: 'parts',
          parts: [
            { type: 'text', text: 'seen' },
            { type: 'file', mediaType: 'image/png', data: pixel },
            { type: 'opaque', kind: 'anthropic/search_result', json: '{}' },
          ],
        },
      },
      { type: 'tool-result', callId: 'toolu_01', output: 'no such file', isError: true },
      { type: 'text', text: 'And now?' },
    ],
  },
  {
    role: 'assistant',
    content: [{ type: 'opaque', kind: 'anthropic/redacted_thinking', json: '{"data":"x"}' }],
  },
  { role: 'user', content: 'Go on.' },
)

/** Calls without pause, results in one message, thought signatures, no ids of its own. */
export const geminiHistory = history(
  { role: 'user', content: [{ type: 'resource-excerpt', resourceId: 'r1', text: 'An excerpt.' }] },
  { role: 'system', content: 'The user is in a hurry.' },
  {
    role: 'assistant',
    content: [
      {
        type: 'tool-call',
        callId: 'now-1',
        name: 'now',
        input: {},
        metadata: { google: { x: 1 } },
      },
    ],
  },
  { role: 'assistant', content: 'One more.' },
  {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: 'now-2', name: 'now', input: '{"zone":"utc"}' }],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        callId: 'now-1',
        name: 'now',
        output: { kind: 'json', json: '{"h":1}' },
      },
      { type: 'tool-result', callId: 'now-2', name: 'now', output: '' },
    ],
  },
  {
    role: 'assistant',
    content: [{ type: 'opaque', kind: 'google/executableCode', json: '{"code":"1+1"}' }],
  },
  { role: 'user', content: [{ type: 'attachment-ref', attachmentId: 'a1', title: 'Plan' }] },
)

/** A call that the provider ran inside the assistant's message; reasoning without a seal. */
const aiSdkHistory = history(
  { role: 'user', content: [{ type: 'file', mediaType: 'image/*', url: 'https://a.test/b.png' }] },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'Plain.', metadata: { openai: { itemId: 'rs_1' } } },
      { type: 'text', text: 'Searching.', metadata: { openai: { itemId: 'msg_1' } } },
      { type: 'tool-call', callId: 'ws_1', name: 'look', input: { at: 'web' } },
      { type: 'tool-result', callId: 'ws_1', output: 'found' },
      { type: 'text', text: 'Found it.' },
      { type: 'tool-call', callId: 'call_2', name: 'now', input: {} },
    ],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', callId: 'call_2', output: { kind: 'text', text: 'noon' } }],
  },
  { role: 'assistant', content: [{ type: 'reasoning', text: 'Nothing else.' }] },
  { role: 'user', content: 'Thanks \ud800.' },
)

/** Everything that a valid history never has. */
export const brokenHistory: Deliverable = {
  ...history(
    { role: 'tool', content: [{ type: 'tool-result', callId: 'lost', output: 'orphan' }] },
    { role: 'user', content: [{ type: 'tool-call', callId: 'u', name: 'now', input: {} }] },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', callId: 'twice', name: 'now', input: 'not json' },
        { type: 'tool-call', callId: 'never', name: 'now', input: {} },
      ],
    },
    { role: 'user', content: 'Between.' },
    { role: 'tool', content: [{ type: 'tool-result', callId: 'twice', output: 'one' }] },
    { role: 'tool', content: [{ type: 'tool-result', callId: 'twice', output: 'again' }] },
    {
      role: 'assistant',
      content: [{ type: 'tool-call', callId: 'twice', name: 'now', input: {} }],
    },
    { role: 'tool', content: [{ type: 'tool-result', callId: 'twice', output: 'two' }] },
    { role: 'assistant', content: [{ type: 'opaque', kind: 'openai/web_search_call', json: '{' }] },
    { role: 'assistant', content: [] },
    { role: 'user', content: [{ type: 'opaque', kind: 'openai/image_url', json: '[]' }] },
    { role: 'user', content: 'Last.', meta: { openai: { role: 7, chat: 'x', responses: [1] } } },
  ),
  files: new Map(),
}

export const foreignHistories: Readonly<Record<string, Deliverable>> = {
  Anthropic: anthropicHistory,
  Gemini: geminiHistory,
  'the AI SDK': aiSdkHistory,
  'an unknown source': brokenHistory,
}

/** The same history without one message, as after a compaction. */
export function withoutMessage(context: Deliverable, index: number): Deliverable {
  return { ...context, messages: context.messages.toSpliced(index, 1) }
}

/** The same history with one message replaced by a stub. */
export function stubbed(context: Deliverable, index: number): Deliverable {
  return {
    ...context,
    messages: context.messages.map(
      (message, place): ContextMessage =>
        place === index
          ? { ...message, parts: [{ type: 'text', text: '[left out]', metadata: null }] }
          : message,
    ),
  }
}
