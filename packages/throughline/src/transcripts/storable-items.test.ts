import { describe, expect, it } from 'vitest'
import { goldenOf, itemsOf, messagesOf } from './items.test-support.ts'
import { jsonLines } from './samples.test-support.ts'
import { storeItems } from './store-items.test-support.ts'

function person(name: string, meta: unknown = {}) {
  const history = { day: [{ query: 'q', response: 'r' }] }
  return `${JSON.stringify(name)}:${JSON.stringify({ history, meta_information: meta })}`
}

function record(uuid: string, message: unknown = { content: 'hi' }) {
  return { type: 'user', uuid, sessionId: 's', message }
}

async function idsOf(text: string, name?: string): Promise<readonly string[]> {
  const items = await itemsOf(text, { format: 'memorybank', name })
  await storeItems(items)
  return items.flatMap((item) => (item.kind === 'conversation' ? [item.id] : []))
}

describe('items that a reader yields', () => {
  it('have valid ids, the same every time and one for each name', async () => {
    const names = ['a\u0000', 'a\u0001', 'a\ud83d', 'x'.repeat(600), `${'x'.repeat(600)}y`, '']
    const text = `{${names.map((name) => person(name)).join()}}`
    const ids = await idsOf(text)
    expect(ids).toEqual([
      'a\uFFFD~2b24d044',
      'a\uFFFD~2c24d1d7',
      expect.stringMatching(/^a\uFFFD~[0-9a-f]{8}$/),
      expect.stringMatching(/^x{487}~[0-9a-f]{8}$/),
      expect.stringMatching(/^x{487}~[0-9a-f]{8}$/),
      'conversation',
    ])
    expect(new Set(ids).size).toBe(6)
    expect(await idsOf(text)).toEqual(ids)
  })

  it('distinguish a valid id from an invalid one that is changed to look like it', async () => {
    const [made] = await idsOf(`{${person('a\u0000')}}`)
    const ids = await idsOf(`{${person('a\u0000')},${person(String(made))}}`)
    expect(ids).toEqual([made, `${made}#2`])
  })

  it('fall back to the name of the source, whatever that is', async () => {
    expect(await idsOf(`{${person('')}}`, 'x.json')).toEqual(['x.json'])
    expect(await idsOf(`{${person('')}}`, '')).toEqual(['conversation'])
    const openai = '{"messages":[{"role":"user","content":"a"}]}'
    for (const name of ['', '\u0000', '\ud83d', 'x'.repeat(5_000)])
      await storeItems(await itemsOf(`${openai}\n${openai}`, { name }))
  })

  it('have valid keys of any length that are unique in their conversation', async () => {
    const long = 'k'.repeat(1_024)
    const text = jsonLines(record(long), record(long), record('\u0007'), record('\u0007'))
    const items = await itemsOf(text)
    await storeItems(items)
    const keys = items.flatMap((item) => (item.kind === 'message' ? [item.message.key] : []))
    expect(keys.map((key) => key?.replace(/k{900,}/, 'k…'))).toEqual([
      expect.stringMatching(/^k…~[0-9a-f]{8}$/),
      expect.stringMatching(/^k…~[0-9a-f]{8}#2$/),
      expect.stringMatching(/^\uFFFD~[0-9a-f]{8}$/),
      expect.stringMatching(/^\uFFFD~[0-9a-f]{8}#2$/),
    ])
  })

  it('drop meta that is not finite or too deep, and keep the rest', async () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
    const text = `[{"task_id":1e999,"trial":{"a":[-1e999]},"reward":1,"traj":[]},
      {"task_id":${deep(200)},"trial":${deep(201)},"traj":[]}]`
    const items = await itemsOf(text)
    await storeItems(items)
    expect(items).toMatchObject([
      { id: 'run[0]', meta: { reward: 1 } },
      { id: 'run[1]', meta: { taskId: JSON.parse(deep(200)) } },
    ])
    expect(Object.keys(Object(items[1]).meta)).toEqual(['taskId'])
  })

  it('drop exact text that has half a surrogate pair', async () => {
    const text =
      jsonLines(record('a', { content: 'ok' })) + jsonLines(record('b')).replace('hi', '\ud83d')
    const messages = await messagesOf(text)
    await storeItems(await itemsOf(text))
    expect(messages.map(({ message }) => typeof message.raw)).toEqual(['string', 'undefined'])
    expect(messages[1]?.message.content).toEqual([{ type: 'text', text: '\ud83d' }])
  })

  it('use one id for a call, its result and the conversation that it started', async () => {
    const id = 'call\u0000'
    const call = { type: 'tool_use', id, name: 'Task', input: { prompt: 'look' } }
    const text = jsonLines(
      { ...record('a', { content: [call] }), type: 'assistant' },
      { ...record('x', { content: 'look' }), isSidechain: true },
      record('b', { content: [{ type: 'tool_result', tool_use_id: id, content: 'done' }] }),
    )
    await storeItems(await itemsOf(text))
    expect(await goldenOf(text)).toBe(`
conversation s
s a assistant: call call\uFFFD~ee33d60b Task {"prompt":"look"}
conversation s/side-x < s call\uFFFD~ee33d60b
s/side-x x user: look
s b tool: result call\uFFFD~ee33d60b done
`)
  })

  it('keep an invalid file as an opaque part', async () => {
    const image = (source: object) => ({ type: 'image', source })
    const content = [
      image({ type: 'base64', media_type: 'image/png', data: 'A===' }),
      image({ type: 'base64', media_type: '', data: 'AAEC' }),
      image({ type: 'url', media_type: '', url: 'https://example.test/a.png' }),
    ]
    const text = jsonLines(record('a', { content }))
    await storeItems(await itemsOf(text))
    const [message] = await messagesOf(text)
    expect(message?.message.content).toMatchObject([
      { type: 'opaque' },
      { type: 'opaque' },
      { type: 'file', mediaType: 'image/*', url: 'https://example.test/a.png' },
    ])
  })
})
