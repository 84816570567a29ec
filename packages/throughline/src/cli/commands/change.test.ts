import { describe, expect, it } from 'vitest'
import { sessionOf, type TestWorld, testWorld } from '../world.test-support.ts'

// Exact counts would only take longer to load.
const env = { THROUGHLINE_MODEL: 'openai/gpt-4', THROUGHLINE_TOKENIZER: 'estimate' }

async function filled(turns = 30): Promise<TestWorld> {
  const test = testWorld({ env })
  await test.engine((tl) => tl.conversation('c').append(sessionOf(turns)))
  return test
}

describe('undo', () => {
  it('shows the messages from before the compaction again, once per compaction', async () => {
    const test = await filled(60)
    const compacted = await test.run('compact', 'c', '--window', '4000')
    expect(compacted.stdout).toMatch(
      /^Compacted: [\d,]+ → [\d,]+ tokens\. To undo it:\nthroughline undo c\n/,
    )
    const { stdout } = await test.run('undo', 'c')
    expect(stdout.replace(/\s+/g, ' ')).toBe(
      'Undid the last compaction for gpt-4: requests contain all messages again, as far as they fit. Auto-compaction is now off for gpt-4 in this conversation; only a request that does not fit is compacted. To compact again and turn auto-compaction back on: throughline compact c ',
    )
    expect((await test.run('status', 'c')).stdout).toMatch(
      /auto-compaction +off for gpt-4.*last receipt +.*compacted to [\d,]+ tokens\s+\(undone\)/s,
    )
    await test.run('compact', 'c', '--window', '4000')
    expect((await test.run('status', 'c')).stdout).toMatch(/compaction +on$/m)
    expect((await test.run('receipt', 'c')).stdout).toMatch(/replaced +messages #0–#\d+/)
    await test.run('undo', 'c')
    expect(await test.run('undo', 'c')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('c has no compaction to undo'),
    })
  })

  it('ends with the next compact, even if there is nothing to compact', async () => {
    const test = await filled()
    await test.run('compact', 'c', '--window', '4000')
    await test.run('undo', 'c')
    expect(await test.run('compact', 'c', '--window', '400k')).toMatchObject({
      exitCode: 1,
      stderr: 'throughline: Auto-compaction is on again. Nothing to compact now.\n',
    })
  })
})

describe('an extra word', () => {
  it.each(['compact', 'undo', 'status', 'context'])('is a usage error in %s', async (command) => {
    const test = await filled(1)
    expect(await test.run(command, 'c', 'preview')).toMatchObject({
      exitCode: 64,
      stderr: expect.stringContaining('usage error: unexpected word "preview"'),
    })
  })
})

describe('a value that starts with a dash', () => {
  it.each(['-m', '--message'])('gets an explanation after %s', async (option) => {
    const { exitCode, stderr } = await testWorld().run('chat', 'c', option, '- one')
    expect(exitCode).toBe(64)
    expect(stderr).toBe(
      'throughline: usage error: --message needs a value; write a value that starts with a dash as --message=-…\n',
    )
  })
})

describe('recall and expand', () => {
  it('find a message, and print it', async () => {
    const test = await filled()
    const { stdout } = await test.run('recall', 'c', 'limit', 'of', 'part', '17')
    expect(stdout).toContain('The limit of part 17 is 57 now.')
    const { pieces } = (await test.json('recall', 'c', 'part 17', '--limit', '1')) as {
      pieces: { anchor: string; foundBy: unknown }[]
    }
    expect(pieces).toHaveLength(1)
    expect(stdout).toMatch(/found by "limit", "part", "17"/)
    expect(pieces[0]?.foundBy).toMatchObject({ words: ['part', '17'], meaning: null })
    expect((await test.run('expand', 'c', pieces[0]?.anchor ?? '')).stdout).toContain('part-17.ts')
    expect(await test.run('recall', 'c', 'xylophone')).toMatchObject({ exitCode: 1 })
    expect(await test.run('recall', 'c')).toMatchObject({ exitCode: 64 })
  })

  it('report which messages are not indexed yet', async () => {
    const test = testWorld({ env })
    const messages = Array.from({ length: 6_000 }, (_, seq) => ({
      role: 'user' as const,
      content: seq === 2_100 ? 'The lantern is green.' : `Entry ${seq}: all is well.`,
    }))
    await test.engine((tl) => tl.conversation('c').append(messages))
    const note = /searched \d,\d{3} of 6,000 messages; #\d+-#\d+ are still being\s+indexed/
    const found = await test.run('recall', 'c', 'lantern')
    expect(found.stdout).toContain('The lantern is green.')
    expect(found.stdout).toMatch(note)
  })

  it('show the messages with the words, not the whole conversation, and tool calls as fields', async () => {
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
    expect(bare).toContain('  read_file(path: src/gateway.ts)\n')
    expect(bare).toContain('  export const gatewayPort = 47113\n')
    expect(bare).not.toContain('weather')
    expect(bare).toContain('\n8 more messages near it: throughline expand c 0-10\n')
    expect(stdout).toContain('the \u001b[1mgateway\u001b[22m listen?')
    const full = (await test.run('recall', 'c', 'gateway', '--full')).stdout
    expect(full.match(/nothing/g)).toHaveLength(40)
    expect(full).toContain('weather')
  })

  it('group entries of the ledger', async () => {
    const test = testWorld({ env })
    const steps = ['The lantern is green.', 'Noted.', 'x'.repeat(900), 'y'.repeat(900)]
    await test.engine((tl) =>
      tl
        .conversation('c')
        .append([
          { role: 'user', content: 'Always close the Rotterdam gate at noon.' },
          ...steps.map((content) => ({ role: 'assistant', content }) as const),
          ...sessionOf(30),
        ]),
    )
    await test.run('compact', 'c', '--window', '4000')
    const { stdout } = await test.run('recall', 'c', 'rotterdam', 'gate')
    expect(stdout).toMatch(/^from the ledger:\n {2}#0 Always close/m)
    expect(stdout).toMatch(/^#0 user /m)
  })

  it('show the answer next to a question, and no secrets', async () => {
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

  it('print messages by number, with or without #', async () => {
    const test = await filled()
    expect((await test.run('expand', 'c', '3,', '7-8')).stdout.match(/^#\d+ /gm)).toEqual([
      '#3 ',
      '#7 ',
      '#8 ',
    ])
    const page = await test.run('expand', 'c', '#2', '--tokens', '60')
    expect(page.stdout).toMatch(/More: throughline expand c "#2\+\d+"/)
    expect(await test.run('expand', 'c', '900')).toMatchObject({ exitCode: 1 })
    expect(await test.run('expand', 'c', 'somewhere')).toMatchObject({ exitCode: 64 })
    expect(await test.json('expand', 'c', '0')).toMatchObject({ pieces: [{ seq: 0 }], next: null })
  })
})

describe('pin and unpin', () => {
  it('add and remove a pin', async () => {
    const test = await filled(1)
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
  it('asks for confirmation, and does nothing without a yes', async () => {
    for (const [answer, left] of [
      ['no', 1],
      ['', 1],
      ['yes', 0],
    ] as const) {
      const test = testWorld({ answer })
      await test.engine((tl) => tl.conversation('c').append(sessionOf(1)))
      const { exitCode, stderr } = await test.run('purge', 'c')
      expect(stderr).toContain('Delete c with 4 messages permanently?')
      expect(exitCode).toBe(left)
      const { conversations } = (await test.json('list')) as { conversations: unknown[] }
      expect(conversations).toHaveLength(left)
    }
  })

  it('needs --yes without a terminal', async () => {
    const test = await filled(1)
    expect(await test.run('purge', 'c')).toMatchObject({ exitCode: 64 })
    expect((await test.run('purge', 'c', '0', '--yes')).stdout).toBe('Deleted message #0 of c.\n')
    expect((await test.run('show', 'c', '0')).stdout).toContain('[removed]')
    expect(await test.run('purge', 'c', '77', '--yes')).toMatchObject({ exitCode: 1 })
    expect(await test.json('purge', 'c', '--yes')).toMatchObject({ purged: ['c'], erased: true })
    expect(await test.run('show', 'c')).toMatchObject({ exitCode: 1 })
  })

  it('needs the whole id with --yes', async () => {
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

  it('does not delete messages that forks share, except with --forks', async () => {
    const test = await filled(1)
    await test.engine((tl) => tl.conversation('c').history.fork(2, 'forked'))
    expect(await test.run('purge', 'c', '--yes')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('forks share these messages: forked'),
    })
    expect((await test.run('purge', 'c', '--yes', '--forks')).stdout).toContain(
      'in 2 conversations',
    )
  })

  it('reports an earlier purge', async () => {
    const test = await filled(1)
    await test.run('purge', 'c', '0', '--yes')
    expect(await test.run('purge', 'c', '0', '--yes')).toMatchObject({
      exitCode: 0,
      stdout: 'message #0 of c was already purged; no bytes of it are left in the files.\n',
    })
    await test.run('purge', 'c', '--yes')
    expect(await test.run('purge', 'c')).toMatchObject({
      exitCode: 0,
      stdout: 'c was already purged; no bytes of it are left in the files.\n',
    })
    expect(await test.json('purge', 'c', '--yes')).toEqual({
      ...{ kind: 'already-purged', purged: [], place: null, erased: true, remains: [] },
    })
    expect(await test.run('purge', 'never', '--yes')).toMatchObject({ exitCode: 1 })
  })
})
