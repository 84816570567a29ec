import { describe, expect, it } from 'vitest'
import { goldenOf, itemsOf, messagesOf } from '../items.test-support.ts'
import { jsonLines, samples } from '../samples.test-support.ts'

const main = { sessionId: 's1', isSidechain: false }
const side = { sessionId: 's1', isSidechain: true }

function user(uuid: string, content: unknown, more: object = main) {
  return { type: 'user', uuid, ...more, message: { role: 'user', content } }
}

function assistant(uuid: string, content: unknown, more: object = main, message: object = {}) {
  return { type: 'assistant', uuid, ...more, message: { role: 'assistant', content, ...message } }
}

function task(id: string, prompt: string) {
  return { type: 'tool_use', id, name: 'Task', input: { prompt } }
}

function result(id: string) {
  return [{ type: 'tool_result', tool_use_id: id, content: 'done' }]
}

describe('Claude Code', () => {
  it('reads messages, calls and usage', async () => {
    expect(await goldenOf(samples['claude-code'])).toBe(`
conversation s1
s1 u1 user: Mend the fence – 柵を直す
s1 u2 assistant: call c1 Read {"path":"fence.txt"} // {"responseId":"r1"} claude-x 15/7/10/null
`)
  })

  it('reads every kind of block', async () => {
    const image = {
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: 'AAEC' },
    }
    const text = jsonLines(
      assistant('a', [
        { type: 'thinking', thinking: 'hmm', signature: 'sig' },
        { type: 'text', text: 'So.' },
        { type: 'server_tool_use', id: 'z', n: 1 },
      ]),
      user('b', [
        { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'x' }, image] },
        { type: 'tool_result', tool_use_id: 'c2', content: 'no', is_error: true },
        { type: 'tool_result', tool_use_id: 'c3' },
      ]),
      user('c', [...result('c4'), { type: 'text', text: 'and go on' }, image]),
    )
    expect(await goldenOf(text)).toBe(`
conversation s1
s1 a assistant: (hmm)sig | So. | anthropic/server_tool_use {"type":"server_tool_use","id":"z","n":1}
s1 b tool: result c1 [x | file image/png AAEC] | error c2 no | result c3 
s1 c user: result c4 done | and go on | file image/png AAEC
`)
  })

  it('reports the usage of an answer once, with its first record', async () => {
    const usage = { id: 'r1', usage: { input_tokens: 3, output_tokens: 1 } }
    const zero = { id: 'r2', usage: { input_tokens: 0, output_tokens: 0 } }
    const text = jsonLines(
      assistant('a', 'one', main, usage),
      assistant('b', 'two', main, usage),
      assistant('c', 'three', main, zero),
    )
    const messages = await messagesOf(text)
    expect(messages.map(({ usage }) => usage?.inputTokens ?? null)).toEqual([3, null, null])
    expect(messages.map(({ message }) => message.meta)).toEqual([
      { responseId: 'r1' },
      { responseId: 'r1' },
      { responseId: 'r2' },
    ])
  })

  it('reads a compaction with its summary, and keeps the summary as a message', async () => {
    const boundary = {
      type: 'system',
      subtype: 'compact_boundary',
      ...main,
      compactMetadata: { trigger: 'auto', preTokens: 1234 },
    }
    const text = jsonLines(
      user('a', 'hi'),
      boundary,
      user('b', 'So far: nothing.', { ...main, isCompactSummary: true }),
      boundary,
      user('c', 'bye'),
      user('d', 'Old files have no boundary.', { ...main, isCompactSummary: true }),
      boundary,
    )
    expect(await goldenOf(text)).toBe(`
conversation s1
s1 a user: hi
compaction auto 1234: So far: nothing.
s1 b user: So far: nothing. // {"compactSummary":true}
compaction auto 1234: null
s1 c user: bye
compaction null null: Old files have no boundary.
s1 d user: Old files have no boundary. // {"compactSummary":true}
compaction auto 1234: null
`)
  })

  it('separates interleaved side chains, and links each to the call that started it', async () => {
    const text = jsonLines(
      user('a', 'go'),
      assistant('b', [task('t1', 'find goats'), task('t2', 'find sheep')]),
      user('x1', 'find sheep', { ...side, parentUuid: null }),
      user('y1', [{ type: 'text', text: 'find goats' }], { ...side, parentUuid: null }),
      { type: 'progress', uuid: 'x2', ...side, parentUuid: 'x1' },
      assistant('x3', 'baa', { ...side, parentUuid: 'x2' }),
      assistant('y2', 'meh', { ...side, parentUuid: 'y1' }),
      user('c', result('t1')),
    )
    expect(await goldenOf(text)).toBe(`
conversation s1
s1 a user: go
s1 b assistant: call t1 Task {"prompt":"find goats"} | call t2 Task {"prompt":"find sheep"}
conversation s1/side-x1 < s1 t2
s1/side-x1 x1 user: find sheep
conversation s1/side-y1 < s1 t1
s1/side-y1 y1 user: find goats
s1/side-x1 x3 assistant: baa
s1/side-y1 y2 assistant: meh
s1 c tool: result t1 done
`)
  })

  it('waits for the result that names the agent if the prompt is ambiguous', async () => {
    const one = { ...side, agentId: 'one' }
    const two = { ...side, agentId: 'two' }
    const text = jsonLines(
      assistant('a', [task('t1', 'look'), task('t2', 'look')]),
      user('x1', 'look', two),
      user('y1', 'look', one),
      assistant('x2', 'seen', two),
      user('b', result('t1'), { ...main, toolUseResult: { agentId: 'one' } }),
      user('c', 'enough'),
    )
    expect(await goldenOf(text)).toBe(`
conversation s1
s1 a assistant: call t1 Task {"prompt":"look"} | call t2 Task {"prompt":"look"}
s1 b tool: result t1 done
conversation s1/agent-one < s1 t1 {"agentId":"one"}
s1/agent-one y1 user: look
s1 c user: enough
conversation s1/agent-two < s1 null {"agentId":"two"}
s1/agent-two x1 user: look
s1/agent-two x2 assistant: seen
`)
  })

  it('accepts a record that names its call, and a progress record that names the agent', async () => {
    const text = jsonLines(
      user('a', 'go'),
      { type: 'progress', ...main, parentToolUseID: 't9', data: { agentId: 'nine' } },
      user('x', 'prompt', { ...side, agentId: 'nine' }),
      user('y', 'other', { ...side, agentId: 'ten', parentToolUseID: 't10' }),
    )
    const items = await itemsOf(text)
    const parents = items.flatMap((item) => (item.kind === 'conversation' ? [item.parent] : []))
    expect(parents).toEqual([
      null,
      { conversationId: 's1', callId: 't9' },
      { conversationId: 's1', callId: 't10' },
    ])
  })

  it('reads the file of an agent as a child of a conversation in another file', async () => {
    const agent = { ...side, agentId: 'a7' }
    expect(await goldenOf(jsonLines(user('x', 'look', agent), assistant('y', 'ok', agent)))).toBe(`
conversation s1/agent-a7 < s1 null {"agentId":"a7"}
s1/agent-a7 x user: look
s1/agent-a7 y assistant: ok
`)
  })

  it('gives a repeated record a second key', async () => {
    const messages = await messagesOf(jsonLines(user('a', 'hi'), user('a', 'hi'), user('', 'hi')))
    expect(messages.map(({ message }) => message.key)).toEqual(['a', 'a#2', 'line:3'])
  })
})
