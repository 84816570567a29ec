import { describe, expect, it } from 'vitest'
import { goldenOf, itemsOf } from './items.test-support.ts'
import { allFormats, samples } from './samples.test-support.ts'
import { storeItems } from './store-items.test-support.ts'

/** Formats with one document per file; the others have one record per line. */
const documentFormats = allFormats.filter((format) => !samples[format].endsWith('\n'))

function run(content: string, more: object = {}) {
  return JSON.stringify({ ...more, messages: [{ role: 'user', content, extra: {} }] })
}

describe('several documents in one text', () => {
  it.each(documentFormats)('are separate conversations in %s', async (format) => {
    const text = samples[format]
    const once = await itemsOf(text)
    const spread = JSON.stringify(JSON.parse(text), null, 2)
    for (const twice of [`${text}\n${text}\n`, text + text, `${spread}\n${spread}`]) {
      const items = await itemsOf(twice)
      expect(items.filter((item) => item.kind === 'problem')).toEqual([])
      expect(items.map(({ kind }) => kind)).toEqual([...once, ...once].map(({ kind }) => kind))
      const heads = [...(await storeItems(items)).values()]
      expect(heads).toEqual([...heads.slice(0, heads.length / 2), ...heads.slice(heads.length / 2)])
      expect(heads).toHaveLength(2 * (await storeItems(once)).size)
    }
  })

  it('of mini-swe are numbered if they have no name', async () => {
    const text = [run('a'), run('b', { instance_id: 'farm-1', model: 'm' }), run('c')].join('\n')
    expect(await goldenOf(text, { name: 'runs.jsonl' })).toBe(`
conversation runs.jsonl
runs.jsonl messages[0] user: a
conversation farm-1 {"instanceId":"farm-1","model":"m"}
farm-1 messages[0] user: b
conversation runs.jsonl#2
runs.jsonl#2 messages[0] user: c
`)
  })

  it('of mini-swe lose only themselves when broken', async () => {
    const items = await itemsOf([run('a'), '{"messages":[{"role"', run('c')].join('\n'))
    expect(items.map(({ kind }) => kind)).toEqual([
      'conversation',
      'message',
      'problem',
      'conversation',
      'message',
    ])
  })

  it('of tau2-bench do not share their policy', async () => {
    const simulations = [{ messages: [{ role: 'user', content: 'a' }] }]
    const first = JSON.stringify({ agent: 'x', domain: 'farm', policy: 'Be kind.', simulations })
    expect(await goldenOf(`${first}\n${JSON.stringify({ simulations })}`)).toBe(`
conversation simulations[0] {"system":"Be kind.","agent":"x","domain":"farm"}
simulations[0] simulations[0].messages[0] user: a
conversation simulations[0]#2
simulations[0]#2 simulations[0].messages[0] user: a
`)
  })

  it('are not assumed if a document repeats a key', async () => {
    const messages = (content: string) => `"messages":[{"role":"user","content":"${content}"}]`
    const text = `{${messages('a')},${messages('b')}}`
    await storeItems(await itemsOf(text))
    expect(await goldenOf(text)).toBe(`
conversation conversation
conversation messages[0] user: a
conversation messages[0]#2 user: b
`)
  })
})
