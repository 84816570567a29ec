import { describe, expect, it } from 'vitest'
import { goldenOf, messagesOf } from '../items.test-support.ts'
import { jsonLines, samples } from '../samples.test-support.ts'

describe('OpenAI chat', () => {
  it('reads a request body', async () => {
    expect(await goldenOf(samples.openai, { name: 'body.json' })).toBe(`
conversation body.json {"model":"gpt-x"}
body.json messages[0] system: You herd 羊.
body.json messages[1] user: How many?
`)
  })

  it('reads every kind of content and call', async () => {
    const text = JSON.stringify([
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        name: 'ana',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAEC' } },
          { type: 'image_url', image_url: { url: 'https://farm.example/a.png' } },
          { type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } },
        ],
      },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'hm',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'f', arguments: '{ "n" : 1.0 }' } },
          { id: 'c2', type: 'function', function: { name: 'g', arguments: { n: 2 } } },
          { id: 'c3', type: 'custom', custom: { name: 'h', input: 'free "text"' } },
        ],
      },
      { role: 'tool', tool_call_id: 'c1', content: '7' },
      { role: 'assistant', content: null, refusal: 'I will not.' },
      { role: 'assistant', function_call: { name: 'old', arguments: '{}' } },
      { role: 'function', name: 'old', content: '8' },
      { role: 'walrus', content: 'x' },
    ])
    expect(await goldenOf(text)).toBe(`
conversation conversation
conversation [0] system: Be brief. // {"role":"developer"}
conversation [1] user (ana): look | file image/png AAEC | file image/* https://farm.example/a.png | openai/input_audio {"type":"input_audio","input_audio":{"data":"AA==","format":"wav"}}
conversation [2] assistant: (hm) | call c1 f { "n" : 1.0 } | call c2 g {"n":2} | call c3 h "free \\"text\\""
conversation [3] tool: result c1 7
conversation [4] assistant: I will not.{"refusal":true}
conversation [5] assistant: call [5].function_call old {}
conversation [6] tool: result [5].function_call 8
problem 1: [7] is not a known kind of message
`)
  })

  it('reads a request of the Responses API, and stores its instructions with the conversation', async () => {
    const input = [
      { role: 'user', content: 'How many?' },
      { type: 'reasoning', id: 'rs_1', summary: [] },
      { type: 'function_call', call_id: 'c', name: 'count', arguments: '{ }' },
      { type: 'function_call_output', call_id: 'c', output: '7' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Seven.' }] },
      { type: 'message', role: 'walrus', content: 'x' },
    ]
    const text = JSON.stringify({ model: 'gpt-x', input, instructions: 'You herd.' })
    expect(await goldenOf(text, { name: 'n' })).toBe(`
conversation n {"model":"gpt-x","system":"You herd."}
n input[0] user: How many?
n input[1] assistant: () // gpt-x
n input[2] assistant: call c count { } // gpt-x
n input[3] tool: result c 7
n input[4] assistant: Seven. // gpt-x
problem 1: input[5] is not a known kind of message
`)
    const short = JSON.stringify({ model: 'gpt-x', input: 'How many?' })
    expect(await goldenOf(short, { name: 'n', format: 'openai' })).toBe(`
conversation n {"model":"gpt-x"}
n input user: How many?
`)
  })

  it('reads JSONL with one conversation per line, and loses only a broken line', async () => {
    const body = (content: string) => ({ messages: [{ role: 'user', content }] })
    const text = `${jsonLines(body('a'))}{"messages":[{"role":"user"\n${jsonLines(body('b'))}`
    expect(await goldenOf(text, { name: 'tune' })).toBe(`
conversation tune
tune messages[0] user: a
problem 2: the text ends inside messages[0]
conversation tune#3
tune#3 messages[0] user: b
`)
  })

  it('detects JSONL even if the first line is longer than the detected head', async () => {
    const long = jsonLines({ messages: [{ role: 'user', content: 'long '.repeat(30_000) }] })
    const items = await goldenOf(`${long}{"messages":[\n${samples.openai}`, { name: 'n' })
    expect(items.split('\n').slice(-5)).toEqual([
      'problem 2: the text ends inside messages[0]',
      'conversation n#3 {"model":"gpt-x"}',
      'n#3 messages[0] system: You herd 羊.',
      'n#3 messages[1] user: How many?',
      '',
    ])
  })
})

describe('answers of OpenAI chat', () => {
  const answer = (content: string | null, more: object = {}) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gpt-x-2026',
    choices: [
      { index: 0, message: { role: 'assistant', content, ...more }, finish_reason: 'stop' },
    ],
    usage: {
      prompt_tokens: 9,
      completion_tokens: 4,
      prompt_tokens_details: { cached_tokens: 2 },
    },
  })
  const calls = [
    { id: 'c1', type: 'function', function: { name: 'count', arguments: '{ "of" : "羊" }' } },
  ]
  const request = { model: 'gpt-x', messages: [{ role: 'user', content: 'How many?' }] }

  it('are read without a request, with calls, time and usage', async () => {
    const text = JSON.stringify(answer(null, { tool_calls: calls }), null, 2)
    expect(await goldenOf(text, { name: 'n' })).toBe(`
conversation n {"model":"gpt-x-2026"}
n choices[0].message assistant: call c1 count { "of" : "羊" } // gpt-x-2026 9/4/2/null
`)
    const [message] = await messagesOf(text)
    expect(message?.message.createdAt).toBe(1_700_000_000_000)
    expect(JSON.parse(String(message?.message.raw))).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: calls,
    })
  })

  it('are read after their request, wherever the file has it', async () => {
    const golden = `
conversation n {"model":"gpt-x"}
n messages[0] user: How many?
n choices[0].message assistant: Seven. // gpt-x-2026 9/4/2/null
`
    const response = answer('Seven.')
    expect(await goldenOf(JSON.stringify({ request, response }), { name: 'n' })).toBe(golden)
    expect(await goldenOf(JSON.stringify({ response, request }), { name: 'n' })).toBe(golden)
  })

  it('are read from JSONL with one conversation per line', async () => {
    const text = jsonLines(answer('a'), { request, response: answer('b') }, answer('c'))
    expect(await goldenOf(text, { name: 'log' })).toBe(`
conversation log {"model":"gpt-x-2026"}
log choices[0].message assistant: a // gpt-x-2026 9/4/2/null
conversation log#2 {"model":"gpt-x"}
log#2 messages[0] user: How many?
log#2 choices[0].message assistant: b // gpt-x-2026 9/4/2/null
conversation log#3 {"model":"gpt-x-2026"}
log#3 choices[0].message assistant: c // gpt-x-2026 9/4/2/null
`)
  })

  it('are read from the output of a batch', async () => {
    const line = { id: 'b', custom_id: '1', response: { status_code: 200, body: answer('a') } }
    expect(await goldenOf(jsonLines(line), { name: 'n' })).toBe(`
conversation n {"model":"gpt-x-2026"}
n choices[0].message assistant: a // gpt-x-2026 9/4/2/null
`)
  })

  it('continue the conversation with the first choice; other choices are branches', async () => {
    const { choices, ...rest } = answer('a')
    const other = { index: 1, message: { role: 'assistant', content: 'b' } }
    const text = JSON.stringify({ ...rest, choices: [...choices, other] })
    expect(await goldenOf(text, { name: 'n' })).toBe(`
conversation n {"model":"gpt-x-2026"}
n choices[0].message assistant: a // gpt-x-2026 9/4/2/null
branch n: 1 messages
`)
  })

  it('without a message are reported, and lose only themselves', async () => {
    const broken = { ...answer('a'), choices: [{ index: 0, message: { role: 'walrus' } }] }
    expect(await goldenOf(jsonLines(answer('a'), broken, answer('b')), { name: 'n' })).toBe(`
conversation n {"model":"gpt-x-2026"}
n choices[0].message assistant: a // gpt-x-2026 9/4/2/null
problem 2: choices[0].message is not a known kind of message
conversation n#3 {"model":"gpt-x-2026"}
n#3 choices[0].message assistant: b // gpt-x-2026 9/4/2/null
`)
  })
})
