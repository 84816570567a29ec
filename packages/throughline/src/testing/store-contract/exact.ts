/** Byte for byte: what was handed in comes back, whatever it holds. */
import { sha256 } from '../../system.ts'
import { holds, same } from '../contract.ts'
import type { StoreCases } from './case.ts'
import { everyPart, everyResult, storedParts } from './exact-data.ts'

const hostileText = 'NUL \u0000, half pairs \ud83d and \udc00, \u{1f600}, \u2028, "\\", \r\n, é, ﷽'

export const exactCases: StoreCases = {
  'returns hostile text unchanged': async ({ chat }) => {
    await chat.append({ role: 'user', content: hostileText, meta: { note: hostileText } })
    const [message] = await Array.fromAsync(chat.messages())
    const [part] = message?.parts ?? []
    holds(part?.type === 'text' && part.text === hostileText, 'the text must be the same')
    same(message?.meta, { note: hostileText }, 'meta')
  },
  'keeps originals byte for byte, with their hash': async ({ chat }) => {
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
  'makes our own form the original where none is handed in': async ({ chat }) => {
    await chat.append({ role: 'user', content: hostileText })
    const original = await chat.original(0)
    const [message] = await Array.fromAsync(chat.messages())
    holds(original !== null, 'there must be an original')
    same(sha256(original), message?.hashes.content, 'its hash')
  },
  'keeps every kind of part': async ({ chat }) => {
    await chat.append([everyPart, { role: 'tool', content: everyResult }])
    const [parts, results] = (await Array.fromAsync(chat.messages())).map(
      (message) => message.parts,
    )
    same(parts, storedParts, 'parts')
    const outputs = results?.map((part) => part.type === 'tool-result' && part.output.kind)
    same(outputs, ['text', 'json', 'parts'], 'outputs')
  },
  'keeps arguments of calls as the text that arrived': async ({ chat }) => {
    const inputs = ['{"b": 1, "a": 12345678901234567890}', 'not JSON at all', '']
    await chat.append(
      inputs.map((input, index) => ({
        role: 'assistant' as const,
        content: [{ type: 'tool-call' as const, callId: `${index}`, name: 't', input }],
      })),
    )
    const messages = await Array.fromAsync(chat.messages())
    const kept = messages.map(({ parts: [part] }) => part?.type === 'tool-call' && part.input)
    same(kept, inputs, 'arguments')
  },
  'stores the bytes of a file once, under their hash': async ({ chat }) => {
    const data = Uint8Array.from([137, 80, 78, 71, 0, 255])
    const file = { type: 'file', mediaType: 'image/png', data } as const
    await chat.append([
      { role: 'user', content: [file, file] },
      { role: 'user', content: [file] },
    ])
    same(await chat.file(sha256(data)), data, 'bytes')
    same(await chat.file(sha256('other')), null, 'bytes that are not there')
  },
}
