/** Texts that hold every kind of record and part which a format has, to be broken by tests. */
import type { TranscriptFormat } from './format.ts'
import { jsonLines, samples } from './samples.test-support.ts'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAEC' } }
const dataUrl = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAEC' } }
const main = { sessionId: 's', timestamp: '2026-01-02T03:04:05Z' }
const side = { ...main, isSidechain: true, agentId: 'one' }

export const richSamples: Readonly<Record<TranscriptFormat, string>> = {
  ...samples,
  'claude-code': jsonLines(
    { ...main, type: 'user', uuid: 'u1', message: { content: [{ type: 'text', text: 'a' }] } },
    {
      ...main,
      type: 'assistant',
      uuid: 'u2',
      message: {
        id: 'r',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'tool_use', id: 't1', name: 'Task', input: { prompt: 'look' } },
          { type: 'tool_use', id: 't2', name: 'Task', input: { prompt: 'look' } },
        ],
      },
    },
    { ...side, type: 'user', uuid: 'x1', message: { content: 'look' } },
    { ...main, isSidechain: true, type: 'user', uuid: 'y1', message: { content: 'look' } },
    { ...main, type: 'progress', parentToolUseID: 't1', data: { agentId: 'one' } },
    { ...main, type: 'system', subtype: 'compact_boundary', compactMetadata: { preTokens: 9 } },
    {
      ...main,
      type: 'user',
      uuid: 'u3',
      isCompactSummary: true,
      toolUseResult: { agentId: 'two' },
      message: { content: [{ type: 'tool_result', tool_use_id: 't2', content: [image] }, image] },
    },
  ),
  pi: jsonLines(
    { type: 'session', id: 'p', cwd: '/farm', provider: 'x', modelId: 'm' },
    {
      type: 'message',
      id: 'a',
      timestamp: 5,
      message: {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm' },
          { type: 'toolCall', id: 'c', name: 'read', arguments: { path: 'x' } },
        ],
        usage: { input: 3, output: 4 },
      },
    },
    {
      type: 'message',
      id: 'b',
      message: {
        role: 'toolResult',
        toolCallId: 'c',
        toolName: 'read',
        content: [{ type: 'image', mimeType: 'image/png', data: 'AAEC' }],
      },
    },
    { type: 'message', id: 'c', message: { role: 'bashExecution', command: 'ls', exitCode: 1 } },
    { type: 'custom_message', id: 'd', customType: 'note', content: 'hi' },
    { type: 'compaction', summary: 'so far', tokensBefore: 12 },
  ),
  openai: JSON.stringify({
    model: 'gpt-x',
    messages: [
      { role: 'user', name: 'Ana', content: [{ type: 'text', text: 'see' }, dataUrl] },
      {
        role: 'assistant',
        refusal: 'no',
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'done' },
      { role: 'assistant', function_call: { name: 'g', arguments: '{}' } },
      { role: 'function', name: 'g', content: 'done' },
    ],
  }),
}
