import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaultServer } from '../../../../../harness/fault-server/settings.ts'
import { createFaultServer } from '../../../../../harness/fault-server.ts'
import { sessionOf } from '../world.test-support.ts'
import { chatTest, interrupts } from './chat.test-support.ts'

const screen = { isTerminal: true }

async function talked(typed: Parameters<typeof chatTest>[0]) {
  const test = await chatTest(typed)
  return { ...test, shown: (await test.run('chat', 'shop')).stdout }
}

describe('a chat in a terminal', () => {
  it('answers, tells how full the window is, and where it is kept', async () => {
    const { shown, run } = await talked({
      server: { answers: '\u001b[2JOpen at nine.' },
      typed: ['Is the shop open?', '', '//etc is a folder'],
      world: { screen },
    })
    expect(shown).toMatch(
      /^shop\na new conversation, with house\/small at 127\.0\.0\.1:\d+; \/help/,
    )
    expect(shown).toMatch(/Open at nine\.\n#1 · \d+ of [\d,]+ tokens \([\d.]+ %\)\n/)
    expect(shown).not.toContain('\u001b[2J')
    expect(shown).toContain('Kept: 4 messages. It goes on with throughline chat shop')
    expect((await run('show', 'shop')).stdout).toContain('\n  /etc is a folder')
  })

  it('takes several lines, between quotes and behind backslashes', async () => {
    const { server } = await talked({
      typed: ['"""first', '  second', 'third"""', 'one \\', 'two', '"""alone"""', 'pasted\nlines'],
    })
    const said = server.requests.map(({ question }) => question?.messages.at(-1)?.text)
    expect(said).toEqual(['first\n  second\nthird', 'one \ntwo', 'alone', 'pasted\nlines'])
  })

  it('stops an answer with Ctrl-C and goes on; ends with the second in a row', async () => {
    const { shown, run } = await talked({
      server: { faults: ['hang-after-headers'], answers: 'Yes.' },
      typed: [
        'Tell me.',
        interrupts,
        '/retry',
        { kind: 'interrupted', dropped: false },
        interrupts,
      ],
    })
    expect(shown).toContain('stopped before a word came')
    expect(shown).toContain('Ctrl-C again')
    expect((await run('show', 'shop')).stdout).toContain('Yes.')
  })

  it('tells what went wrong in a line, and asks again when asked to', async () => {
    const { shown } = await talked({
      server: { faults: ['server-error', 'server-error'], answers: 'Yes.' },
      typed: ['Open?', '/retry', '/retry', '/statu', '/rolling-context maybe', '/model nobody/x'],
    })
    expect(shown).toMatch(/✗ 500 .*busy or broken; try again later; \/retry asks again\n/)
    expect(shown).toContain('Yes.')
    expect(shown).toContain('✗ what was said last is answered')
    expect(shown).toContain('did you mean /status?')
    expect(shown).toContain('takes on, off or status')
    expect(shown).toContain('nobody knows where "nobody/x" is')
  })

  it('does what the command line does, on the conversation that is talked in', async () => {
    const { shown } = await talked({
      server: { answers: 'The port is 4117.' },
      typed: [
        ...['/recall port', 'Which port?', '/recall port', '/expand #1', '/pin #0', '/pin'],
        ...['/unpin 0', '/context', '/receipt', '/undo', '/compact', '/compact the port'],
        ...['/resummarize', '/help', '/model', '/quit', 'never said'],
      ],
    })
    expect(shown).toContain('✗ nothing was said yet')
    expect(shown).toMatch(/#1.*\n +\S*.*The port is 4117/)
    expect(shown).toContain('Pinned: #0\n\nPinned: #0\n\nNothing is pinned.')
    expect(shown).toContain('budget')
    expect(shown).toContain('✗ shop was never compacted')
    expect(shown).toContain('✗ shop has no compaction that can be undone')
    expect(shown).toContain('✗ nothing to compact')
    expect(shown).toContain('✗ instructions are for a model')
    expect(shown).toContain('✗ no model writes summaries here')
    expect(shown).toContain('/rolling-context on|off|status')
    expect(shown).toContain('Kept: 2 messages.')
  })

  it('compacts when asked, shows the receipt and takes it back (S1-115, S1-116)', async () => {
    const test = await chatTest({
      typed: ['/compact', '/receipt', '/undo', '/status', 'And now?'],
      world: { env: { THROUGHLINE_POLICY: 'chat' } },
    })
    await test.engine((tl) => tl.conversation('shop').append(sessionOf(60)))
    const { stdout } = await test.run('chat', 'shop', '--window', '8000')
    expect(stdout.match(/ below the line {2}/g)).toHaveLength(2)
    expect(stdout).toContain('show everything again, as far as it fits')
    expect(stdout).toContain('max context  8,000 tokens (set by --window)')
    expect(stdout).toMatch(/Yes\.\n#241 · [\d,]+ of [\d,]+ tokens/)
    expect(test.server.requests.at(-1)?.problems).toEqual([])
  })

  it('goes on with another model', async () => {
    const { shown } = await talked({
      server: { answers: ({ model }) => `Said by ${model}.` },
      typed: ['One', '/model house/large', 'Two'],
    })
    expect(shown).toContain('house/large answers from now on.')
    expect(shown).toMatch(/Said by small\.[\s\S]*Said by large\./)
  })

  it('sends the key of another provider to that provider, not to the address of the first', async () => {
    const test = await chatTest({
      typed: ['One', '/model house/large', 'Two', '/compact'],
      world: { env: { THROUGHLINE_MODEL: 'openai/small', OPENAI_API_KEY: 'test-key' } },
    })
    const first = await createFaultServer()
    onTestFinished(() => first.close())
    await test.run('chat', 'shop', '--base-url', first.url)
    const asked = ({ requests }: FaultServer) => requests.map(({ question }) => question?.model)
    expect([asked(first), asked(test.server)]).toEqual([['small'], ['large']])
  })
})

describe('/rolling-context', () => {
  const file = (home: string) => join(home, '.config/throughline/config.json')
  const compactionIn = (home: string) => JSON.parse(readFileSync(file(home), 'utf8')).compaction

  it('switches compaction on and off, for later chats too (P0-011, P0-012, P0-015)', async () => {
    const test = await chatTest({
      typed: [
        '/rolling-context off',
        '/status',
        '/rolling-context enable',
        '/rolling-context disable',
      ],
    })
    const { stdout } = await test.run('chat', 'shop')
    expect(stdout.match(/Context Management: \w+/g)).toEqual([
      ...['Context Management: disabled', 'Context Management: disabled'],
      ...['Context Management: enabled', 'Context Management: disabled'],
    ])
    expect(compactionIn(test.folder)).toBe('off')
    expect(await test.json('config', 'get', 'compaction')).toMatchObject({ value: 'off' })
  })

  it('toggles twice to where it was (P0-015)', async () => {
    const test = await chatTest({ typed: ['/rolling-context', '/rolling-context'] })
    const { stdout } = await test.run('chat', 'shop')
    expect(stdout.match(/Context Management: \w+/g)).toEqual([
      ...['Context Management: disabled', 'Context Management: enabled'],
    ])
    expect(compactionIn(test.folder)).toBe('on')
  })

  it('shows the figures without changing anything (P0-012, P0-013, P0-015)', async () => {
    const test = await chatTest({ typed: ['/rolling-context status', '/status'] })
    const before = readFileSync(file(test.folder), 'utf8')
    const { stdout } = await test.run('chat', 'shop', '--window', '32000')
    expect(stdout.match(/Context Management: enabled/g)).toHaveLength(2)
    expect(stdout).toMatch(/max context +32,000 tokens/)
    expect(stdout).toMatch(/reserved +[\d,]+ tokens for the reply/)
    expect(stdout).toMatch(/max input +[\d,]+ tokens/)
    expect(stdout).toMatch(/strategy +balanced; what is not shown is told by rules/)
    expect(readFileSync(file(test.folder), 'utf8')).toBe(before)
  })

  it('says what goes before it the next time', async () => {
    const test = await chatTest({
      typed: ['/rolling-context off'],
      world: { env: { THROUGHLINE_COMPACTION: 'on' } },
    })
    const { stdout } = await test.run('chat', 'shop')
    expect(stdout).toContain('Context Management: disabled')
    expect(stdout).toContain('The next one heeds THROUGHLINE_COMPACTION')
  })
})
