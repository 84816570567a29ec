/** Byte for byte: what was handed in comes back, whatever it holds. */
import type { MessageInput } from '../../domain/message.ts'
import { sha256 } from '../../system.ts'
import { holds, same } from '../contract.ts'
import type { StoreCase } from './case.ts'

const hostileText = 'NUL \u0000, half pairs \ud83d and \udc00, \u{1f600}, \u2028, "\\", \r\n, é, ﷽'

export const exactCases: readonly StoreCase[] = [
  {
    name: 'returns hostile text unchanged',
    run: async ({ tl }) => {
      const chat = tl.conversation('c')
      await chat.append({ role: 'user', content: hostileText, meta: { note: hostileText } })
      const [message] = await Array.fromAsync(chat.messages())
      const [part] = message?.parts ?? []
      holds(part?.type === 'text' && part.text === hostileText, 'the text must be the same')
      same(message?.meta, { note: hostileText }, 'meta')
    },
  },
  {
    name: 'keeps originals byte for byte, with their hash',
    run: async ({ tl }) => {
      const chat = tl.conversation('c')
      const texts = [
        '{"b":1,"a":12345678901234567890,"10":2,"9":3, "x":1.0,"x":2}',
        '{"s":"\\ud83d\\u0000"}',
      ]
      const originals = [
        ...texts.map((text) => new TextEncoder().encode(text)),
        Uint8Array.from([0, 255, 254, 128]),
      ]
      for (const raw of originals) await chat.append({ role: 'user', content: 'parsed', raw })
      for (const [seq, raw] of originals.entries()) {
        same(await chat.original(seq), raw, `original ${seq}`)
        const [message] = await Array.fromAsync(chat.messages({ from: seq, to: seq + 1 }))
        same(message?.hashes.content, sha256(raw), `hash ${seq}`)
      }
      same(await chat.original(99), null, 'an original that is not there')
    },
  },
  {
    name: 'makes our own form the original where none is handed in',
    run: async ({ tl }) => {
      const chat = tl.conversation('c')
      await chat.append({ role: 'user', content: hostileText })
      const original = await chat.original(0)
      const [message] = await Array.fromAsync(chat.messages())
      holds(original !== null, 'there must be an original')
      same(sha256(original), message?.hashes.content, 'its hash')
    },
  },
  {
    name: 'keeps every kind of part',
    run: async ({ tl }) => {
      const chat = tl.conversation('c')
      await chat.append([everyPart, { role: 'tool', content: everyResult }])
      const [parts, results] = (await Array.fromAsync(chat.messages())).map(
        (message) => message.parts,
      )
      same(parts, storedParts, 'parts')
      same(
        results?.map((part) => part.type === 'tool-result' && part.output.kind),
        ['text', 'json', 'parts'],
        'outputs',
      )
    },
  },
  {
    name: 'keeps arguments of calls as the text that arrived',
    run: async ({ tl }) => {
      const chat = tl.conversation('c')
      const inputs = ['{"b": 1, "a": 12345678901234567890}', 'not JSON at all', '']
      await chat.append(
        inputs.map((input, index) => ({
          role: 'assistant' as const,
          content: [{ type: 'tool-call' as const, callId: `${index}`, name: 't', input }],
        })),
      )
      const messages = await Array.fromAsync(chat.messages())
      same(
        messages.map(({ parts: [part] }) => part?.type === 'tool-call' && part.input),
        inputs,
        'arguments',
      )
    },
  },
  {
    name: 'stores the bytes of a file once, under their hash',
    run: async ({ tl }) => {
      const chat = tl.conversation('c')
      const data = Uint8Array.from([137, 80, 78, 71, 0, 255])
      const file = { type: 'file', mediaType: 'image/png', data } as const
      await chat.append([
        { role: 'user', content: [file, file] },
        { role: 'user', content: [file] },
      ])
      same(await chat.file(sha256(data)), data, 'bytes')
      same(await chat.file(sha256('other')), null, 'bytes that are not there')
    },
  },
]

const everyPart: MessageInput = {
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

const storedParts = [
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

const everyResult: MessageInput['content'] = [
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
