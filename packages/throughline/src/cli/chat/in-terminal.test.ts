import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { FaultServer } from '../../../../../harness/fault-server/settings.ts'
import { createFaultServer } from '../../../../../harness/fault-server.ts'
import { sessionOf } from '../world.test-support.ts'
import { chatTest, interrupts } from './chat.test-support.ts'

const screen = { isTerminal: true }

async function runChat(typed: Parameters<typeof chatTest>[0]) {
  const test = await chatTest(typed)
  return { ...test, shown: (await test.run('chat', 'shop')).stdout }
}

describe('a chat in a terminal', () => {
  it('prints the answer, the size of the request, and how to continue', async () => {
    const { shown, run } = await runChat({
      server: { answers: '\u001b[2JOpen at nine.' },
      typed: ['Is the shop open?', '', '//etc is a folder'],
      world: { screen },
    })
    expect(shown).toMatch(
      /^shop\na new conversation, with house\/small at 127\.0\.0\.1:\d+; \/help/,
    )
    expect(shown).toMatch(/Open at nine\.\n#1 · \d+ of [\d,]+ tokens \([\d.]+ %\)\n/)
    expect(shown).not.toContain('\u001b[2J')
    expect(shown).toContain('4 messages stored. Continue with throughline chat shop')
    expect((await run('show', 'shop')).stdout).toContain('\n  /etc is a folder')
  })

  it('reads several lines, between quotes and after backslashes', async () => {
    const { server } = await runChat({
      typed: ['"""first', '  second', 'third"""', 'one \\', 'two', '"""alone"""', 'pasted\nlines'],
    })
    const sent = server.requests.map(({ question }) => question?.messages.at(-1)?.text)
    expect(sent).toEqual(['first\n  second\nthird', 'one \ntwo', 'alone', 'pasted\nlines'])
  })

  it('stops an answer with Ctrl-C and continues; a second one in a row ends the chat', async () => {
    const { shown, run } = await runChat({
      server: { faults: ['hang-after-headers'], answers: 'Yes.' },
      typed: [
        'Tell me.',
        interrupts,
        '/retry',
        { kind: 'interrupted', dropped: false },
        interrupts,
      ],
    })
    expect(shown).toContain('stopped before the answer started')
    expect(shown).toContain('Press Ctrl-C again')
    expect((await run('show', 'shop')).stdout).toContain('Yes.')
  })

  it('prints errors in a line, and retries with /retry', async () => {
    const { shown } = await runChat({
      server: { faults: ['server-error', 'server-error'], answers: 'Yes.' },
      typed: ['Open?', '/retry', '/retry', '/statu', '/rolling-context maybe', '/model acme/x'],
    })
    expect(shown).toMatch(/✗ 500 .*house has a problem; try again later; \/retry sends it again\n/)
    expect(shown).toContain('Yes.')
    expect(shown).toContain('✗ nothing to retry')
    expect(shown).toContain('did you mean /status?')
    expect(shown).toContain('invalid value "maybe"; use /rolling-context on, off or status')
    expect(shown).toContain('unknown provider "acme"')
  })

  it('runs commands on the current conversation', async () => {
    const { shown } = await runChat({
      server: { answers: 'The port is 4117.' },
      typed: [
        ...['/recall port', 'Which port?', '/recall port', '/expand #1', '/pin #0', '/pin'],
        ...['/unpin 0', '/context', '/receipt', '/undo', '/compact', '/compact the port'],
        ...['/resummarize', '/help', '/model', '/quit', 'never said'],
      ],
    })
    expect(shown).toContain('✗ the conversation has no messages yet')
    expect(shown).toMatch(/#1.*\n +\S*.*The port is 4117/)
    expect(shown).toContain('Pinned: #0\n\nPinned: #0\n\nNo messages are pinned.')
    expect(shown).toContain('for the reply')
    expect(shown).toContain('✗ shop has no compactions yet; /compact does one')
    expect(shown).toContain('✗ shop has no compaction to undo')
    expect(shown).toContain('✗ nothing to compact')
    expect(shown).toContain('✗ --instructions needs a summarizer')
    expect(shown).toContain('✗ no summarizer is set')
    expect(shown).toContain('/rolling-context on|off|status')
    expect(shown).toContain('2 messages stored.')
  })

  it('compacts on request, shows the receipt and undoes it (S1-115, S1-116)', async () => {
    const test = await chatTest({
      typed: ['/compact', '/receipt', '/undo', '/status', 'And now?'],
      world: { env: { THROUGHLINE_POLICY: 'chat' } },
    })
    await test.engine((tl) => tl.conversation('shop').append(sessionOf(60)))
    const { stdout } = await test.run('chat', 'shop', '--window', '8000')
    expect(stdout.match(/^ {2}replaced {2}/gm)).toHaveLength(2)
    expect(stdout).toContain('requests contain all messages again')
    expect(stdout.replace(/\s+/g, ' ')).toContain('turn auto-compaction back on: /compact')
    expect(stdout).toContain('max context  8,000 tokens (set by --window)')
    expect(stdout).toMatch(/Yes\.\n#241 · [\d,]+ of [\d,]+ tokens/)
    expect(test.server.requests.at(-1)?.problems).toEqual([])
  })

  it('switches to another model', async () => {
    const { shown } = await runChat({
      server: { answers: ({ model }) => `Answer of ${model}.` },
      typed: ['One', '/model house/large', 'Two'],
    })
    expect(shown).toContain('Switched to house/large.')
    expect(shown).toMatch(/Answer of small\.[\s\S]*Answer of large\./)
  })

  it('sends the API key of another provider to that provider, not to the URL of the first', async () => {
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

  it('toggles twice to the initial state (P0-015)', async () => {
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
    expect(stdout).toMatch(/strategy +balanced; summaries by rules \(no LLM\)/)
    expect(readFileSync(file(test.folder), 'utf8')).toBe(before)
  })

  it('reports a setting that overrides it in later chats', async () => {
    const test = await chatTest({
      typed: ['/rolling-context off'],
      world: { env: { THROUGHLINE_COMPACTION: 'on' } },
    })
    const { stdout } = await test.run('chat', 'shop')
    expect(stdout).toContain('Context Management: disabled')
    expect(stdout).toContain('in later chats THROUGHLINE_COMPACTION overrides your file')
  })
})
