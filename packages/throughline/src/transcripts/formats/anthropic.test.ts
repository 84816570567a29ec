import { describe, expect, it } from 'vitest'
import { goldenOf, itemsOf, messagesOf } from '../items.test-support.ts'
import { richSamples } from '../rich-samples.test-support.ts'
import { jsonLines, samples } from '../samples.test-support.ts'

const answer = {
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: 'claude-y',
  content: [{ type: 'text', text: 'Seven.' }],
  stop_reason: 'end_turn',
  usage: { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 2 },
}

describe("Anthropic's Messages", () => {
  it('reads a request, and stores its system prompt with the conversation', async () => {
    expect(await goldenOf(samples.anthropic, { name: 'n' })).toBe(`
conversation n {"model":"claude-x","system":"You herd 羊."}
n messages[0] user: How many?
n messages[1] assistant: Sieben – 七 // claude-x
`)
  })

  it('reads every kind of block, and a system prompt after the messages', async () => {
    expect(await goldenOf(richSamples.anthropic, { name: 'n' })).toBe(`
conversation n {"model":"claude-x","system":"You herd."}
n messages[0] user: a | file image/png AAEC
n messages[1] assistant: (hm)s | call t f {"n":1} // claude-x
n messages[2] tool: error t [file image/png AAEC]
n messages[3] system: Be brief.
`)
  })

  it('reads an answer, alone and with its request', async () => {
    expect(await goldenOf(JSON.stringify(answer), { name: 'n' })).toBe(`
conversation n {"model":"claude-y"}
n answer assistant: Seven. // claude-y 7/2/4/null
`)
    const request = { system: 'Herd.', messages: [{ role: 'user', content: 'How many?' }] }
    expect(await goldenOf(JSON.stringify({ request, response: answer }), { name: 'n' })).toBe(`
conversation n {"system":"Herd."}
n messages[0] user: How many?
n response assistant: Seven. // claude-y 7/2/4/null
`)
    // A reassembled message has no exact text in the file.
    expect((await messagesOf(JSON.stringify(answer)))[0]?.message.raw).toBeUndefined()
  })

  it('reads a bare list, and JSONL with one conversation per line', async () => {
    const thinking = { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }] }
    expect(await goldenOf(JSON.stringify([thinking]), { name: 'n' })).toBe(`
conversation n
n [0] assistant: (hm)
`)
    const body = (content: string) => ({ system: 's', messages: [{ role: 'user', content }] })
    const text = `${jsonLines(body('a'))}{"system":"s","messages":[{"role"\n${jsonLines(body('b'))}`
    expect(await goldenOf(text, { name: 'n' })).toBe(`
conversation n {"system":"s"}
n messages[0] user: a
problem 2: the text ends inside messages[0]
conversation n#3 {"system":"s"}
n#3 messages[0] user: b
`)
  })

  it('holds messages back for the system prompt only within bounds', async () => {
    const long = { role: 'user', content: 'long '.repeat(900_000) }
    const text = JSON.stringify({ messages: [long, long, long, long, long], system: 's' })
    const items = await itemsOf(text, { format: 'anthropic' })
    expect(items.map(({ kind }) => kind)).toEqual([
      'conversation',
      ...Array.from({ length: 5 }, () => 'message'),
      'problem',
    ])
  })

  it('reports values that are not messages', async () => {
    const text = '{"system":"s","messages":[\n{"role":"walrus"},\n{"role":"user","content":"a"}]}'
    expect(await goldenOf(text, { name: 'n' })).toBe(`
problem 2: messages[0] is not a known kind of message
conversation n {"system":"s"}
n messages[1] user: a
`)
  })
})
