/** Invalid messages, by their problem. */

export const brokenMessages: Readonly<Record<string, unknown>> = {
  'no object': 'hello',
  'an unknown role': { role: 'robot', content: 'x' },
  'no content': { role: 'user' },
  'an unknown part': { role: 'user', content: [{ type: 'smell' }] },
  'a part of the prototype': { role: 'user', content: [{ type: 'constructor' }] },
  'a text part without text': { role: 'user', content: [{ type: 'text' }] },
  'an unknown field': { role: 'user', content: 'x', contents: 'y' },
  'an unknown field of a part': { role: 'user', content: [{ type: 'text', text: 'x', txt: 'y' }] },
  'a call without an id': {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: '', name: 'n', input: {} }],
  },
  'a result without output': { role: 'tool', content: [{ type: 'tool-result', callId: '1' }] },
  'a file with neither data nor address': {
    role: 'user',
    content: [{ type: 'file', mediaType: 'image/png' }],
  },
  'broken base64': { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: '!' }] },
  'raw text with half a pair': { role: 'user', content: 'x', raw: '\ud83d' },
  'a key with a control character': { role: 'user', content: 'x', key: 'a\u0000b' },
  'an empty key': { role: 'user', content: 'x', key: '' },
  'an unknown origin': { role: 'user', content: 'x', origin: 'walrus' },
  'an unknown origin of a part': {
    role: 'user',
    content: [{ type: 'text', text: 'x', origin: null }],
  },
  'an origin inside a result': {
    role: 'tool',
    content: [
      {
        ...{ type: 'tool-result', callId: '1' },
        output: { kind: 'parts', parts: [{ type: 'text', text: 'x', origin: 'person' }] },
      },
    ],
  },
}
