import { expect, it } from 'vitest'
import type { Message, Part } from '../../domain/message.ts'
import { messageText } from './message-text.ts'

const metadata = null
const textOf = (...parts: readonly Part[]) =>
  messageText({ parts, marks: [] } as Pick<Message, 'parts' | 'marks'>)

it('is the text of the only part, word for word', () => {
  const text = ' two\n\nlines '
  expect(textOf({ type: 'text', text, metadata })).toBe(text)
  expect(textOf({ type: 'reasoning', text, signature: 'seal', metadata })).toBe(text)
  const output = { kind: 'json', json: '{ "big": 12345678901234567890 }' } as const
  expect(
    textOf({ type: 'tool-result', callId: 'a', name: null, output, isError: false, metadata }),
  ).toBe(output.json)
  expect(textOf({ type: 'opaque', kind: 'acme/block', json: '{"a":1}', metadata })).toBe('{"a":1}')
})

it('says what each part is, where there are several', () => {
  const source = { kind: 'stored', sha256: 'a'.repeat(64), sizeBytes: 12 } as const
  const file = { type: 'file', mediaType: 'image/png', name: 'a.png', source, metadata } as const
  const output = {
    kind: 'parts',
    parts: [
      { type: 'text', text: 'seen', metadata },
      { ...file, name: null, width: 1, height: 1 },
    ],
  } as const
  expect(
    textOf(
      { type: 'text', text: 'Look.', metadata },
      { type: 'reasoning', text: 'I look.', signature: null, metadata },
      { type: 'tool-call', callId: 'c1\nc2', name: 'read', input: '{"at":1}', metadata },
      { type: 'tool-result', callId: 'c0', name: null, output, isError: true, metadata },
      { ...file, width: null, height: null },
      { type: 'resource-excerpt', resourceId: 'r', title: 'Rules', text: 'Be brief.', metadata },
      { type: 'attachment-ref', attachmentId: 'x', title: null, metadata },
      { type: 'opaque', kind: 'acme/block', json: '{}', metadata },
    ),
  ).toMatchInlineSnapshot(`
    "Look.
    [reasoning]
    I look.
    [call c1 c2] read {"at":1}
    [error of c0]
    seen
    [file image/png, 12 bytes]
    [file image/png a.png, 12 bytes]
    [from Rules]
    Be brief.
    [attachment x]
    [acme/block]
    {}"
  `)
})

it('is as long with halves of characters as without', () => {
  expect(textOf({ type: 'text', text: 'a\ud83db', metadata })).toBe('a\ufffdb')
})
