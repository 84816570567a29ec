import { describe, expect, it } from 'vitest'
import { goldenOf, itemsOf, messagesOf } from '../items.test-support.ts'
import { richSamples } from '../rich-samples.test-support.ts'
import { jsonLines, samples } from '../samples.test-support.ts'

const meta = (payload: object) => ({ type: 'session_meta', payload })
const item = (payload: object) => ({ type: 'response_item', payload })
const messageRecord = (role: string, text: string) =>
  item({ type: 'message', role, content: [{ type: 'input_text', text }] })
const count = (input_tokens: number) => ({
  type: 'event_msg',
  payload: { type: 'token_count', info: { last_token_usage: { input_tokens } } },
})

describe('Codex', () => {
  it('reads a session', async () => {
    expect(await goldenOf(samples.codex)).toBe(`
conversation x1 {"cwd":"/farm","version":"1"}
x1 line:2 user: Paint the gate – 門を塗る
`)
    const [message] = await messagesOf(samples.codex)
    expect(message?.message).toMatchObject({
      createdAt: Date.UTC(2026, 0, 2, 3, 4, 6),
      raw: samples.codex.split('\n')[1],
    })
  })

  it('reads every kind of item, and links an agent to its parent session', async () => {
    expect(await goldenOf(richSamples.codex)).toBe(`
conversation x < p null {"cwd":"/farm","gitBranch":"main","system":"Herd."}
x line:4 user: a | file image/png AAEC
x line:5 assistant: (hm)gAAA // gpt-x
x line:6 assistant: call c1 shell {"command":["ls"]} // gpt-x
x line:7 tool: result c1 x
x line:8 assistant: call c2 apply_patch "*** Begin"{"openai":{"custom":true}} // gpt-x
x line:9 tool: error c2 no
x line:10 assistant: call c3 local_shell {"type":"exec","command":["ls"]} // gpt-x
x line:11 assistant: openai/web_search_call {"type":"web_search_call","status":"completed","action":{"type":"search","query":"q"}} // gpt-x 9/2/4/null
compaction null null: so far
`)
  })

  it('reads files of the first versions, which have bare items', async () => {
    const text = jsonLines(
      { id: 'old', timestamp: '2025-06-01T00:00:00Z', instructions: 'Be brief.', git: {} },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call', name: 'shell', arguments: '{ "n":1.0 }', call_id: 'c', id: null },
      { type: 'function_call_output', call_id: 'c', output: '{"output":"x"}' },
    )
    expect(await goldenOf(text)).toBe(`
conversation old {"system":"Be brief."}
old line:3 user: hi
old line:4 assistant: call c shell { "n":1.0 }
old line:5 tool: result c {"output":"x"}
`)
  })

  it('assigns usage only to the answer that it was reported for', async () => {
    const text = jsonLines(
      meta({ id: 's' }),
      messageRecord('user', 'a'),
      count(1),
      messageRecord('assistant', 'b'),
      messageRecord('assistant', 'c'),
      count(20),
      count(20),
      messageRecord('user', 'd'),
      count(30),
      messageRecord('assistant', 'e'),
    )
    const usages = (await messagesOf(text)).map(({ usage }) => usage?.inputTokens ?? null)
    expect(usages).toEqual([null, null, 20, null, null])
  })

  it('reads a copied history as part of the file, and another session as a new conversation', async () => {
    const text = jsonLines(
      meta({ id: 'child', forked_from_id: 'parent' }),
      meta({ id: 'parent', forked_from_id: 'grandparent' }),
      meta({ id: 'grandparent' }),
      messageRecord('user', 'copied'),
      messageRecord('user', 'own'),
      meta({ id: 'child' }),
      messageRecord('user', 'resumed'),
      meta({ id: 'stranger' }),
      messageRecord('user', 'other'),
    )
    expect(await goldenOf(text)).toBe(`
conversation child {"forkedFrom":"parent"}
child line:4 user: copied
child line:5 user: own
child line:7 user: resumed
conversation stranger
stranger line:9 user: other
`)
  })

  it('reports records that it cannot read, and continues', async () => {
    const text = `${jsonLines(messageRecord('user', 'a'))}{"type":"response_item"\n${jsonLines(
      { type: 'response_item' },
      messageRecord('walrus', 'x'),
      { type: 'world_state', payload: {} },
      item({ type: 'ghost_snapshot', ghost_commit: {} }),
      item({ type: 'function_call', name: 'f' }),
    )}`
    expect(await goldenOf(text, { name: 'n' })).toBe(`
conversation n
n line:1 user: a
problem 2: the text ends inside the document
problem 3: the record holds nothing under "payload"
problem 4: the record holds no message of a known role
n line:7 assistant: openai/function_call {"type":"function_call","name":"f"}
`)
  })

  it('streams: an answer waits for at most one record', async () => {
    const many = Array.from({ length: 3_000 }, (_, index) => messageRecord('assistant', `${index}`))
    const items = await itemsOf(jsonLines(meta({ id: 's' }), ...many))
    expect(items).toHaveLength(3_001)
    expect(items.at(-1)).toMatchObject({ message: { key: 'line:3001' } })
  })
})
