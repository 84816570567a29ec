/** Texts with every kind of record and part of a format, for tests that damage them. */

import { jsonLines, samples } from './samples.test-support.ts'

const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAEC' } }
const dataUrl = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAEC' } }
const main = { sessionId: 's', timestamp: '2026-01-02T03:04:05Z' }
const side = { ...main, isSidechain: true, agentId: 'one' }

function chatgptMessage(role: string, content: object) {
  const metadata = { model_slug: 'gpt-x' }
  return { author: { role }, create_time: 1767323046.5, content, recipient: 'all', metadata }
}

export const richSamples: typeof samples = {
  ...samples,
  throughline: jsonLines(
    { throughline: 1, id: 'a', title: 'One', meta: { n: 1 }, createdAt: 5 },
    {
      role: 'user',
      author: 'Ana',
      content: [
        { type: 'text', text: 'see', metadata: { x: 1 } },
        { type: 'file', mediaType: 'image/png', name: 'a.png', data: 'AAEC', width: 1, height: 2 },
        { type: 'file', mediaType: 'image/png', url: 'https://example.org/a.png' },
        { type: 'resource-excerpt', resourceId: 'r', title: 'R', text: 'so' },
        { type: 'attachment-ref', attachmentId: 'f', title: 'F' },
      ],
      createdAt: 7,
      meta: { a: [1, null] },
      key: 'k',
      rawBase64: '/wD/',
    },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'hm', signature: 's' },
        { type: 'tool-call', callId: 'c', name: 'read', input: '{"n":12345678901234567890}' },
        { type: 'opaque', kind: 'x/y', json: '{"z": 1}' },
      ],
      status: 'incomplete',
      raw: '{"raw": true}',
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', callId: 'c', output: { kind: 'json', json: '[1]' }, isError: true },
        {
          type: 'tool-result',
          callId: 'd',
          output: { kind: 'parts', parts: [{ type: 'text', text: 'p' }] },
        },
      ],
    },
    { throughline: 1, id: 'b', parent: { conversationId: 'a', callId: 'c' } },
    { role: 'user', content: [] },
  ),
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
  codex: jsonLines(
    {
      timestamp: '2026-01-02T03:04:05.000Z',
      type: 'session_meta',
      payload: {
        id: 'x',
        cwd: '/farm',
        forked_from_id: 'p',
        source: { subagent: { thread_spawn: { parent_thread_id: 'p' } } },
        git: { branch: 'main' },
        base_instructions: { text: 'Herd.' },
      },
    },
    { type: 'session_meta', payload: { id: 'p' } },
    { type: 'turn_context', payload: { model: 'gpt-x' } },
    ...[
      {
        type: 'message',
        role: 'user',
        content: [
          { type: 'input_text', text: 'a' },
          { type: 'input_image', image_url: 'data:image/png;base64,AAEC' },
        ],
      },
      {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm' }],
        encrypted_content: 'gAAA',
      },
      { type: 'function_call', name: 'shell', arguments: '{"command":["ls"]}', call_id: 'c1' },
      { type: 'function_call_output', call_id: 'c1', output: [{ type: 'input_text', text: 'x' }] },
      { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin', call_id: 'c2' },
      { type: 'custom_tool_call_output', call_id: 'c2', output: { content: 'no', success: false } },
      { type: 'local_shell_call', call_id: 'c3', action: { type: 'exec', command: ['ls'] } },
      { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'q' } },
    ].map((payload) => ({ timestamp: '2026-01-02T03:04:06.000Z', type: 'response_item', payload })),
    {
      type: 'event_msg',
      payload: {
        type: 'token_count',
        info: { last_token_usage: { input_tokens: 9, cached_input_tokens: 4, output_tokens: 2 } },
      },
    },
    { type: 'compacted', payload: { message: 'so far', replacement_history: [] } },
  ),
  chatgpt: JSON.stringify([
    {
      title: 'Gate',
      create_time: 1767323045.25,
      mapping: Object.fromEntries(
        [
          null,
          chatgptMessage('system', { content_type: 'text', parts: [''] }),
          chatgptMessage('user', {
            content_type: 'multimodal_text',
            parts: [
              'see',
              { content_type: 'image_asset_pointer', asset_pointer: 'file-service://f' },
            ],
          }),
          chatgptMessage('assistant', {
            content_type: 'thoughts',
            thoughts: [{ summary: 's', content: 'c' }],
          }),
          {
            ...chatgptMessage('assistant', { content_type: 'code', text: 'print(1)' }),
            recipient: 'python',
          },
          chatgptMessage('tool', { content_type: 'execution_output', text: '1' }),
          chatgptMessage('assistant', { content_type: 'text', parts: ['It is 1.'] }),
          chatgptMessage('user', { content_type: 'user_editable_context', user_profile: 'Ana' }),
        ].map((message, index) => [
          `m${index}`,
          {
            id: `m${index}`,
            message,
            // The last one is a branch.
            parent: index === 0 ? null : index === 7 ? 'm2' : `m${index - 1}`,
            children: [],
          },
        ]),
      ),
      current_node: 'm6',
      conversation_id: 'g',
    },
  ]),
  anthropic: JSON.stringify({
    model: 'claude-x',
    messages: [
      { role: 'user', content: [{ type: 'text', text: 'a' }, image] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'tool_use', id: 't', name: 'f', input: { n: 1 } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't', content: [image], is_error: true }],
      },
      { role: 'system', content: 'Be brief.' },
    ],
    system: [{ type: 'text', text: 'You herd.', cache_control: { type: 'ephemeral' } }],
  }),
  'ai-sdk': JSON.stringify({
    id: 'chat',
    title: 'Sheep',
    messages: [
      {
        id: 'a1',
        role: 'user',
        metadata: { createdAt: 5 },
        parts: [
          { type: 'text', text: 'look' },
          {
            type: 'file',
            mediaType: 'image/png',
            url: 'data:image/png;base64,AAEC',
            filename: 'a',
          },
        ],
      },
      {
        id: 'a2',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'hm', providerMetadata: { anthropic: { signature: 's' } } },
          {
            type: 'tool-count',
            toolCallId: 'c1',
            state: 'output-available',
            input: { of: 'sheep' },
            output: { n: 7 },
          },
          {
            type: 'dynamic-tool',
            toolName: 'feed',
            toolCallId: 'c2',
            state: 'output-error',
            input: {},
            errorText: 'empty',
          },
          { type: 'step-start' },
          { type: 'text', text: 'Seven.', state: 'done' },
          { type: 'source-url', sourceId: 's', url: 'https://farm.example' },
          { type: 'steering-message', id: 'x', parts: [{ type: 'text', text: 'And goats?' }] },
          {
            type: 'tool-invocation',
            toolInvocation: {
              state: 'result',
              toolCallId: 'c3',
              toolName: 'g',
              args: {},
              result: 2,
            },
          },
        ],
      },
    ],
  }),
  opencode: JSON.stringify({
    info: {
      ...{ id: 'ses_2', parentID: 'ses_1', directory: '/farm', version: '1.18.33', title: 'Sheep' },
      time: { created: 1, updated: 2 },
    },
    messages: [
      {
        info: { id: 'm1', role: 'user', sessionID: 'ses_2', time: { created: 1767323046000 } },
        parts: [
          { type: 'text', text: 'look at @a.ts' },
          { type: 'text', synthetic: true, text: 'Called the Read tool' },
          { type: 'file', mime: 'text/plain', filename: 'a.ts', url: 'file:///farm/a.ts' },
          { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AAEC' },
          { type: 'agent', name: 'plan' },
          { type: 'walrus', x: 1 },
        ],
      },
      {
        info: {
          ...{ id: 'm2', role: 'assistant', providerID: 'p', modelID: 'm' },
          tokens: { input: 5, output: 2, reasoning: 0, cache: { read: 3, write: 0 } },
        },
        parts: [
          { type: 'step-start' },
          { type: 'reasoning', text: 'hm' },
          {
            ...{ type: 'tool', callID: 'c1', tool: 'bash' },
            state: { status: 'completed', input: { n: 1 }, output: 'seven' },
          },
          {
            ...{ type: 'tool', callID: 'c2', tool: 'edit' },
            state: { status: 'error', input: {}, error: 'no' },
          },
          { type: 'tool', callID: 'c3', tool: 'bash', state: { status: 'running', input: {} } },
          { type: 'step-finish', reason: 'tool-calls' },
          { type: 'step-start' },
          { type: 'text', text: 'Seven.' },
          { type: 'patch', hash: 'x', files: [] },
        ],
      },
      { info: { id: 'm3', role: 'user' }, parts: [{ type: 'compaction', auto: true }] },
      {
        info: {
          id: 'm4',
          role: 'assistant',
          summary: true,
          error: { name: 'MessageAbortedError' },
        },
        parts: [{ type: 'text', text: 'Seven sheep so far.' }],
      },
    ],
    todos: [],
  }),
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
  messages: jsonLines(
    { role: 'developer', content: 'Be brief.', session_id: 's', id: 1 },
    {
      role: 'user',
      name: 'Ana',
      content: [{ type: 'text', text: 'see' }, dataUrl],
      session_id: 's',
      id: 'm2',
      ts: 1_767_323_045.25,
      metadata: { shed: [4] },
    },
    {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 's' },
        { type: 'tool_use', id: 't', name: 'f', input: { n: 1 } },
      ],
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
      usage: { input_tokens: 5, output_tokens: 7 },
      model: 'm',
      session_id: 's',
    },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: 't', content: [image], is_error: true }],
    },
    { role: 'tool', tool_call_id: 'c', content: 'done', created_at: '2026-01-02T03:04:05Z' },
    { role: 'tool', content: [{ type: 'tool_result', tool_use_id: 't', content: 'so' }] },
    { role: 'assistant', function_call: { name: 'g', arguments: '{}' }, chat_id: 7 },
    { role: 'function', name: 'g', content: 'done', chat_id: 7 },
  ),
}
