import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { testWorld } from '../world.test-support.ts'

const screen = { isTerminal: true, width: 100, colours: false, unicode: true }

function session(id: string, ...texts: readonly string[]): string {
  return texts
    .map((content, index) => {
      const record = { type: 'user', uuid: `${id}-${index}`, sessionId: id, message: { content } }
      return `${JSON.stringify(record)}\n`
    })
    .join('')
}

describe('throughline import', () => {
  it('imports a file, and reports what is new and what to do next', async () => {
    const { run, folder, store } = testWorld()
    writeFileSync(join(folder, 'one.jsonl'), session('s', 'Paint the fence.', 'And the gate.'))
    const first = await run('import', 'one.jsonl')
    expect(first.exitCode).toBe(0)
    expect(first.stdout.replace(/\d+ B · [\d.]+ m?s/, 'N')).toBe(
      `✓ one.jsonl: 1 conversation, 2 messages, all new · N\nCreated the store ${store}\n\nNext: throughline show s\n`,
    )
    expect((await run('import', 'one.jsonl')).stdout).toContain('2 messages, none new')
    expect((await run('list')).stdout).toContain('Paint the fence.')
  })

  it('quotes the id in the suggested command for a shell', async () => {
    const { run, folder } = testWorld()
    writeFileSync(join(folder, 'one.jsonl'), session('a$(touch x)', 'a'))
    expect((await run('import', 'one.jsonl')).stdout).toContain("show 'a$(touch x)'\n")
  })

  it('reports messages that are dated in the future', async () => {
    const { run, folder } = testWorld({ now: Date.UTC(2026, 0, 2) })
    const record = { type: 'user', uuid: 'u', sessionId: 's', message: { content: 'hello' } }
    const ahead = { ...record, timestamp: '2026-02-01T00:00:00Z' }
    writeFileSync(join(folder, 'one.jsonl'), `${JSON.stringify(ahead)}\n`)
    expect((await run('import', 'one.jsonl')).stdout).toContain(
      '! one.jsonl: 1 message is dated more than a day in the future; the dates are kept\n',
    )
  })

  it('prints the whole report as JSON', async () => {
    const { json, folder } = testWorld()
    writeFileSync(join(folder, 'one.jsonl'), `${session('s', 'a')}{"broken\n`)
    expect(await json('import', 'one.jsonl')).toMatchObject({
      files: [
        {
          label: 'one.jsonl',
          failure: null,
          report: {
            ...{ added: 1, repeated: 0, problemCount: 1, complete: true },
            conversations: [{ id: 's', state: 'new', title: 'a' }],
            problems: [{ line: 2 }],
          },
        },
      ],
      passedOver: 0,
      dryRun: false,
    })
  })

  it('searches a folder for transcripts, without following links', async () => {
    const { run, json, folder } = testWorld()
    const [inside, outside] = ['inside', 'outside'].map((name) => join(folder, name))
    mkdirSync(join(String(inside), 'deep/node_modules'), { recursive: true })
    mkdirSync(String(outside))
    const file = (name: string, text: string) => writeFileSync(join(folder, name), text)
    file('inside/b.jsonl', session('b', 'b'))
    file('inside/deep/a.json', JSON.stringify([{ role: 'user', content: 'a' }]))
    file('inside/package.json', '{"name":"x"}')
    file('inside/notes.txt', 'User: a\nAssistant: b')
    file('inside/deep/node_modules/c.jsonl', session('c', 'c'))
    file('outside/d.jsonl', session('d', 'd'))
    symlinkSync(String(outside), join(String(inside), 'link'))
    symlinkSync(join(String(outside), 'd.jsonl'), join(String(inside), 'd.jsonl'))
    const { stdout } = await run('import', 'inside')
    expect(stdout).toContain('skipped 1 file of unknown format')
    expect(stdout).toContain('Total: 2 conversations, 2 messages, 2 new')
    expect(await json('list')).toMatchObject({ conversations: [{ id: 'deep/a' }, { id: 'b' }] })
    expect((await run('import', 'inside', '--format', 'text')).stdout).toContain('✓ notes.txt')
    expect(await run('import', 'inside/deep/node_modules/..')).toMatchObject({ exitCode: 0 })
  })

  it('reads standard input into the named conversation', async () => {
    const { run } = testWorld({ stdin: 'User: How many?\nAssistant: Seven.\n' })
    expect(await run('import', '-', '--into', 'herd')).toMatchObject({ exitCode: 0 })
    expect((await run('show', 'herd')).stdout).toContain('Seven.')
  })

  it('refuses a named pipe', async () => {
    const { run, folder } = testWorld()
    execFileSync('mkfifo', [join(folder, 'pipe.json')])
    for (const command of ['import', 'replay']) {
      const { exitCode, stderr } = await run(command, 'pipe.json')
      expect(exitCode).toBe(64)
      expect(stderr).toContain('"pipe.json" is a named pipe; let the shell open it: - < pipe.json')
    }
  })

  it('opens no file that a transcript mentions', async () => {
    const { run, folder } = testWorld()
    writeFileSync(join(folder, 'secret.txt'), 'the secret')
    const image = { type: 'image', source: { type: 'url', url: `file://${folder}/secret.txt` } }
    const content = [
      image,
      { type: 'tool_use', id: 't', name: 'Read', input: { path: 'secret.txt' } },
    ]
    const record = { type: 'assistant', uuid: 'u', sessionId: 's', message: { content } }
    writeFileSync(join(folder, 'one.jsonl'), `${JSON.stringify(record)}\n`)
    await run('import', 'one.jsonl')
    const { stdout } = await run('show', 's', '--all', '--full', '--json')
    expect(stdout).toContain('secret.txt')
    expect(stdout).not.toContain('the secret')
  })

  it('imports the other files if one is not a transcript, and fails at the end', async () => {
    const { run, folder } = testWorld()
    writeFileSync(join(folder, 'one.jsonl'), session('s', 'a'))
    writeFileSync(join(folder, 'other.bin'), 'nothing that we know')
    const { exitCode, stdout, stderr } = await run('import', 'other.bin', 'one.jsonl')
    expect(exitCode).toBe(65)
    expect(stdout).toContain(
      '✗ other.bin has an unknown format; known formats: claude-code, codex, ',
    )
    expect(stdout).toContain('✓ one.jsonl: 1 conversation')
    expect(stderr).toContain('1 of 2 files could not be read')
    expect(await run('import', 'other.bin')).toMatchObject({ exitCode: 65, stdout: '' })
  })

  it('reports a file without messages in the named format, and a file in UTF-16', async () => {
    const { run, folder } = testWorld()
    writeFileSync(join(folder, 'one.jsonl'), session('s', 'a'))
    expect((await run('import', 'one.jsonl', '--format', 'openai')).stdout).toContain(
      '! one.jsonl: no openai messages found; omit --format to detect the format',
    )
    writeFileSync(join(folder, 'wide.jsonl'), `\uFEFF${session('s', 'a')}`, 'utf16le')
    expect(await run('import', 'wide.jsonl')).toMatchObject({
      exitCode: 65,
      stderr: expect.stringContaining('wide.jsonl looks like UTF-16: write it as UTF-8') as string,
    })
  })

  it('marks a file without messages with !', async () => {
    const { run, folder } = testWorld()
    writeFileSync(join(folder, 'empty.jsonl'), '')
    const { stdout } = await run('import', 'empty.jsonl')
    expect(stdout).toMatch(/^! empty\.jsonl: no messages · 0 B/)
  })

  it('names skipped text files, and how to import them', async () => {
    const { run, folder } = testWorld()
    mkdirSync(join(folder, 'talks'))
    expect((await run('import', 'talks')).stderr).toContain('no transcripts found\n')
    writeFileSync(join(folder, 'talks/a.txt'), 'User: Hello\n\nAssistant: Hi\n')
    expect((await run('import', 'talks')).stderr).toContain(
      'no transcripts found; skipped 1 text file (a.txt); --format text imports them',
    )
    writeFileSync(join(folder, 'talks/one.jsonl'), session('s', 'a'))
    expect((await run('import', 'talks')).stdout).toContain(
      '\nskipped 1 text file (a.txt); --format text imports them\n',
    )
    const { stdout } = await run('import', 'talks', '--format', 'text')
    expect(stdout).toContain('✓ a.txt: 1 conversation, 2 messages, all new')
    expect(stdout).not.toContain('skipped')
  })

  it('skips broken lines, or stops at the first', async () => {
    const { run, folder } = testWorld()
    writeFileSync(join(folder, 'one.jsonl'), `${session('s', 'a')}{"type":\n${session('s', 'a')}`)
    expect(await run('import', 'one.jsonl', '--on-broken', 'abort')).toMatchObject({
      exitCode: 65,
      stderr: expect.stringContaining('one.jsonl, line 2: ') as string,
    })
    writeFileSync(join(folder, 'fine.jsonl'), session('fine', 'a'))
    const both = await run(
      'import',
      'fine.jsonl',
      'one.jsonl',
      'fine.jsonl',
      '--on-broken',
      'abort',
    )
    expect(both.exitCode).toBe(65)
    expect(both.stdout.match(/^✓ fine/gm)).toHaveLength(1)
    expect(both.stderr).toMatch(/^throughline: one\.jsonl, line 2: .*; --on-broken skip continues/)
    const { exitCode, stdout } = await run('import', 'one.jsonl')
    expect(exitCode).toBe(0)
    expect(stdout).toContain('! one.jsonl, line 2: the text ends inside the document')
  })

  it('reports a fork of a conversation that has changed', async () => {
    const { run, folder } = testWorld()
    const file = join(folder, 'one.jsonl')
    writeFileSync(file, session('s', 'a', 'b'))
    await run('import', file)
    writeFileSync(file, session('s', 'a', 'other'))
    expect((await run('import', file)).stdout).toMatch(
      /! s differs from the file at #1; the file's version is the fork s~[0-9a-f]{12}\n/,
    )
  })

  it('creates no store in a dry run', async () => {
    const { run, folder, store } = testWorld()
    const { existsSync } = await import('node:fs')
    writeFileSync(join(folder, 'one.jsonl'), session('s', 'a'))
    const { stdout } = await run('import', 'one.jsonl', '--dry-run')
    expect(stdout).toContain('1 conversation, 1 message ·')
    expect(stdout).toContain('Dry run: nothing was written.')
    const twice = await run('import', 'one.jsonl', 'one.jsonl', '--dry-run')
    expect(twice.stdout).toContain('Total: 2 conversations, 2 messages\n')
    expect(existsSync(store)).toBe(false)
  })

  it('shows a progress bar on a terminal, and removes it', async () => {
    const { run, folder } = testWorld({ screen })
    writeFileSync(join(folder, 'one.jsonl'), session('s', 'a'))
    const { stderr } = await run('import', 'one.jsonl')
    expect(stderr).toMatch(/import █+.* of \d+ B/)
    expect(stderr.endsWith('\r\u001b[2K')).toBe(true)
    const dumb = testWorld({ screen: { ...screen, redraws: false } })
    writeFileSync(join(dumb.folder, 'one.jsonl'), session('s', 'a'))
    expect((await dumb.run('import', 'one.jsonl')).stderr).toBe('')
  })

  it('exits with 130 after Ctrl-C, and keeps the data written so far', async () => {
    const { run, folder, interrupt, engine } = testWorld()
    const texts = Array.from({ length: 900 }, (_, index) => `${index} ${'long '.repeat(400)}`)
    writeFileSync(join(folder, 'one.jsonl'), session('s', ...texts))
    setTimeout(() => interrupt.abort(new Error('stop')), 0)
    const { exitCode, stderr } = await run('import', 'one.jsonl')
    expect(exitCode).toBe(130)
    expect(stderr).toContain('interrupted; all data written so far is complete')
    const info = await engine((tl) => tl.conversation('s').info())
    expect(info?.head ?? 0).toBeLessThan(900)
  })

  it.each([
    [[], 'name a file'],
    [['x', '--format', 'y'], 'unknown format "y"; use one of throughline, claude-code'],
    [['x', '--on-broken', 'y'], '--on-broken must be skip or abort'],
  ])('rejects %j', async (words, message) => {
    const { exitCode, stderr } = await testWorld().run('import', ...words)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 64,
      stderr: expect.stringContaining(message) as string,
    })
  })

  it('names a missing file', async () => {
    const { run } = testWorld()
    expect(await run('import', 'nowhere.jsonl')).toMatchObject({
      exitCode: 1,
      stderr: 'throughline: no such file: "nowhere.jsonl"\n',
    })
    expect(await run('import', '.')).toMatchObject({ exitCode: 1 })
  })
})
