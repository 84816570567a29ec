import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Receipt } from '../../index.ts'
import { runCli } from '../run-cli.ts'
import { madeSession } from '../tour/made-session.ts'
import { type TestWorld, testWorld } from '../world.test-support.ts'
import { elementsOf } from './page/elements.test-support.ts'
import type { ReplayReport } from './replay-report.ts'
import { reportLines } from './report-lines.ts'

// A private folder for temporary files.
let temporaryFolder = ''
beforeAll(() => {
  temporaryFolder = mkdtempSync(join(tmpdir(), 'throughline-test-'))
  vi.stubEnv('TMPDIR', temporaryFolder)
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(temporaryFolder, { recursive: true })
})

const session = madeSession(5)
const small = ['--window', '3500']

function withFile(world: TestWorld, text = session): string {
  const file = join(world.folder, 'session.jsonl')
  writeFileSync(file, text)
  return file
}

async function reportOf(world: TestWorld, ...words: string[]): Promise<ReplayReport> {
  return (await world.json('replay', ...words)) as ReplayReport
}

describe('throughline replay', () => {
  it('simulates a session without invalid requests, as JSON', async () => {
    const world = testWorld()
    const report = await reportOf(world, withFile(world), ...small)
    expect(report).toMatchObject({
      conversation: { id: 'made-session', others: 0 },
      windowTokens: 3_500,
      policy: { name: 'balanced' },
      violations: { total: 0, by: {} },
      recounted: true,
      impossible: 0,
    })
    const { compactions, breaks, cost, tokens, turnMs, final } = report
    expect(compactions.total).toBeGreaterThan(2)
    expect(compactions.list).toHaveLength(compactions.total)
    expect(breaks.total).toBe(compactions.total)
    expect(tokens.largest).toBeLessThanOrEqual(report.availableTokens)
    expect(cost.sliding.ofSliding).toBe(1)
    expect(cost.full).toMatchObject({ breaks: 0, fits: false })
    expect(cost.throughline.tokens).toBeLessThan(cost.sliding.tokens)
    expect(cost['model-summary'].summaries).toBeGreaterThan(0)
    expect(turnMs.p95).toBeGreaterThanOrEqual(turnMs.median)
    expect(final?.pieces.at(-1)?.seq).toBe(report.conversation.messages - 2)
  })

  it('prints a report within the width, and leaves no store', async () => {
    const world = testWorld()
    const before = temporary()
    const { stdout, exitCode, stderr } = await world.run('replay', withFile(world), ...small)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).toMatch(/invalid requests +0 \(the tokens of each request were/)
    expect(stdout).toMatch(
      /compactions +\d+, at [\d,]+ to [\d,]+ tokens; why: (above|could exceed) the\s+(trigger|limit)/,
    )
    expect(stdout).toMatch(/cache prefix lost +\d+ times: compaction/)
    expect(stdout).toMatch(/method +cost +vs sliding +vs forgetting +vs sliding, paid cache$/m)
    expect(stdout).toMatch(/^full does not fit: needs [\d.,]+( k)? tokens\.$/m)
    expect(stdout).toMatch(/^throughline( +[\d.,]+( [kM])?){4}$/m)
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([])
    expect(temporary()).toEqual(before)
    expect(existsSync(world.store)).toBe(false)
  })

  it('says how often it compacted for which reason', async () => {
    const test = testWorld()
    const report = await reportOf(test, withFile(test), ...small)
    const [first] = report.compactions.list
    if (first === undefined) throw new Error('the replay compacted nothing')
    const compaction = (cause: Receipt['cause'], tokensBefore: number) => ({
      ...first,
      receipt: { ...first.receipt, cause, tokensBefore },
    })
    const list = [
      ...[compaction('trigger', 2_000), compaction('overflow', 2_100)],
      ...[compaction('trigger', 2_200), compaction('overflow', 2_600)],
    ]
    const compactions = { ...report.compactions, total: list.length, list }
    const lines = reportLines({ ...report, compactions }, test.world.stdout)
    expect(lines.join(' ').replace(/\s+/g, ' ')).toContain(
      'compactions 4, at 2,000 to 2,600 tokens; why: above the trigger (2), could exceed the limit of 2,555 at a provider that also counts JSON syntax (1), above the limit of 2,555 (1) cache',
    )
  })

  it('says which compactions its count of names leaves out', async () => {
    const test = testWorld()
    const report = await reportOf(test, withFile(test), ...small)
    const textWith = (total: number, measured: number) => {
      const survival = { compactions: measured, names: 20, shownNames: 18, inTailNames: 9 }
      const shares = { shown: 0.9, inTail: 0.45 }
      const compactions = { ...report.compactions, total }
      const changed = { ...report, compactions, survival: { ...survival, ...shares } }
      return reportLines(changed, test.world.stdout).join(' ').replace(/\s+/g, ' ')
    }
    const counted = '18 of 20 names (files, functions, ids) that the assistant used after'
    const newest = 'a context of the same size with only the newest messages would have 9'
    expect(textWith(1, 1)).toContain(
      `${counted} the compaction were in the context; ${newest} time per turn`,
    )
    expect(textWith(16, 15)).toContain(
      `${counted} compactions were in the context; ${newest}. This counts 15 of 16 compactions: after the other one, fewer than 5 earlier names were used time per turn`,
    )
    expect(textWith(16, 2)).toContain('This counts 2 of 16 compactions: after each of the others,')
  })

  it('reports that all messages fit, and counts messages as an import does', async () => {
    const world = testWorld()
    const file = join(world.folder, 'talk.json')
    const talk = (turns: number) => [
      { role: 'system', content: 'Be brief.' },
      ...Array.from({ length: turns }, (_, turn) => [
        { role: 'user', content: `The limit of part ${turn} should be ${turn + 40}, please.` },
        { role: 'assistant', content: `It is ${turn + 40} now. ${'I have looked. '.repeat(20)}` },
      ]).flat(),
    ]
    writeFileSync(file, JSON.stringify(talk(60)))
    expect((await world.run('import', file)).stdout).toContain('121 messages')
    const { stdout } = await world.run('replay', file)
    expect(stdout).toContain('121 messages (1 of them the system prompt), 60 simulated')
    const smaller = /compactions +0: all messages fit; try --window (\d+)/.exec(stdout)?.[1]
    const report = await reportOf(world, file, '--window', String(smaller))
    expect(report).toMatchObject({ impossible: 0, violations: { total: 0 } })
    expect(report.compactions.total).toBeGreaterThan(0)
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'cost the same: the whole conversation fits the window. full sends',
    )
    writeFileSync(file, JSON.stringify(talk(2)))
    expect((await world.run('replay', file)).stdout).toMatch(/compactions +0: all messages fit$/m)
  })

  it('obeys --calls and --window model', async () => {
    const world = testWorld()
    const words = ['--window', 'model', '--model', 'gpt-4o', '--calls', '5']
    const report = await reportOf(world, withFile(world), ...words)
    expect(report).toMatchObject({ requests: 5, windowTokens: 128_000, compactions: { total: 0 } })
  })

  it('shows a live picture on a terminal, and removes it', async () => {
    let now = 0
    const world = testWorld({ screen: { isTerminal: true } })
    const ticking = { ...world.world, now: () => (now += 100) }
    const exitCode = await runCli(['replay', withFile(world), ...small], ticking)
    expect(exitCode).toBe(0)
    const { stderr } = world.output()
    const frames = stderr.split('\u001b[?2026h').slice(1)
    expect(frames.length).toBeGreaterThan(10)
    const last = frames.at(-1) ?? ''
    const lines = last.replace(/\u001b\[\??[\d;]*[A-Za-z]/g, '').split('\n')
    expect(lines.length).toBeLessThanOrEqual(24)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    expect(last).toContain('█ recent')
    expect(lines[1]).toMatch(/(\d+) of \1 requests/)
    expect(last).toContain(' = window − reply reserve − margin')
    expect(last).toContain('▲trigger')
    expect(last).toMatch(/ {2}#\d+ +\w+ +[\d,]+ → +[\d,]+/)
    expect(stderr.endsWith('\u001b[J')).toBe(true)
  })

  it('replays a stored conversation like the file, and does not change the store', async () => {
    const world = testWorld()
    const file = withFile(world)
    await world.run('import', file)
    const fromFile = await reportOf(world, file, ...small)
    const fromStore = await reportOf(world, 'made-session', ...small)
    const same = ({ requests, cost, breaks, tokens }: ReplayReport) => ({
      requests,
      cost,
      breaks,
      tokens,
    })
    expect(same(fromStore)).toEqual(same(fromFile))
    expect(await world.json('status', 'made-session')).toMatchObject({ last: null })
    expect((await reportOf(world, '--last', '--calls', '1')).conversation.id).toBe('made-session')
  })

  it('takes the longest conversation of a file, or the named one', async () => {
    const talk = (id: string, count: number) => ({
      id,
      messages: Array.from({ length: count }, (_, place) => ({
        role: place % 2 === 0 ? 'user' : 'assistant',
        content: `${id} ${place}`,
      })),
    })
    const text = [talk('short', 4), talk('long', 8), talk('longer', 6)]
      .map((each) => JSON.stringify({ model: 'gpt-4o', ...each }))
      .join('\n')
    const world = testWorld({ stdin: text })
    const file = withFile(world, text)
    const idOf = async (...words: string[]) => (await reportOf(world, ...words)).conversation
    expect(await idOf(file)).toMatchObject({ messages: 8, others: 2 })
    const { id } = await idOf(file)
    expect(await idOf(file, id)).toMatchObject({ messages: 8 })
    expect(await idOf('-')).toMatchObject({ messages: 8 })
    expect((await world.run('replay', file)).stdout).toContain('The longest of 3 conversations')
    expect(await world.run('replay', file, 'nobody')).toMatchObject({ exitCode: 1, stdout: '' })
  })

  it('stops with Ctrl-C, and leaves no files', async () => {
    const world = testWorld()
    const before = temporary()
    let now = 0
    // The clock advances five seconds per call, so that the first request prints a line.
    const impatient = {
      ...world.world,
      now: () => (now += 5_000),
      stderr: { ...world.world.stderr, write: async () => world.interrupt.abort() },
    }
    const words = ['replay', withFile(world), ...small, '--speed', '1']
    expect(await runCli(words, impatient)).toBe(130)
    expect(world.output().stdout).toBe('')
    expect(temporary()).toEqual(before)
  })

  it('reports sources that it cannot replay', async () => {
    const world = testWorld()
    expect(
      await world.run('replay', withFile(world), '--window', '300', '--calls', '2'),
    ).toMatchObject({
      exitCode: 1,
      stderr:
        'throughline: system prompt and tools alone exceed a window of 300 tokens; use a larger --window\n',
    })
    writeFileSync(join(world.folder, 'empty.jsonl'), '')
    writeFileSync(join(world.folder, 'other.json'), '{"name":"x"}')
    expect(await world.run('replay', 'nowhere.jsonl')).toMatchObject({
      exitCode: 1,
      stderr: 'throughline: no file and no conversation named "nowhere.jsonl"\n',
    })
    expect((await world.run('replay', 'empty.jsonl')).exitCode).toBe(1)
    expect(await world.run('replay', 'other.json')).toMatchObject({
      exitCode: 65,
      stderr: expect.stringMatching(
        /^throughline: other\.json has an unknown format; known formats: claude-code, .*; throughline import FILE --format NAME sets the format\n$/,
      ),
    })
    expect((await world.run('replay', '.')).exitCode).toBe(64)
    expect((await world.run('replay')).exitCode).toBe(64)
    expect((await world.run('replay', 'empty.jsonl', '--calls', '0')).exitCode).toBe(64)
    expect((await world.run('replay', 'empty.jsonl', '--html', 'no/where.html')).exitCode).toBe(64)
  })
})

describe('the page of a replay', () => {
  it('is one file with plots, without scripts or external resources', async () => {
    const world = testWorld()
    const { stdout } = await world.run(
      ...['replay', withFile(world), ...small, '--html', 'report.html', '--quiet'],
    )
    expect(stdout).toContain(`HTML report: ${join(world.folder, 'report.html')}`)
    const page = readFileSync(join(world.folder, 'report.html'), 'utf8')
    const elements = elementsOf(page)
    const count = (name: string) => elements.filter((element) => element.name === name).length
    expect(count('svg')).toBe(2)
    expect(count('table')).toBe(3)
    expect(count('script') + count('link') + count('img') + count('iframe')).toBe(0)
    const addresses = elements.flatMap(({ attributes }) =>
      Object.keys(attributes).filter((name) => /^(?:src|href|on.*|action|data)$/.test(name)),
    )
    expect(addresses).toEqual([])
    expect(page).toContain("default-src 'none'")
    expect(page).not.toMatch(/url\(|@import|https?:/)
  })

  it('contains no secrets, even from messages that were not compacted', async () => {
    const secrets = {
      aws: 'AKIAIOSFODNN7EXAMPLQ',
      password: 'hunter2-and-more',
      openai: 'sk-proj-9fK2mQ7xTz4LrB8vWn3YcH6dJp1SgE5uA0oViN2k',
    }
    const words = `aws ${secrets.aws}, clone https://ada:${secrets.password}@example.com/a.git with ${secrets.openai}`
    const messages = Array.from({ length: 12 }, (_, place) => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      content: `${place}: ${words}`,
    }))
    const world = testWorld()
    const lines = [
      { throughline: 1, id: 'talk', title: words },
      ...messages.map(({ role, content }) => ({
        role,
        content: [{ type: 'text', text: content }],
      })),
    ]
    const file = withFile(world, lines.map((line) => JSON.stringify(line)).join('\n'))
    for (const window of ['32000', '2500']) {
      const html = `report-${window}.html`
      const { stdout } = await world.run('replay', file, '--window', window, '--html', html)
      const page = readFileSync(join(world.folder, html), 'utf8')
      const { stdout: json } = await world.run('replay', file, '--window', window, '--json')
      for (const [name, secret] of Object.entries(secrets))
        for (const [where, text] of Object.entries({ page, stdout, json }))
          expect({ window, name, where, leaks: text.includes(secret) }).toEqual({
            ...{ window, name, where, leaks: false },
          })
      expect(page).toContain('[redacted: ')
    }
  })

  it('escapes the text of a transcript', async () => {
    const nasty = `"><script>alert(1)</script><img src=x onerror=alert(2)>\u202e'\`</title></style>`
    const messages = Array.from({ length: 30 }, (_, place) => ({
      role: place % 2 === 0 ? 'user' : 'assistant',
      content: `${nasty} ${'and so on '.repeat(60)} src/${nasty}.ts`,
    }))
    const world = testWorld()
    const file = withFile(
      world,
      JSON.stringify({ model: 'gpt-4o', id: nasty, title: nasty, messages }),
    )
    await world.run('replay', file, '--window', '3000', '--html', 'report.html')
    const page = readFileSync(join(world.folder, 'report.html'), 'utf8')
    const elements = elementsOf(page)
    expect(elements.filter(({ name }) => ['script', 'img'].includes(name))).toEqual([])
    expect(elements.filter(({ attributes }) => 'onerror' in attributes)).toEqual([])
    expect(page).toContain('&#60;script&#62;alert(1)')
    expect(page).not.toContain('\u202e')
  })
})

function temporary(): readonly string[] {
  return readdirSync(temporaryFolder).filter((name) => name.startsWith('throughline-replay-'))
}
