import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import type { MessageInput } from '../../domain/message.ts'
import { decodeBody } from '../../domain/sealed-message.ts'
import { sha256 } from '../../system.ts'
import { sealMessages } from './append.ts'
import { sealMessage } from './seal-message.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

const inputs: readonly MessageInput[] = [
  { role: 'user', content: 'half a pair \ud800 and NUL \u0000' },
  { role: 'user', content: 'a', author: 'Ada', status: 'incomplete', meta: { b: -0, a: [null] } },
  {
    role: 'assistant',
    content: [
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'a', metadata: { b: { 2: 'x', 1: null } } },
      { type: 'tool-call', callId: '1', name: 'n', input: { a: 1.5 } },
      { type: 'opaque', kind: 'k', json: '{ "a": 1 }' },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        callId: '1',
        output: { kind: 'parts', parts: [{ type: 'text', text: 'a' }] },
      },
      { type: 'tool-result', callId: '2', output: { kind: 'json', json: '1' } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'file', mediaType: 'image/png', url: 'https://example.com/a.png', width: -0 },
      { type: 'resource-excerpt', resourceId: 'r', text: 't' },
      { type: 'attachment-ref', attachmentId: 'a' },
    ],
  },
]

it('a sealed message is what a store would read back, to the order of its fields', () => {
  const settings = { sha256, now: 0, messageBytesMax: 1_000 }
  for (const [index, message] of sealMessages(inputs, sha256).entries()) {
    const { sealed } = sealMessage(inputs[index], 'message', settings)
    const read = decodeBody(sealed.body, sealed.origins)
    expect(message).toMatchObject(read)
    expect(JSON.stringify(message.parts)).toBe(JSON.stringify(read.parts))
    expect(JSON.stringify(message.meta)).toBe(JSON.stringify(read.meta))
  }
})

it('sealed messages share the texts that they were made from', () => {
  const texts = Array.from({ length: 20 }, (_, at) => `${at} ${'lot 7\n'.repeat(200_000)}`)
  const given = texts.map((content) => ({ role: 'user', content }) as const)
  // Reading a text makes it one piece.
  for (const content of texts) content.charCodeAt(9)
  collect()
  const before = process.memoryUsage().heapUsed
  const messages = sealMessages(given, sha256)
  collect()
  const grown = process.memoryUsage().heapUsed - before
  expect(messages).toHaveLength(20)
  expect(grown).toBeLessThan(8_000_000)
})
