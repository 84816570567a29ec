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
