/** The store of sessions of the Claude Agent SDK, without the SDK. */
import { createThroughline } from 'throughline'
import { claudeConversation, claudeSessionStore } from 'throughline/claude-agent'
import { expect, it } from 'vitest'

const key = { projectKey: '-work/shop', sessionId: 's 1' }
const entry = (uuid: string, role: 'user' | 'assistant', content: unknown) => ({
  ...{ type: role, uuid, timestamp: '2026-11-19T04:00:00.000Z', message: { role, content } },
})
const entries = [
  { type: 'summary', summary: 'A talk', leafUuid: '1' },
  entry('1', 'user', 'Which port?'),
  entry('2', 'assistant', [{ type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a' } }]),
  entry('3', 'user', [{ type: 'tool_result', tool_use_id: 'c1', content: 'port 6432' }]),
  entry('4', 'user', { unknown: 'form' }),
  { type: 'ai-title', aiTitle: 'Port' },
  { type: 'ai-title', aiTitle: 'Port' },
]

it('gives entries back in order, each uuid once', async () => {
  const engine = createThroughline()
  const store = claudeSessionStore(engine)
  expect(await store.load(key)).toBeNull()
  await Promise.all(entries.map((entry) => store.append(key, [entry])))
  await store.append(key, [entry('3', 'user', 'changed'), entry('5', 'user', 'Thanks.')])
  const expected = [...entries, entry('5', 'user', 'Thanks.')]
  expect(await claudeSessionStore(engine).load(key)).toEqual(expected)
  const chat = engine.conversation(claudeConversation(key))
  const found = (await chat.recall('6432')).pieces.map(({ text }) => text)
  expect(found.join('\n')).toContain('port 6432')
  expect((await chat.context({ model: 'gpt-5' })).messages.length).toBeGreaterThan(0)
})

it('lists the sessions of a project and the transcripts of a session, and deletes them', async () => {
  const store = claudeSessionStore(createThroughline())
  const other = { ...key, sessionId: 's 10' }
  const subagent = { ...key, subpath: 'subagents/agent-1' }
  for (const each of [key, other, subagent, { ...key, projectKey: '-work' }])
    await store.append(each, entries.slice(1, 2))
  const mtime = Date.parse('2026-11-19T04:00:00.000Z')
  expect(await store.listSessions(key.projectKey)).toEqual([
    { sessionId: 's 1', mtime },
    { sessionId: 's 10', mtime },
  ])
  expect(await store.listSubkeys(key)).toEqual(['subagents/agent-1'])
  await store.delete(key)
  expect(await store.load(key)).toBeNull()
  expect(await store.load(subagent)).toBeNull()
  expect(await store.load(other)).toHaveLength(1)
})

it('refuses a key that has empty parts, and what is no engine', async () => {
  expect(() => claudeConversation({ ...key, subpath: '' })).toThrow(/no empty parts/)
  expect(() => claudeSessionStore({} as never)).toThrow(/createThroughline/)
})
