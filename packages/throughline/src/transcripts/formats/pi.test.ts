import { expect, it } from 'vitest'
import { goldenOf } from '../items.test-support.ts'
import { jsonLines, samples } from '../samples.test-support.ts'

function entry(message: object, more: object = {}) {
  return { type: 'message', ...more, message }
}

it('reads a pi session', async () => {
  const text = jsonLines(
    { type: 'session', id: 'p1', cwd: '/farm', modelId: 'm', provider: 'x' },
    entry({ role: 'user', content: 'count' }, { id: 'e1', parentId: null }),
    { type: 'thinking_level_change', thinkingLevel: 'high' },
    entry({
      role: 'assistant',
      model: 'm',
      content: [
        { type: 'thinking', thinking: 'one', thinkingSignature: 'sig' },
        { type: 'thinking', thinking: 'two', thinkingSignature: '' },
        { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' }, partialJson: '{' },
      ],
      usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4 },
      stopReason: 'toolUse',
    }),
    entry({
      role: 'toolResult',
      toolCallId: 'c1',
      toolName: 'read',
      content: [{ type: 'text', text: '7' }],
      isError: true,
    }),
    entry({
      role: 'assistant',
      model: 'm',
      content: [],
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      stopReason: 'aborted',
    }),
    { type: 'compaction', summary: 'Counted.', tokensBefore: 99, firstKeptEntryId: 'e1' },
    entry({ role: 'bashExecution', command: 'ls', output: 'sheep', exitCode: 0 }),
    { type: 'custom_message', id: 'e9', customType: 'note', content: 'mind the dog' },
    { type: 'branch_summary', summary: 'left', fromId: 'e1' },
    entry({ role: 'user', content: [{ type: 'image', data: 'AAEC', mimeType: 'image/png' }] }),
    entry({ role: 'walrus', content: 'x' }),
  )
  expect(await goldenOf(text)).toBe(`
conversation p1 {"cwd":"/farm","provider":"x","model":"m"}
p1 e1 user: count
p1 line:4 assistant: (one)sig | (two) | call c1 read {"path":"a"} // m 8/2/3/4
p1 line:5 tool: error c1 7
p1 line:6 assistant:  // incomplete m
compaction null 99: Counted.
p1 line:8 user: $ ls | sheep // {"bashExecution":true,"exitCode":0}
p1 e9 user: mind the dog // {"customType":"note"}
p1 line:11 user: file image/png AAEC
problem 12: the record holds no message of a known role
`)
})

it('continues after a broken session record', async () => {
  const text = samples.pi.replace('"id":"p1"', '"id":"p1')
  expect(await goldenOf(text, { name: 'sheep.jsonl' })).toBe(`
problem 1: the text ends inside the document
conversation sheep.jsonl
sheep.jsonl line:2 user: Count the sheep 🐑
`)
})
