import { describe, expect, it } from 'vitest'
import { goldenOf, messagesOf } from '../items.test-support.ts'
import { richSamples } from '../rich-samples.test-support.ts'
import { jsonLines, samples } from '../samples.test-support.ts'

const user = (id: string, text: string) => ({ id, role: 'user', parts: [{ type: 'text', text }] })

function tool(toolCallId: string, more: object) {
  return { type: 'tool-f', toolCallId, input: { n: 1 }, ...more }
}

describe('UI messages of the AI SDK', () => {
  it('reads a list of messages', async () => {
    expect(await goldenOf(samples['ai-sdk'], { name: 'n' })).toBe(`
conversation n
n a1 user: Feed them – 餌
n a2 assistant: Done ✓
`)
  })

  it('reads every kind of part, and splits a chat into steps and tool results', async () => {
    expect(await goldenOf(richSamples['ai-sdk'])).toBe(`
conversation chat
chat a1 user: look | file image/png AAEC // {"metadata":{"createdAt":5}}
chat a2 assistant: (hm)s | call c1 count {"of":"sheep"} | call c2 feed {}
chat a2/1 tool: result c1 {"n":7} | error c2 empty
chat a2/2 assistant: Seven. | ai-sdk/source-url {"type":"source-url","sourceId":"s","url":"https://farm.example"}
chat a2/3 user: And goats?
chat a2/4 assistant: call c3 g {}
chat a2/5 tool: result c3 2
`)
    const [message] = await messagesOf(richSamples['ai-sdk'])
    expect(message?.message.createdAt).toBe(5)
  })

  it('reads every state of a tool call, and gives it a result only once the result is final', async () => {
    const parts = [
      tool('a', { state: 'input-available' }),
      tool('b', { state: 'output-available', output: 'so far', preliminary: true }),
      tool('c', { state: 'output-denied', approval: { id: 'x', approved: false, reason: 'No.' } }),
      tool('d', { state: 'output-available', output: 'text' }),
      { type: 'text', text: 'behind a result' },
      tool('e', { state: 'input-streaming', input: undefined, rawInput: '{"n' }),
    ]
    const text = JSON.stringify([user('u', 'go'), { id: 'm', role: 'assistant', parts }])
    expect(await goldenOf(text, { name: 'n' })).toBe(`
conversation n
n u user: go
n m assistant: call a f {"n":1} | call b f {"n":1} | call c f {"n":1} | call d f {"n":1}
n m/1 tool: error c No. | result d text
n m/2 assistant: behind a result | call e f "{\\"n"
`)
  })

  it('reads version 4 messages without parts: calls, results and files', async () => {
    const toolInvocations = [
      { state: 'result', step: 0, toolCallId: 'a', toolName: 'f', args: { n: 1 }, result: 'x' },
      { state: 'call', step: 1, toolCallId: 'b', toolName: 'g', args: {} },
    ]
    const url = 'data:image/png;base64,AAEC'
    const attachments = [{ name: 'p.png', contentType: 'image/png', url }, { name: 'lost' }]
    const text = JSON.stringify([
      { id: 'u', role: 'user', content: 'look', experimental_attachments: attachments },
      { id: 'm', role: 'assistant', content: 'Seven.', toolInvocations },
      { ...user('v', 'with parts'), experimental_attachments: attachments.slice(0, 1) },
    ])
    expect(await goldenOf(text, { name: 'n' })).toBe(`
conversation n
n u user: look | file image/png AAEC | ai-sdk/attachment {"name":"lost"}
n m assistant: call a f {"n":1}
n m/1 tool: result a x
n m/2 assistant: call b g {}
n m/3 assistant: Seven.
n v user: with parts | file image/png AAEC
`)
  })

  it('keeps the exact text of inputs and outputs', async () => {
    const exact = '{"z": 12345678901234567890, "a":1.0,"\\ud83d":"\\uDC00", "z2":{ } }'
    const part = `{"type":"tool-f","toolCallId":"c","state":"output-available","input":${exact},"output":${exact}}`
    const [call, result] = await messagesOf(`[{"id":"m","role":"assistant","parts":[${part}]}]`)
    expect(call?.message.content).toMatchObject([{ input: exact }])
    expect(result?.message.content).toMatchObject([{ output: { kind: 'json', json: exact } }])
  })

  it('keeps the keys of earlier steps after a run has grown', async () => {
    const step = [{ type: 'step-start' }, tool('a', { state: 'input-available' })]
    const done = [{ type: 'step-start' }, tool('a', { state: 'output-available', output: 1 })]
    const before = await messagesOf(
      JSON.stringify([user('u', 'go'), { id: 'm', role: 'assistant', parts: step }]),
    )
    const after = await messagesOf(
      JSON.stringify([
        user('u', 'go'),
        { id: 'm', role: 'assistant', parts: [...done, { type: 'text', text: 'Done.' }] },
      ]),
    )
    expect(after.slice(0, before.length)).toEqual(before)
    expect(after.map(({ message }) => message.key)).toEqual(['u', 'm', 'm/1', 'm/2'])
  })

  it('reads one message per line, one chat per line, and a single message', async () => {
    expect(await goldenOf(jsonLines(user('a', '1'), user('b', '2')), { name: 'n' })).toBe(`
conversation n
n a user: 1
n b user: 2
`)
    const chat = (id: string) => ({ id, messages: [user('a', id)] })
    expect(await goldenOf(jsonLines(chat('x'), chat('y')), { name: 'n' })).toBe(`
conversation x
x a user: x
conversation y
y a user: y
`)
    expect(await goldenOf(JSON.stringify(user('a', '1')), { name: 'n' })).toBe(`
conversation n
n a user: 1
`)
  })

  it('reports values that are not messages', async () => {
    const text = `[\n${JSON.stringify(user('a', '1'))},\n{"role":"walrus","parts":[]},\n{"role":x}]`
    expect(await goldenOf(text, { name: 'n' })).toBe(`
conversation n
n a user: 1
problem 3: [1] is not a known kind of message
problem 4: [2] is not valid JSON
`)
  })
})
