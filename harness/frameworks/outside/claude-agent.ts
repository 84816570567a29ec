/**
 * The Claude Agent SDK: its functions for sessions, on our store. The program that runs agents is not installed;
 * the entries are those that it mirrors: for every turn a question, parallel calls, their results, an answer.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import {
  deleteSession,
  forkSession,
  getSessionMessages,
  getSubagentMessages,
  listSessions,
  listSubagents,
  renameSession,
  type SessionStore,
} from '@anthropic-ai/claude-agent-sdk'
import { claudeConversation, claudeSessionStore } from 'throughline/claude-agent'
import type { Door, DoorTable } from '../doors.ts'
import { engineOn, questionOf, runTool, scriptedAnswer } from '../script.ts'

type Entry = Parameters<SessionStore['append']>[1][number]

const dir = '/srv/shop'
const projectKey = '-srv-shop'
const sessionId = '0f3a1b52-7d5e-4c0a-9a51-3c1c5b1f0a01'
const key = { projectKey, sessionId }
const subpath = 'subagents/agent-a1'

/** Ids and parents as in a transcript. */
function chained(parent: string | null, messages: readonly object[]): readonly Entry[] {
  let parentUuid = parent
  return messages.map((message) => {
    const uuid = randomUUID()
    const { role } = message as { readonly role: 'user' | 'assistant' }
    const entry = {
      ...{ type: role, uuid, parentUuid, sessionId, cwd: dir, isSidechain: false },
      ...{ timestamp: new Date().toISOString(), version: '2.1.325', userType: 'external', message },
    }
    parentUuid = uuid
    return entry
  })
}

function turnOf(turn: number): readonly object[] {
  const question = { number: turn, messages: [] } as unknown as Parameters<typeof scriptedAnswer>[0]
  const { calls } = scriptedAnswer(question)
  return [
    { role: 'user', content: questionOf(turn) },
    {
      role: 'assistant',
      content: calls.map(({ id, name, input }) => ({ type: 'tool_use', id, name, input })),
    },
    {
      role: 'user',
      content: calls.map(({ id, name, input }) => ({
        ...{ type: 'tool_result', tool_use_id: id, content: runTool(name, input) },
      })),
    },
    { role: 'assistant', content: [{ type: 'text', text: `Answer ${turn}.` }] },
  ]
}

const play: Door = async ({ database, memory, from, to }) => {
  const engine = engineOn(database)
  const sessionStore: SessionStore = claudeSessionStore(engine)
  const known = existsSync(memory) ? (JSON.parse(readFileSync(memory, 'utf8')) as Entry[]) : []
  assert.deepEqual(await sessionStore.load(key), from === 0 ? null : known)
  for (let turn = from; turn < to; turn += 1) {
    const parent = known.findLast(({ uuid }) => uuid !== undefined)?.uuid ?? null
    const entries = chained(parent, turnOf(turn))
    const titled = turn % 50 === 0 ? [{ type: 'ai-title', aiTitle: `Turn ${turn}`, sessionId }] : []
    known.push(...entries, ...titled)
    // A batch that was lost on its way back arrives again, beside the next one.
    await Promise.all([
      sessionStore.append(key, [...entries, ...titled]),
      ...(turn % 3 === 0 ? [sessionStore.append(key, [...entries])] : []),
    ])
  }
  await sessionStore.append({ ...key, subpath }, [...chained(null, turnOf(from))])
  assert.deepEqual(await sessionStore.load(key), known)
  writeFileSync(memory, JSON.stringify(known))
  await useSdk(sessionStore, known)
  const chat = engine.conversation(claudeConversation(key))
  const { pieces } = await chat.recall(`src/module/${to - 1}.ts`)
  assert.ok(pieces.some(({ text }) => text.includes(`src/module/${to - 1}.ts`)))
  await engine.close()
}

/** The SDK's own functions, reading and changing our store. */
async function useSdk(sessionStore: SessionStore, known: readonly Entry[]): Promise<void> {
  const on = { dir, sessionStore }
  const listed = await listSessions(on)
  assert.ok(listed.some((session) => session.sessionId === sessionId))
  const messages = await getSessionMessages(sessionId, on)
  assert.equal(messages.length, known.filter(({ uuid }) => uuid !== undefined).length)
  assert.deepEqual(await listSubagents(sessionId, on), ['a1'])
  assert.ok((await getSubagentMessages(sessionId, 'a1', on)).length >= 4)
  const fork = await forkSession(sessionId, on)
  await renameSession(fork.sessionId, 'Another way', on)
  const renamed = (await listSessions(on)).find((session) => session.sessionId === fork.sessionId)
  assert.equal(renamed?.customTitle, 'Another way')
  assert.equal((await getSessionMessages(fork.sessionId, on)).length, messages.length)
  await deleteSession(fork.sessionId, on)
  assert.equal(await sessionStore.load({ projectKey, sessionId: fork.sessionId }), null)
}

export const doors: DoorTable = { 'claude-agent': play }
