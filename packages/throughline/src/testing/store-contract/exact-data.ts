/** A message with every kind of part, and the parts as a store keeps them. */
import type { MessageInput } from '../../domain/message.ts'

export const everyPart: MessageInput = {
  role: 'assistant',
  author: 'Ada',
  status: 'incomplete',
  content: [
    { type: 'text', text: 'a', metadata: { cache_control: { type: 'ephemeral' } } },
    { type: 'reasoning', text: 'b', signature: 'sealed' },
    {
      type: 'tool-call',
      callId: '1',
      name: 'read',
      input: { path: 'x', big: 12345678901234567890n },
    },
    { type: 'file', mediaType: 'image/png', url: 'https://example.org/x.png', width: 3, height: 4 },
    { type: 'resource-excerpt', resourceId: 'r', title: 'R', text: 'c' },
    { type: 'attachment-ref', attachmentId: 'f' },
    { type: 'opaque', kind: 'anthropic/redacted_thinking', json: '{"data":"x"}' },
  ],
}

export const storedParts = [
  { type: 'text', text: 'a', metadata: { cache_control: { type: 'ephemeral' } } },
  { type: 'reasoning', text: 'b', signature: 'sealed', metadata: null },
  {
    type: 'tool-call',
    callId: '1',
    name: 'read',
    input: '{"path":"x","big":12345678901234567890}',
    metadata: null,
  },
  {
    type: 'file',
    mediaType: 'image/png',
    name: null,
    width: 3,
    height: 4,
    source: { kind: 'url', url: 'https://example.org/x.png' },
    metadata: null,
  },
  { type: 'resource-excerpt', resourceId: 'r', title: 'R', text: 'c', metadata: null },
  { type: 'attachment-ref', attachmentId: 'f', title: null, metadata: null },
  { type: 'opaque', kind: 'anthropic/redacted_thinking', json: '{"data":"x"}', metadata: null },
]

export const everyResult: MessageInput['content'] = [
  { type: 'tool-result', callId: '1', output: 'text' },
  { type: 'tool-result', callId: '2', output: { kind: 'json', json: '{"a":1}' }, isError: true },
  {
    type: 'tool-result',
    callId: '3',
    output: {
      kind: 'parts',
      parts: [
        { type: 'text', text: 'x' },
        { type: 'file', mediaType: 'text/plain', data: 'aGk=' },
      ],
    },
  },
]
