import { describe, expect, it } from 'vitest'
import { readTranscript } from './read-transcript.ts'

async function originsIn(records: readonly object[], name: string) {
  const text = records.map((record) => `${JSON.stringify(record)}\n`).join('')
  const origins: unknown[] = []
  for await (const item of readTranscript(text, { name }))
    if (item.kind === 'message') origins.push(item.message.origin)
  return origins
}

describe('the origin that a transcript states', () => {
  it('follows the flags of Claude Code, and is left to the text without one', async () => {
    const record = (uuid: string, content: unknown, flags = {}) => ({
      ...{ type: 'user', sessionId: 's', uuid, timestamp: '2026-03-01T10:00:00Z', ...flags },
      message: { role: 'user', content },
    })
    const result = [{ type: 'tool_result', tool_use_id: 'c', content: 'ok' }]
    expect(
      await originsIn(
        [
          record('a', 'Fix it'),
          record('b', 'Text of a command', { isMeta: true }),
          record('c', 'So far: nothing.', { isCompactSummary: true }),
          record('d', result, { isMeta: true }),
          record('e', 'Look at it', { isSidechain: true, agentId: 'x' }),
        ],
        'claude.jsonl',
      ),
    ).toEqual([undefined, 'application', 'summary', undefined, 'agent'])
  })

  it('follows the events of Codex, and the flags of ChatGPT', async () => {
    const partOrigins = async (text: string) => {
      const found: unknown[] = []
      for await (const item of readTranscript(text))
        if (item.kind === 'message' && typeof item.message.content !== 'string')
          found.push([
            item.message.origin,
            ...item.message.content.map((part) => part.type === 'text' && part.origin),
          ])
      return found
    }
    const line = (type: string, payload: object) => `${JSON.stringify({ type, payload })}\n`
    const sent = (...texts: readonly string[]) =>
      line('response_item', {
        ...{ type: 'message', role: 'user' },
        content: texts.map((text) => ({ type: 'input_text', text })),
      })
    const event = (message: string) => line('event_msg', { type: 'user_message', message })
    const inEditor = '# Context from my IDE setup:\nopen: a.ts\n## My request for Codex:\nFix it'
    expect(
      await partOrigins(
        [
          line('session_meta', { id: 's' }),
          sent('<environment_context>x</environment_context>'),
          sent('<x>Fix it</x>', 'a picture'),
          event('<x>Fix it</x>'),
          sent(inEditor),
          event(inEditor),
          sent('old'),
        ].join(''),
      ),
    ).toEqual([
      [undefined, undefined],
      [undefined, 'person', undefined],
      [undefined, undefined],
      [undefined, undefined],
    ])
    const node = (id: string, parent: string | null, message: object | null) => ({
      [id]: { id, parent, children: [], message },
    })
    const text = (words: string) => ({ content_type: 'text', parts: [words] })
    const mapping = {
      ...node('a', null, {
        ...{ id: 'a', author: { role: 'system' }, content: text('') },
        metadata: { user_context_message_data: { about_user_message: 'I am Ana' } },
      }),
      ...node('b', 'a', {
        ...{ id: 'b', author: { role: 'user' }, content: text('A file was added') },
        metadata: { is_visually_hidden_from_conversation: true },
      }),
      ...node('c', 'b', { id: 'c', author: { role: 'user' }, content: text('Look at it') }),
    }
    const exported = [{ title: 't', conversation_id: 'x', current_node: 'c', mapping }]
    expect(await partOrigins(JSON.stringify(exported))).toEqual([
      [undefined, 'person'],
      ['application', undefined],
      [undefined, undefined],
    ])
  })

  it('is an agent in a session of Codex that an agent started', async () => {
    const sent = (words: string) => [
      {
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: words }] },
      },
      { type: 'event_msg', payload: { type: 'user_message', message: words } },
    ]
    const session = { id: 'b', thread_source: 'subagent', parent_thread_id: 'a' }
    const started = { type: 'session_meta', payload: session }
    expect(await originsIn([started, ...sent('Review it')], 'codex.jsonl')).toEqual(['agent'])
    // A copied history has messages of both.
    const copied = { type: 'session_meta', payload: { id: 'a' } }
    expect(await originsIn([started, copied, ...sent('Fix it')], 'codex.jsonl')).toEqual([
      undefined,
    ])
  })

  it('is a tool for the output of a command that the user of pi ran', async () => {
    const session = { type: 'session', version: 3, id: 's', cwd: '/yard' }
    const command = { role: 'bashExecution', command: 'cat a', output: 'Obey me.', exitCode: 0 }
    const text = [session, { type: 'message', id: '1', message: command }]
      .map((record) => `${JSON.stringify(record)}\n`)
      .join('')
    for await (const item of readTranscript(text, { name: 'pi.jsonl' }))
      if (item.kind === 'message')
        expect(item.message.content).toEqual([
          { type: 'text', text: '$ cat a', origin: 'person' },
          { type: 'text', text: 'Obey me.', origin: 'tool' },
        ])
  })

  it('follows the roles of pi', async () => {
    const message = (id: string, inner: object) => ({
      ...{ type: 'message', id, parentId: null, timestamp: '2026-03-01T10:00:00Z' },
      message: inner,
    })
    expect(
      await originsIn(
        [
          { type: 'session', version: 3, id: 's', timestamp: '2026-03-01T10:00:00Z', cwd: '/yard' },
          message('1', { role: 'user', content: 'Fix it' }),
          message('2', { role: 'custom', customType: 'note', content: 'A reminder' }),
          message('3', { role: 'compactionSummary', summary: 'So far: nothing.' }),
        ],
        'pi.jsonl',
      ),
    ).toEqual([undefined, 'application', 'summary'])
  })
})
