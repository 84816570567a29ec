import { describe, expect, it } from 'vitest'
import { sessionOf, type TestWorld, testWorld } from '../world.test-support.ts'

// Exact counts would only take longer to load.
const env = { THROUGHLINE_MODEL: 'openai/gpt-4', THROUGHLINE_TOKENIZER: 'estimate' }

async function talked(turns = 30): Promise<TestWorld> {
  const test = testWorld({ env })
  await test.engine((tl) => tl.conversation('c').append(sessionOf(turns)))
  return test
}

describe('undo', () => {
  it('shows again what stood before, once for each compaction', async () => {
    const test = await talked(60)
    await test.run('compact', 'c', '--window', '4000')
    expect((await test.run('undo', 'c')).stdout).toContain(
      'Contexts of gpt-4 show everything again',
    )
    expect((await test.run('status', 'c')).stdout).toContain('the last was undone')
    expect(await test.run('undo', 'c')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('no compaction that can be undone'),
    })
  })
})

describe('a word too many', () => {
  it.each(['compact', 'undo', 'status', 'context'])('is not passed over by %s', async (command) => {
    const test = await talked(1)
    expect(await test.run(command, 'c', 'preview')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('"preview" is a word too many'),
    })
  })
})

describe('a value that begins with a dash', () => {
  it.each(['-m', '--message'])('is told how to be written behind %s', async (option) => {
    const { exitCode, stderr } = await testWorld().run('chat', 'c', option, '- one')
    expect(exitCode).toBe(64)
    expect(stderr).toBe(
      'throughline: --message takes a value; one that begins with a dash is written --message=-…\n',
    )
  })
})

describe('recall and expand', () => {
  it('find what was said on something, and open it', async () => {
    const test = await talked()
    const { stdout } = await test.run('recall', 'c', 'limit', 'of', 'part', '17')
    expect(stdout).toContain('The limit of part 17 is 57 now.')
    const { pieces } = (await test.json('recall', 'c', 'part 17', '--limit', '1')) as {
      pieces: { anchor: string }[]
    }
    expect(pieces).toHaveLength(1)
    expect((await test.run('expand', 'c', pieces[0]?.anchor ?? '')).stdout).toContain('part-17.ts')
    expect(await test.run('recall', 'c', 'xylophone')).toMatchObject({ exitCode: 1 })
    expect(await test.run('recall', 'c')).toMatchObject({ exitCode: 64 })
  })

  it('say which messages were not searched, until a long log is indexed', async () => {
    const test = testWorld({ env })
    const said = Array.from({ length: 6_000 }, (_, seq) => ({
      role: 'user' as const,
      content: seq === 2_100 ? 'The lantern is green.' : `Entry ${seq}: all is well.`,
    }))
    await test.engine((tl) => tl.conversation('c').append(said))
    const note = /searched \d,\d{3} of 6,000 messages: #\d+-#\d+ are still being\s+indexed/
    const found = await test.run('recall', 'c', 'lantern')
    expect(found.stdout).toContain('The lantern is green.')
    expect(found.stdout).toMatch(note)
  })

  it('show the messages that hold the words, each with its place, and not all of a short talk', async () => {
    const screen = { colours: true, isTerminal: true }
    const test = testWorld({ env, screen })
    await test.engine((tl) =>
      tl.conversation('c').append([
        { role: 'user', content: 'Good morning. The weather is fine.' },
        { role: 'assistant', content: 'It is. What shall we do?' },
        ...sessionOf(1),
        { role: 'user', content: 'Where does the gateway listen?' },
        {
          role: 'assistant',
          content: [
            {
              type: 'tool-call',
              callId: 'g',
              name: 'read_file',
              input: { path: 'src/gateway.ts' },
            },
          ],
        },
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              callId: 'g',
              output: `${'// nothing\n'.repeat(40)}export const gatewayPort = 47113\n// end`,
            },
          ],
        },
        { role: 'assistant', content: 'On 47113, then.' },
        { role: 'user', content: 'And now for the birds.' },
      ]),
    )
    const { stdout } = await test.run('recall', 'c', 'gateway')
    const bare = stdout.replaceAll(/\u001b\[\d+m/g, '')
    expect(bare.split('\n').length).toBeLessThan(24)
    expect(bare.match(/^#\d+ \w+/gm)).toEqual(['#6 user', '#7 assistant', '#8 tool'])
    expect(bare).toContain('  read_file {"path":"src/gateway.ts"}\n')
    expect(bare).toContain('  export const gatewayPort = 47113\n')
    expect(bare).not.toContain('weather')
    expect(bare).toContain('8 more messages of #0-#10: --full')
    expect(stdout).toContain('the \u001b[1mgateway\u001b[22m listen?')
    const full = (await test.run('recall', 'c', 'gateway', '--full')).stdout
    expect(full.match(/nothing/g)).toHaveLength(40)
    expect(full).toContain('weather')
  })

  it('show beside a question what was answered, and nothing of what was kept secret', async () => {
    const test = testWorld({ env })
    await test.engine((tl) =>
      tl.conversation('c').append([
        { role: 'user', content: 'PASSWORD=kR7-vTq92-zXw4Lm for the warehouse in Rotterdam?' },
        { role: 'assistant', content: 'It closes at noon.' },
        { role: 'user', content: 'Thanks.' },
      ]),
    )
    const { stdout } = await test.run('recall', 'c', 'rotterdam')
    expect(stdout.match(/^#\d+ \w+/gm)).toEqual(['#0 user', '#1 assistant'])
    expect(stdout).not.toContain('kR7-vTq92')
  })

  it('open any places, with or without the sign of an anchor', async () => {
    const test = await talked()
    expect((await test.run('expand', 'c', '3,', '7-8')).stdout.match(/^#\d+ /gm)).toEqual([
      '#3 ',
      '#7 ',
      '#8 ',
    ])
    const page = await test.run('expand', 'c', '#2', '--tokens', '60')
    expect(page.stdout).toMatch(/It goes on: throughline expand c "#2\+\d+"/)
    expect(await test.run('expand', 'c', '900')).toMatchObject({ exitCode: 1 })
    expect(await test.run('expand', 'c', 'somewhere')).toMatchObject({ exitCode: 64 })
    expect(await test.json('expand', 'c', '0')).toMatchObject({ pieces: [{ seq: 0 }], next: null })
  })
})

describe('pin and unpin', () => {
  it('keep a message in sight, and let it go', async () => {
    const test = await talked(1)
    expect((await test.run('pin', 'c', '0')).stdout).toBe('Pinned: #0\n')
    expect((await test.run('pin', 'c', '#3')).stdout).toBe('Pinned: #0, #3\n')
    expect(await test.json('pin', 'c')).toEqual({ conversation: 'c', pins: [0, 3] })
    expect((await test.run('show', 'c', '0')).stdout).toContain('pinned')
    expect((await test.run('unpin', '--last', '0')).stdout).toBe('Pinned: #3\n')
    expect(await test.run('pin', 'c', '99')).toMatchObject({ exitCode: 1 })
    expect(await test.run('pin', 'c', '0-3')).toMatchObject({ exitCode: 64 })
    expect(await test.run('unpin', 'c')).toMatchObject({ exitCode: 64 })
  })
})

describe('purge', () => {
  it('asks before, and does nothing without a yes', async () => {
    for (const [answer, left] of [
      ['no', 1],
      ['', 1],
      ['yes', 0],
    ] as const) {
      const test = testWorld({ answer })
      await test.engine((tl) => tl.conversation('c').append(sessionOf(1)))
      const { exitCode, stderr } = await test.run('purge', 'c')
      expect(stderr).toContain('Remove c with 4 messages for good?')
      expect(exitCode).toBe(left)
      expect(((await test.json('list')) as { total: number }).total).toBe(left)
    }
  })

  it('wants to be sure where nobody can be asked', async () => {
    const test = await talked(1)
    expect(await test.run('purge', 'c')).toMatchObject({ exitCode: 64 })
    expect((await test.run('purge', 'c', '0', '--yes')).stdout).toBe('Removed message #0 of c.\n')
    expect((await test.run('show', 'c', '0')).stdout).toContain('[removed]')
    expect(await test.run('purge', 'c', '77', '--yes')).toMatchObject({ exitCode: 1 })
    expect(await test.json('purge', 'c', '--yes')).toMatchObject({ purged: ['c'], erased: true })
    expect(await test.run('show', 'c')).toMatchObject({ exitCode: 1 })
  })

  it('takes no part of a name for the name where nobody is asked', async () => {
    const test = testWorld()
    await test.engine((tl) => tl.conversation('taxes-2024').append(sessionOf(1)))
    for (const [name, exitCode] of [
      ['taxes', 1],
      ['2024', 1],
      ['', 64],
      [' ', 64],
    ] as const)
      expect(await test.run('purge', name, '--yes')).toMatchObject({ exitCode, stdout: '' })
    expect((await test.run('purge', 'taxes', '--yes')).stderr).toContain('whole id: taxes-2024')
    expect(await test.run('purge', '--last', '--yes')).toMatchObject({ exitCode: 0 })
  })

  it('does not take from forks what they share, unless it is told to', async () => {
    const test = await talked(1)
    await test.engine((tl) => tl.conversation('c').history.fork(2, 'forked'))
    expect(await test.run('purge', 'c', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('shared by forked'),
    })
    expect((await test.run('purge', 'c', '--yes', '--forks')).stdout).toContain(
      'in 2 conversations',
    )
  })

  it('says of what was purged before that nothing of it is left', async () => {
    const test = await talked(1)
    await test.run('purge', 'c', '0', '--yes')
    expect(await test.run('purge', 'c', '0', '--yes')).toMatchObject({
      exitCode: 0,
      stdout: 'message #0 of c was already purged; nothing of it is left in the files.\n',
    })
    await test.run('purge', 'c', '--yes')
    expect(await test.run('purge', 'c')).toMatchObject({
      exitCode: 0,
      stdout: 'c was already purged; nothing of it is left in the files.\n',
    })
    expect(await test.json('purge', 'c', '--yes')).toEqual({
      ...{ kind: 'already-purged', purged: [], place: null, erased: true, remains: [] },
    })
    expect(await test.run('purge', 'never', '--yes')).toMatchObject({ exitCode: 1 })
  })
})
