import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { MessageInput } from 'throughline'
import { describe, expect, it } from 'vitest'
import { sessionOf, type TestWorld, testWorld } from '../world.test-support.ts'

const day = 86_400_000
const now = Date.UTC(2026, 0, 31)

async function filled(): Promise<TestWorld> {
  const test = testWorld({ now })
  await test.engine(async (tl) => {
    await tl.begin('invoice-7', { title: 'The invoice 🎉 of a customer' })
    await tl.conversation('invoice-7').append([
      { role: 'user', content: 'And the invoice?', createdAt: now - 3 * day },
      { role: 'assistant', content: 'It \u001b[31mis\u001b[0m paid.', createdAt: now - 3 * day },
    ])
    await tl.conversation('invoice-8').append({ role: 'user', content: 'x', createdAt: now - day })
    await tl.begin('child', { parent: { conversationId: 'invoice-7' } })
    await tl.conversation('child').append({ role: 'user', content: 'y', createdAt: now - 9 * day })
  })
  return test
}

describe('list', () => {
  it('puts the most recently active first', async () => {
    const test = await filled()
    expect((await test.run('list')).stdout).toBe(
      [
        'conversation  messages  last active  title',
        'invoice-8            1  yesterday',
        'invoice-7            2  3 days ago   The invoice 🎉 of a customer',
        '',
      ].join('\n'),
    )
    expect((await test.run('list', '--children')).stdout).toContain('child')
    expect((await test.run('list', '--limit', '1')).stdout).toContain(
      'the 1 most recently active; --all lists all',
    )
    expect((await test.run('list', 'CUSTOMER')).stdout).not.toContain('invoice-8')
    expect(await test.json('list')).toMatchObject({
      more: false,
      conversations: [
        { id: 'invoice-8', messages: 1 },
        { id: 'invoice-7', lastAt: now - 3 * day },
      ],
    })
  })

  it('distinguishes an empty store from a missing one', async () => {
    const test = testWorld()
    await test.engine(async () => {})
    expect(await test.run('list')).toMatchObject({
      exitCode: 0,
      stdout: 'The store has no conversations yet. Import one: throughline import FILE\n',
    })
  })

  it('lists only the conversations of the tenant', async () => {
    const test = await filled()
    expect(await test.json('list', '--tenant', 'other')).toEqual({
      conversations: [],
      more: false,
    })
  })

  it('prints whole titles and short unique ids in a pipe', async () => {
    const test = testWorld({ now })
    const ids = ['7c9e6679-7425-40de-944b-e07fc1f90ae7', '7c9e6679-7425-40de-944b-0123456789ab']
    const title = 'A long title '.repeat(12).trim()
    await test.engine(async (tl) => {
      for (const id of ids) {
        await tl.begin(id, { title })
        await tl.conversation(id).append({ role: 'user', content: id, createdAt: now - day })
      }
    })
    const rows = (await test.run('list')).stdout.split('\n').slice(1, 3)
    for (const row of rows) {
      const [short = ''] = row.split(' ')
      const id = ids.find((each) => each.startsWith(short))
      expect(short.length).toBeLessThan(30)
      expect(row.endsWith(title)).toBe(true)
      expect((await test.run('show', short)).stdout).toContain(`  ${id}\n`)
    }
  })
})

describe('show', () => {
  it('finds a conversation by id, by a prefix of it, and by a part of its title', async () => {
    const test = await filled()
    for (const name of ['invoice-7', 'CUSTOMER'])
      expect((await test.run('show', name)).stdout).toContain('It is paid.')
    expect((await test.run('show', 'chi')).stdout).toContain('child')
    expect((await test.run('show', '--last')).stdout).toContain('invoice-8')
    expect(await test.run('show', 'nobody')).toMatchObject({ exitCode: 1, stdout: '' })
    expect(await test.run('show')).toMatchObject({ exitCode: 64 })
  })

  it('prefers a conversation to its agents for a prefix', async () => {
    const test = await filled()
    await test.engine(async (tl) => {
      for (const id of ['0b7f-1/side-a', '0b7f-1', '0b7f-1/side-b'])
        await tl.conversation(id).append({ role: 'user', content: `said in ${id}` })
    })
    expect((await test.run('show', '0b7f')).stdout).toContain('said in 0b7f-1\n')
    expect((await test.run('show', '0b7f-1/')).stderr).toContain('matches 2 conversations')
  })

  it('lists the candidates if several match', async () => {
    const test = await filled()
    const { exitCode, stderr } = await test.run('show', 'inv')
    expect(exitCode).toBe(1)
    expect(stderr).toContain('"inv" matches 2 conversations:')
    expect(stderr).toContain('  invoice-7  The invoice')
    expect(JSON.parse((await test.run('show', 'inv', '--json')).stderr)).toMatchObject({
      error: { code: 'AMBIGUOUS', details: { candidates: ['invoice-7', 'invoice-8'] } },
    })
  })

  it('prints messages without control sequences', async () => {
    const test = await filled()
    expect((await test.run('show', 'invoice-7')).stdout).toBe(
      [
        'invoice-7  The invoice 🎉 of a customer',
        '2 messages',
        '',
        '#0 user 2026-01-28 00:00',
        '  And the invoice?',
        '',
        '#1 assistant 2026-01-28 00:00',
        '  It is paid.',
        '',
      ].join('\n'),
    )
  })

  it('cuts long messages, and prints any message by number', async () => {
    const test = testWorld()
    await test.engine((tl) => tl.conversation('long').append(sessionOf(5)))
    const { stdout } = await test.run('show', 'long', '2')
    expect(stdout).toContain('20 messages, #2 to #2 shown')
    expect(stdout).toContain('limit5')
    expect(stdout).not.toContain('limit6')
    expect(stdout).toContain('characters; --full]')
    expect((await test.run('show', 'long', '#2', '--full')).stdout).toContain('limit19')
    expect((await test.run('show', 'long', '0-3')).stdout.match(/^#\d+ /gm)).toHaveLength(4)
    expect((await test.run('show', 'long', '--all')).stdout.match(/^#\d+ /gm)).toHaveLength(20)
    expect((await test.run('show', 'long')).stdout.match(/^#\d+ /gm)).toHaveLength(10)
    expect(await test.run('show', 'long', '99')).toMatchObject({ exitCode: 1 })
    for (const place of ['x', '3-1', '-', '1-2-3'])
      expect(await test.run('show', 'long', place)).toMatchObject({ exitCode: 64 })
    const lines = (await test.run('show', 'long', '1-2', '--json')).stdout.trim().split('\n')
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual([1, 2])
  })
})

/** The newest result, longer than the window. */
const longOutput: readonly MessageInput[] = [
  {
    role: 'assistant',
    content: [{ type: 'tool-call', callId: 'log', name: 'bash', input: { command: 'npm test' } }],
  },
  {
    role: 'tool',
    content: [{ type: 'tool-result', callId: 'log', output: 'a line of the log\n'.repeat(3_000) }],
  },
]

describe('status', () => {
  it('describes the store without a conversation', async () => {
    const test = await filled()
    const { stdout } = await test.run('status')
    expect(stdout).toContain('3 conversations, 4 messages')
    expect(stdout).toContain('openai/gpt-5-mini')
    expect(await test.json('status')).toMatchObject({
      conversations: 3,
      messages: 4,
      compaction: 'on',
    })
  })

  it('P0-013: shows how full the last request was, and whether compaction is on', async () => {
    const test = testWorld({ env: { THROUGHLINE_COMPACTION: 'shadow' } })
    await test.engine((tl) => tl.conversation('c').append([...sessionOf(30), ...longOutput]))
    expect((await test.run('status', 'c')).stdout).toContain('none yet')
    await test.engine((tl) => tl.conversation('c').context({ model: 'gpt-4[8k]' }))
    const { stdout } = await test.run('status', 'c')
    expect(stdout).toMatch(/compaction +shadow$/m)
    expect(stdout).toMatch(/█+░+ \d+ % of [\d,]+ tokens/)
    expect(stdout).toMatch(/left out +\d+ messages\n +shortened +\d+ of the messages/)
    expect(await test.json('status', 'c')).toMatchObject({
      compaction: 'shadow',
      last: { decision: { kind: 'renew' } },
      receipt: { version: expect.any(Number) },
    })
  })
})

describe('without a store', () => {
  const none = (file: string) =>
    `no store at ${file} yet; throughline import FILE or throughline chat creates one`

  it.each([
    { XDG_DATA_HOME: '', THROUGHLINE_STORE: '' },
    { THROUGHLINE_STORE: '/nowhere/deep/down/chat.db' },
  ])('reading commands report that and create nothing: %j', async (env) => {
    const test = testWorld({ env })
    const file =
      env.THROUGHLINE_STORE || join(test.folder, '.local/share/throughline/throughline.db')
    expect(await test.run('list')).toEqual({
      exitCode: 0,
      stdout: `N${none(file).slice(1)}.\n`,
      stderr: '',
    })
    expect(await test.json('list')).toEqual({ conversations: [], more: false })
    const status = await test.run('status')
    expect(status).toMatchObject({ exitCode: 0, stderr: '' })
    expect(status.stdout).toContain('no store at this path yet')
    expect(await test.json('status')).toMatchObject({ conversations: 0, sizeBytes: 0 })
    for (const words of [
      ['show', 'c'],
      ['show', '--last'],
      ['status', '--last'],
      ['context', 'c'],
      ['recall', 'c', 'port'],
      ['expand', 'c', '1'],
      ['receipt', 'c'],
      ['export', '--all'],
      ['pin', 'c'],
      ['pin', 'c', '1'],
      ['compact', 'c', '--preview'],
      ['compact', 'c'],
      ['undo', 'c'],
      ['purge', 'c', '--yes'],
    ])
      expect(await test.run(...words)).toEqual({
        exitCode: 1,
        stdout: '',
        stderr: `throughline: ${none(file)}\n`,
      })
    expect(await test.run('show')).toMatchObject({ exitCode: 64 })
    await test.run('doctor')
    await test.run('replay', '--last')
    expect(readdirSync(test.folder)).toEqual(['throughline'])
    expect(readdirSync(dirname(test.store))).toEqual([])
    expect(existsSync('/nowhere')).toBe(false)
  })

  it('an import creates it, private to its owner, and prints its path the first time', async () => {
    const test = testWorld({ env: { XDG_DATA_HOME: '' } })
    writeFileSync(join(test.folder, 'a.json'), '[{"role":"user","content":"Hello"}]')
    const file = `${test.folder}/.local/share/throughline/throughline.db`
    expect((await test.run('import', 'a.json')).stdout).toContain(`\nCreated the store ${file}\n`)
    expect(statSync(file).mode & 0o077).toBe(0)
    expect(statSync(dirname(file)).mode & 0o077).toBe(0)
    expect((await test.run('import', 'a.json')).stdout).not.toContain('Created the store')
  })
})

describe('the chosen conversation', () => {
  it('is printed on stderr if it was not named in full', async () => {
    const test = await filled()
    expect((await test.run('show', 'chi')).stderr).toBe('"chi": child\n')
    expect((await test.run('show', '--last')).stderr).toBe('last: invoice-8\n')
    expect((await test.run('show', 'child')).stderr).toBe('')
    expect((await test.run('show', '--last', '--json')).stderr).toBe('')
  })

  it('is not one without an answer of the model, unless there is no other', async () => {
    const test = await filled()
    const ask = (id: string) =>
      test.engine(async (tl) => {
        await tl.conversation(id).append({ role: 'user', content: 'Hello?', createdAt: now })
        await tl.conversation(id).context({ model: 'gpt-4' })
      })
    await ask('stub')
    expect((await test.run('status', '--last')).stderr).toBe('last: invoice-8\n')
    await test.engine((tl) =>
      tl.conversation('stub').append({ role: 'assistant', content: 'Yes.', createdAt: now }),
    )
    expect((await test.run('status', '--last')).stderr).toBe('last: stub\n')
    const alone = testWorld({ now })
    await alone.engine(async (tl) => {
      await tl.conversation('stub').append({ role: 'user', content: 'Hello?', createdAt: now })
      await tl.conversation('stub').context({ model: 'gpt-4' })
    })
    expect((await alone.run('status', '--last')).stderr).toBe('last: stub\n')
  })
})

describe('commands to type', () => {
  it.each([{ npm_command: 'exec' }, { npm_lifecycle_event: 'npx' }])(
    'start with npx if this one did: %j',
    async (env) => {
      const test = testWorld({ env })
      writeFileSync(join(test.folder, 'a.json'), '[{"role":"user","content":"Hello"}]')
      expect((await test.run('list')).stdout).toContain('npx throughline import FILE')
      expect((await test.run('import', 'a.json')).stdout).toContain('Next: npx throughline show a')
      expect((await test.run('show')).stderr).toContain('npx throughline list lists them')
      expect((await test.run('status', 'a')).stdout).toContain('npx throughline context')
      expect((await test.run('--help')).stdout).toContain('npx throughline import session.jsonl')
      expect((await test.run('show', '--help')).stdout).toContain('  npx throughline show --last')
      expect((await test.run('shwo-nothing')).stderr).toContain('npx throughline --help')
    },
  )

  it('start with throughline otherwise', async () => {
    const test = testWorld({ env: { npm_command: 'run-script' } })
    expect((await test.run('--help')).stdout).not.toContain('npx')
  })
})
