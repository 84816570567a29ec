import { describe, expect, it } from 'vitest'
import { isThroughlineError } from '../errors.ts'
import type { TranscriptFormat } from './format-signs.ts'
import { transcriptFormats } from './formats-data.ts'
import { goldenOf, itemsOf, messagesOf } from './items.test-support.ts'
import { readTranscript } from './read-transcript.ts'
import { jsonFormats, jsonLines, samples } from './samples.test-support.ts'

async function* chunked<Chunk>(...chunks: readonly Chunk[]): AsyncGenerator<Chunk> {
  yield* chunks
}

async function failureOf(reading: Promise<unknown>): Promise<string> {
  const error: unknown = await reading.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!isThroughlineError(error)) throw new Error('expected the reading to fail', { cause: error })
  return `${error.code}: ${error.message}`
}

function user(content: string) {
  return { type: 'user', uuid: content, sessionId: 's', message: { role: 'user', content } }
}

describe('readTranscript', () => {
  it.each(transcriptFormats)('reads %s alike wherever the bytes are split', async (format) => {
    const bytes = new TextEncoder().encode(samples[format])
    const whole = await itemsOf(samples[format])
    expect(whole.length).toBeGreaterThan(1)
    expect(await itemsOf(bytes)).toEqual(whole)
    for (let at = 0; at <= bytes.length; at += 1)
      expect(await itemsOf(chunked(bytes.slice(0, at), bytes.slice(at)))).toEqual(whole)
    const single = Array.from(bytes, (byte) => Uint8Array.of(byte))
    expect(await itemsOf(chunked(...single))).toEqual(whole)
    expect(await itemsOf(chunked(...samples[format].split('')))).toEqual(whole)
  })

  it.each(transcriptFormats)('reads %s with a byte order mark and CRLF', async (format) => {
    const crlf = `\uFEFF${samples[format].replaceAll('\n', '\r\n')}`
    expect(await itemsOf(crlf)).toEqual(await itemsOf(samples[format]))
    expect(await itemsOf(new TextEncoder().encode(crlf))).toEqual(await itemsOf(samples[format]))
  })

  it.each(jsonFormats)('survives %s cut off anywhere', async (format) => {
    const text = samples[format]
    const whole = (await messagesOf(text)).map(({ message }) => message)
    let problems = 0
    for (let at = 1; at < text.trimEnd().length; at += 1) {
      const items = await itemsOf(text.slice(0, at), { format })
      const messages = items.flatMap((item) => (item.kind === 'message' ? [item.message] : []))
      expect(messages).toEqual(whole.slice(0, messages.length))
      problems += items.some((item) => item.kind === 'problem') ? 1 : 0
    }
    // A cut right after a line leaves nothing broken; every other cut breaks a record.
    const cutsAfterLines = text.trimEnd().split('\n').length - 1
    expect(problems).toBeGreaterThanOrEqual(text.trimEnd().length - 1 - 2 * cutsAfterLines)
  })

  it('continues after a broken line and reports its number', async () => {
    const text = `${jsonLines(user('a'), user('b'))}{"type":"user",\n\n${jsonLines(user('c'))}`
    expect(await goldenOf(text)).toBe(`
conversation s
s a user: a
s b user: b
problem 3: the text ends inside the document
s c user: c
`)
  })

  it('stops at a broken line with `onBroken: abort`, and names the line', async () => {
    const text = `${jsonLines(user('a'))}nonsense\n${jsonLines(user('c'))}`
    const reading = itemsOf(text, { onBroken: 'abort', name: 'x.jsonl' })
    expect(await failureOf(reading)).toBe(
      'TRANSCRIPT_UNREADABLE: x.jsonl, line 2: expected an object or an array and found "n"',
    )
  })

  it('loses one broken element of a document, and reports its line', async () => {
    const text =
      '{\n"messages": [\n{"role":"user","content":"a"},\n{"role":usr},\n{"role":"user","content":"c"}\n]}'
    expect(await goldenOf(text)).toBe(`
conversation conversation
conversation messages[0] user: a
problem 4: messages[1] is not valid JSON
conversation messages[2] user: c
`)
  })

  it('refuses an unknown format and lists the known ones', async () => {
    const failure = await failureOf(itemsOf('hello', { name: 'notes.txt' }))
    expect(failure).toMatch(/^TRANSCRIPT_UNREADABLE: notes\.txt is in no format/)
    for (const format of transcriptFormats) expect(failure).toContain(format)
  })

  it('yields nothing for an empty file', async () => {
    for (const text of ['', '\uFEFF', ' \r\n\n'])
      for (const format of [undefined, 'pi', 'openai'] satisfies (TranscriptFormat | undefined)[])
        expect(await itemsOf(text, { format })).toEqual([])
  })

  it('keeps the exact source: big numbers, order of keys, escapes, spaces', async () => {
    const input = '{"z": 12345678901234567890, "a":1.0,"\\ud83d":"\\uDC00", "z2":{ } }'
    const block = `{"type":"odd" , "n":1e999, "b":${input}}`
    const line = `{"type":"assistant","uuid":"u","sessionId":"s","message":{"content":[{"type":"tool_use","id":"c","name":"f","input":${input}},${block}]}}`
    const [first] = await messagesOf(`${line}\r\n`)
    expect(first?.message.raw).toBe(line)
    expect(first?.message.content).toMatchObject([
      { type: 'tool-call', input },
      { type: 'opaque', kind: 'anthropic/odd', json: block },
    ])
    const message = `{ "role":"assistant","tool_calls":[{"id":"c","name":"f","arguments":${input}}] }`
    const [second] = await messagesOf(
      `{"policy":"","domain":"","simulations":[{"messages":[${message}]}]}`,
    )
    expect(second?.message.raw).toBe(message)
    expect(second?.message.content).toMatchObject([{ type: 'tool-call', input }])
  })

  it('reads keys that JavaScript reserves like any other', async () => {
    const content = '[{"type":"text","text":"a","__proto__":{"polluted":true}}]'
    const line = `{"__proto__":{"type":"assistant"},"type":"user","constructor":1,"sessionId":"__proto__","uuid":"__proto__","message":{"__proto__":null,"content":${content}}}`
    const people = '{"__proto__":{"history":{"__proto__":[{"query":"q","response":"r"}]}}}'
    expect(await goldenOf(`${line}\n${line}\n`)).toBe(`
conversation __proto__
__proto__ __proto__ user: a
__proto__ __proto__#2 user: a
`)
    expect((await goldenOf(people)).split('\n')[1]).toBe('conversation __proto__')
    expect(Object.keys(Object.prototype)).toEqual([])
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })

  it('refuses a record that nests too deep and reads the next one', async () => {
    const deep = '['.repeat(200_000)
    const text = `${jsonLines(user('a'))}{"type":"user","x":${deep}${']'.repeat(200_000)}}\n${deep}\n${jsonLines(user('b'))}`
    expect(await goldenOf(text)).toBe(`
conversation s
s a user: a
problem 2: the document nests deeper than 512 levels
problem 3: the text ends inside [0]
s b user: b
`)
  })

  it('reports bytes that are not UTF-8 once, and continues', async () => {
    const encoder = new TextEncoder()
    const bad = encoder.encode(jsonLines(user('a'), user('b?'), user('c?')))
    const marked = bad.map((byte) => (byte === '?'.charCodeAt(0) ? 0xff : byte))
    const items = await itemsOf(chunked(marked.slice(0, 90), marked.slice(90)))
    expect(items.filter((item) => item.kind === 'problem')).toEqual([
      { kind: 'problem', line: 2, reason: 'the line holds bytes that are not UTF-8' },
    ])
    expect(items.filter((item) => item.kind === 'message')).toHaveLength(3)
    expect(await failureOf(itemsOf(marked, { onBroken: 'abort' }))).toMatch(/line 2/)
  })

  it('closes the source if the caller stops early', async () => {
    let released = false
    async function* source() {
      try {
        for (let count = 0; ; count += 1) yield jsonLines(user(`m${count}`))
      } finally {
        released = true
      }
    }
    for await (const item of readTranscript(source())) if (item.kind === 'message') break
    expect(released).toBe(true)
  })

  it('reads 10 MB in linear time, as lines and as one document', async () => {
    const text = 'the goat ate the "fence" \\ and 草 '.repeat(60)
    const lines = Array.from({ length: 5_000 }, (_, index) => ({ ...user(`u${index}`), text }))
    const messages = lines.map(() => ({ role: 'user', content: text }))
    expect(await messagesOf(jsonLines(...lines))).toHaveLength(5_000)
    expect(await messagesOf(JSON.stringify({ messages }))).toHaveLength(5_000)
    expect(
      await messagesOf(
        JSON.stringify({ messages: [{ role: 'user', content: text.repeat(5_000) }] }),
      ),
    ).toHaveLength(1)
  })
})
