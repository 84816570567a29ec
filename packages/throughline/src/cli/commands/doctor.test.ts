import { chmodSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { createFaultServer } from '../../../../../harness/fault-server.ts'
import { sessionOf, type TestWorld, testWorld } from '../world.test-support.ts'

interface Report {
  readonly healthy: boolean
  readonly findings: readonly {
    readonly about: string
    readonly state: string
    readonly text: string
  }[]
}

async function report(test: TestWorld, ...words: string[]): Promise<Report> {
  return (await test.json('doctor', ...words)) as Report
}

function problems({ findings }: Report): readonly string[] {
  return findings
    .filter(({ state }) => state === 'problem')
    .map(({ about, text }) => `${about}: ${text}`)
}

it('doctor reports settings that the engine rejects', async () => {
  const test = testWorld({ env: { THROUGHLINE_POLICY: 'zen' } })
  expect(problems(await report(test))).toEqual([expect.stringContaining('settings: policy zen')])
})

async function filled(): Promise<TestWorld> {
  const test = testWorld()
  await test.engine(async (tl) => {
    const chat = tl.conversation('c')
    await chat.append([
      ...sessionOf(40),
      {
        role: 'user',
        content: [{ type: 'file', mediaType: 'a/b', data: new Uint8Array([1, 2]) }],
        raw: 'x',
      },
    ])
    await chat.context({ model: 'gpt-4[8k]' })
    await chat.compactNextRequest()
    await chat.context({ model: 'gpt-4[8k]' })
    await chat.history.undo()
    await chat.history.edit('#4', { role: 'user', content: 'Edited.' })
    await chat.history.remove('#8')
    await chat.history.purgeMessage('#12')
    const forked = await chat.history.fork(9, 'forked')
    if (forked.ok) await forked.value.append({ role: 'user', content: 'on' })
    await tl.tenant('other').conversation('c').append(sessionOf(1))
  })
  return test
}

function change(test: TestWorld, sql: string): void {
  const database = new DatabaseSync(test.store)
  database.exec(sql)
  database.close()
}

describe('doctor', () => {
  it('reports no problem in a store after every kind of change', async () => {
    const test = await filled()
    const found = await report(test)
    expect(problems(found)).toEqual([])
    expect(found.healthy).toBe(true)
    expect((await test.run('doctor')).stdout).toContain(
      '3 conversations, 175 messages: positions, hashes',
    )
  })

  it('lists what the bytes of the store are used for', async () => {
    const test = await filled()
    const { space } = (await test.json('doctor', '--quick', '--space')) as {
      readonly space: readonly Readonly<Record<string, unknown>>[]
    }
    const messages = space.find(({ what }) => what === 'messages')
    expect(messages).toMatchObject({ what: 'messages', rows: expect.any(Number) as number })
    expect(Number(messages?.['pageBytes'])).toBeGreaterThan(Number(messages?.['textBytes']))
    expect(space.map(({ what }) => what)).toContain('derived rows: facts')
    const { stdout } = await test.run('doctor', '--quick', '--space')
    expect(stdout).toMatch(/what +rows +in the file +texts/)
    expect(stdout).toMatch(/search index: terms +\d+ +[\d.]+ [KM]B +–/)
  })

  it.each([
    [
      "UPDATE messages SET body = replace(body, 'part-1.ts', 'part-x.ts')",
      'its parts were changed',
    ],
    ['DELETE FROM messages WHERE seq = 20', '49 messages in [0, 50)'],
    ["UPDATE conversations SET head = head + 1 WHERE id = 'forked'", 'forked: '],
    [
      'UPDATE events SET number = number + 1 WHERE number = (SELECT max(number) FROM events)',
      'is missing',
    ],
    ["UPDATE files SET bytes = x'00'", 'one of its files is missing or changed'],
    ["UPDATE conversations SET pins = '[900]'", 'its pins are not in order'],
    ['UPDATE conversations SET indexed_to = 900', 'the index covers more messages than'],
    ['DELETE FROM pieces', 'recall cannot find those texts'],
    ['UPDATE messages SET created_at = created_at + 1 WHERE seq = 4', '#4: time, key or marks'],
    ["UPDATE messages SET key = 'other' WHERE seq = 5", '#5: time, key or marks'],
    [`UPDATE messages SET marks = '[{"kind":"removed"}]' WHERE seq = 6`, '#6: time, key or'],
    ["UPDATE messages SET former = '[]' WHERE seq = 7", '#7: time, key or marks'],
    ['UPDATE messages SET row_hash = NULL WHERE seq = 8', '#8: time, key or marks'],
    ["UPDATE conversations SET title = 'x' WHERE id = 'forked'", 'forked: title, time or other'],
    ["UPDATE conversations SET created_at = 1 WHERE id = 'forked'", 'forked: title, time or'],
    ['UPDATE conversations SET fork_pk = pk WHERE fork_pk IS NOT NULL', 'was changed from outside'],
  ])('reports a change from outside: %s', async (sql, why) => {
    const test = await filled()
    change(test, sql)
    const { exitCode, stdout, stderr } = await test.run('doctor')
    expect(stdout).toContain(why)
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/throughline: found \d+ problems?/)
  })

  it('reports a missing file, a file that is not a store, and one that others can read', async () => {
    const test = testWorld()
    expect((await test.run('doctor')).stdout.replace(/\s+/g, ' ')).toContain('does not exist yet')
    writeFileSync(test.store, 'no database at all, and long enough to be looked at. '.repeat(40))
    chmodSync(test.store, 0o644)
    const { stdout, exitCode } = await test.run('doctor')
    expect(stdout).toContain('other users can read it')
    expect(stdout.replace(/\s+/g, ' ')).toContain('not a database')
    expect(exitCode).toBe(1)
  })

  it('reports invalid settings', async () => {
    const test = testWorld({ env: { THROUGHLINE_COMPACTION: 'maybe' } })
    expect(problems(await report(test))).toEqual([
      expect.stringContaining('settings: THROUGHLINE_COMPACTION'),
    ])
  })

  it('reports which API keys are set, and never prints them', async () => {
    const test = testWorld({ env: { OPENAI_API_KEY: 'sk-very-secret', XAI_API_KEY: '' } })
    const { stdout } = await test.run('doctor')
    expect(stdout).toMatch(/keys +set for openai$/m)
    expect(stdout).not.toContain('secret')
  })

  it('calls the provider of the model with --online', async () => {
    const server = await createFaultServer({})
    const env = { OPENAI_API_KEY: 'test-key', THROUGHLINE_BASE_URL: server.url }
    const found = problems(await report(testWorld({ env }), '--online'))
    await server.close()
    // The test server has no list of models.
    expect(found).toEqual([expect.stringContaining('openai returns HTTP 404')])
    const away = problems(await report(testWorld({ env }), '--online'))
    expect(away).toEqual([expect.stringContaining('openai cannot be reached')])
    expect(problems(await report(testWorld(), '--online'))).toEqual([
      'model: the API key is missing: set OPENAI_API_KEY to call openai',
    ])
    expect(problems(await report(testWorld(), '--online', '--model', 'acme/x'))).toEqual([
      expect.stringContaining('unknown provider "acme"'),
    ])
  })
})
