import { expect, it } from 'vitest'
import { serverEvents } from './stream-reply.ts'

async function* chunksOf(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let from = 0; from < bytes.length; from += size) yield bytes.slice(from, from + size)
}

const read = (text: string, { size = 1, most = 1_000 } = {}) =>
  Array.fromAsync(serverEvents(chunksOf(text, size), most))

const stream =
  ': hello\n\nevent: x\ndata: {"a":"ü"}\n\ndata:one\r\ndata: two\r\n\r\nid: 7\rdata: three\r\rdata: last'
const events = ['{"a":"ü"}', 'one\ntwo', 'three', 'last']

it.each([1, 2, 3, 7, 1_000])(
  'reads events however they are cut (%i bytes at a time)',
  async (size) => {
    expect(await read(stream, { size })).toEqual(events)
  },
)

it('refuses an event that is too long, even if its line never ends', async () => {
  const long = 'x'.repeat(600)
  await expect(read(`data: ${long}\ndata: ${long}\n\n`, { size: 64 })).rejects.toThrow(
    'longer than',
  )
  await expect(read(`data: ${long}${long}`, { size: 64 })).rejects.toThrow('longer than')
  // A comment is not kept, however long it is.
  expect(await read(`: ${long}${long}\n\ndata: one\n\n`, { size: 64 })).toEqual(['one'])
})

it('refuses bytes that are not UTF-8', async () => {
  const broken = async function* () {
    yield Uint8Array.of(0x64, 0x61, 0x74, 0x61, 0x3a, 0xff, 0x0a, 0x0a)
  }
  await expect(Array.fromAsync(serverEvents(broken(), 100))).rejects.toThrow(TypeError)
})
