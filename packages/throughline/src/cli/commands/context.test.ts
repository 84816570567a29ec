import { describe, expect, it } from 'vitest'
import type { Receipt } from '../../index.ts'
import { compactedRows } from '../screen/receipt-lines.ts'
import { sessionOf, type TestWorld, testWorld } from '../world.test-support.ts'

// Exact counts would only take longer to load.
const env = { THROUGHLINE_MODEL: 'openai/gpt-4', THROUGHLINE_TOKENIZER: 'estimate' }

async function filled(turns = 30): Promise<TestWorld> {
  const test = testWorld({ env })
  await test.engine((tl) => tl.conversation('c').append(sessionOf(turns)))
  return test
}

async function stateOf(test: TestWorld): Promise<unknown> {
  return test.engine(async (tl) => {
    const chat = tl.conversation('c')
    const { requests, conversation } = await chat.status()
    return { requests, conversation, events: await chat.events() }
  })
}

interface Request {
  readonly messages: readonly { readonly role: string }[]
}

describe('context', () => {
  it('is a dry run: it stores nothing', async () => {
    const test = await filled(60)
    const before = await stateOf(test)
    const { stdout, exitCode } = await test.run('context', 'c', '--window', '4000')
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/tokens +█+░+ [\d,]+ of [\d,]+ \(\d+ %\)/)
    expect(stdout).toMatch(/left out +\d+ messages/)
    expect(stdout).toMatch(/^ {2}ledger +█+░+ +[\d,]+ /m)
    expect(stdout).toContain('#239 assistant')
    const screen = stdout.replace(/\s+/g, ' ')
    expect(screen).toContain('4,000 − 1,000 for the reply − 80 margin = 2,920 tokens')
    expect(screen).toMatch(
      /would be compacted: [\d,]+ tokens do not fit 2,920 \(dry run, nothing is/,
    )
    expect(stdout).toMatch(/^ {2}\[\+\d+ characters; --full\]$/m)
    expect(stdout).toMatch(
      /^\[\+N characters\] marks text that only this screen leaves out\. … inside a text/m,
    )
    const full = (await test.run('context', 'c', '--full')).stdout
    expect(full).not.toContain('cut on this screen')
    expect(await stateOf(test)).toEqual(before)
  })

  it('says whose words a message contains, if its role does not', async () => {
    const test = testWorld({ env })
    await test.engine((tl) =>
      tl.conversation('c').append([
        { role: 'user', content: 'Open the harbour gate' },
        { role: 'user', content: 'The harbour closes at nine', origin: 'application' },
        { role: 'assistant', content: 'The harbour gate is open.' },
      ]),
    )
    const { stdout } = await test.run('context', 'c', '--full')
    expect(stdout).toMatch(/^#0 user$/m)
    expect(stdout).toMatch(/^#1 user \(from the application\)$/m)
    const found = await test.run('recall', 'c', 'harbour', '--origin', 'application', '--json')
    expect(JSON.parse(found.stdout)).toMatchObject({
      pieces: [{ anchor: '#1', origins: ['application'] }],
    })
    const unknown = await test.run('recall', 'c', 'harbour', '--origin', 'walrus')
    expect(unknown).toMatchObject({ exitCode: 64 })
    expect(unknown.stderr).toContain('unknown origin "walrus"')
  })

  it('names each block by its label, and shows its marks only with --full', async () => {
    const test = await filled(60)
    const words = ['context', 'c', '--window', '4000']
    const { stdout } = await test.run(...words)
    const screen = stdout.replace(/\s+/g, ' ')
    expect(screen).toContain('ledger of messages #0 to #239')
    expect(screen).toContain('(sent as role user, marked as data)')
    expect(stdout).toMatch(/^earlier requests of the user, verbatim/m)
    expect(stdout).not.toContain('[end ')
    expect((await test.run(...words, '--full')).stdout).toMatch(/\[end \w+\]/)
    const shortened = /^ {2}shortened +(\d+) of the messages/m.exec(stdout)?.[1]
    const whole = (await test.run(...words, '--full')).stdout
    expect(whole.match(/\(shortened for the model\)/g)).toHaveLength(Number(shortened))
  })

  it('has the rows of the receipt, and they add up to the tokens', async () => {
    const test = await filled(60)
    const { stdout } = await test.run('context', 'c', '--window', '4000', '--figures')
    const rows = [...stdout.matchAll(/^ {2}(\w+(?: \(?\w+\)?)?) +█+░* +([\d,]+)(?: {2}|$)/gm)]
    const counts = rows.map(([, , tokens = '']) => Number(tokens.replace(',', '')))
    const sum = counts.reduce((all, tokens) => all + tokens, 0)
    expect(stdout).toContain(` ${sum.toLocaleString('en')} of 2,920 `)
    expect(stdout).toMatch(/^ {2}tokens .*\n {14}after compaction/m)
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /aims at about ([\d,]+) .* after compaction; more than the \1 aimed at, because the newest messages/,
    )
    const compacted = await test.run('compact', 'c', '--window', '4000')
    const after = compacted.stdout.replace(/\s+/g, ' ')
    // A receipt has one figure for both; a digest of a few words is left out.
    const [requests = 0] = counts
    expect(rows[0]?.[1]).toBe('user requests')
    const others = rows.slice(1).map(([, name, tokens]) => `${name} ${tokens}`)
    expect(after).toContain(
      `context after digest and user requests ${requests}, ${others.join(', ')} tokens`,
    )
  })

  it('says after an undo that only a request that does not fit is compacted', async () => {
    const test = await filled(60)
    await test.run('compact', 'c', '--window', '4000')
    await test.run('undo', 'c')
    const screenOf = async (window: string) =>
      (await test.run('context', 'c', '--window', window, '--figures')).stdout.replace(/\s+/g, ' ')
    const screen = await screenOf('4000')
    expect(screen).toContain('off since an undo; only a request that does not fit is compacted')
    expect(screen).toMatch(/would be compacted: 18,\d{3} tokens do not fit 2,920/)
    expect(await screenOf('3000')).toContain('lost: the start of the last context would change (')
    expect(await screenOf('100k')).toContain(
      'would not be compacted: auto-compaction is off since an undo',
    )
  })

  it('shows recalled messages before the next user message', async () => {
    const test = testWorld({ env })
    const fact = 'The warehouse in Rotterdam closes at noon on harvest days.'
    await test.engine((tl) =>
      tl
        .conversation('c')
        .append([
          { role: 'user', content: 'Anything else?' },
          { role: 'assistant', content: `${fact} ${'Nothing more to say of it. '.repeat(20)}` },
          ...sessionOf(60),
        ]),
    )
    const asked = 'When does the warehouse in Rotterdam close on harvest days?'
    const words = ['context', 'c', '--window', '4000', '--next', asked]
    expect((await test.run(...words)).stdout).toMatch(/^excerpts of older messages/m)
    expect((await test.run(...words, '--figures')).stdout).not.toContain('excerpts of')
  })

  it('shows the input limit, and suggests a known model', async () => {
    const test = await filled(1)
    const screenOf = async (...words: string[]) =>
      (await test.run('context', 'c', ...words)).stdout.replace(/\s+/g, ' ')
    expect(await screenOf('--model', 'openai/gpt-5-mini')).toContain(
      'gpt-5-mini, window 400,000, input at most 272,000 (',
    )
    expect(await screenOf('--model', 'openai/gpt-5-mini', '--window', '8k')).toContain(
      'gpt-5-mini, window 8,000 (set by --window)',
    )
    expect(await screenOf('--model', 'openai/gpt5-mini')).toContain(
      'gpt5-mini, window 8,192 (conservative default, model unknown)',
    )
    expect(await screenOf('--model', 'openai/gpt5-mini', '--window', '8k')).toContain(
      'gpt5-mini, window 8,000 (set by --window)',
    )
  })

  it('explains the placeholder for the next user message', async () => {
    const test = await filled(1)
    const { stdout } = await test.run('context', 'c')
    expect(stdout).toMatch(
      /^next user message \(sent as role user\)\n {2}\[No new message\. Continue\.\]\n {2}A placeholder for .*--next TEXT .*\n/m,
    )
    expect(stdout).toMatch(/^ {2}current turn +█+░* +[\d,]+ {2}4 messages$/m)
    expect((await test.run('context', 'c', '--next', 'And?')).stdout).not.toContain('A placeholder')
  })

  it('explains why sections and total differ, once a provider has reported usage', async () => {
    // The same tokenizer as the engine of the test: a calibration belongs to one tokenizer.
    const test = testWorld({ env: { THROUGHLINE_MODEL: 'openai/gpt-4' } })
    await test.engine((tl) => tl.conversation('c').append(sessionOf(3)))
    expect((await test.run('context', 'c')).stdout).not.toContain('our own count')
    await test.engine(async (tl) => {
      const chat = tl.conversation('c')
      const { fingerprint, tokens } = await chat.context({ model: 'openai/gpt-4' })
      const usage = { inputTokens: Math.round(tokens * 1.4), outputTokens: 5 }
      await chat.append({ role: 'assistant', content: 'Yes.' }, { usage, of: fingerprint })
    })
    const { stdout } = await test.run('context', 'c', '--figures')
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /The rows are our own count, [\d,]+ in total\. The [\d,]+ above is calibrated with the usage that the provider reported\./,
    )
  })

  it('prints the request in the format of a provider', async () => {
    const test = await filled(2)
    const rolesIn = async (...words: string[]) => {
      const { messages } = (await test.json('context', 'c', ...words)) as Request
      return messages.map(({ role }) => role).slice(0, 4)
    }
    const prompted = ['--system', 'Be brief.']
    expect(await rolesIn('--format', 'openai', ...prompted)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
    ])
    expect(await rolesIn('--format', 'anthropic', ...prompted)).toEqual([
      'user',
      'assistant',
      'user',
      'assistant',
    ])
    expect(await rolesIn('--format', 'ai-sdk')).toEqual(['user', 'assistant', 'tool', 'assistant'])
    expect(await test.json('context', 'c')).toMatchObject({
      tokens: expect.any(Number),
      sections: expect.any(Array),
    })
    expect(await test.run('context', 'c', '--format', 'soap')).toMatchObject({ exitCode: 64 })
    expect(await test.run('context', 'c', '--system', '@missing.txt')).toMatchObject({
      exitCode: 64,
    })
  })

  it('ends with the code of the table where what is protected does not fit', async () => {
    const test = await filled(1)
    const words = ['context', 'c', '--window', '1000', '--system', 'word '.repeat(2_000)]
    const { exitCode, stderr } = await test.run(...words, '--json')
    expect(exitCode).toBe(65)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'CONTEXT_OVERFLOW' } })
  })

  it('takes the cards and policies of single models from the settings', async () => {
    const test = await filled(2)
    await test.run(
      'config',
      'set',
      'models',
      '{"house":{"contextWindowTokens":5000,"policy":{"target":{"ratio":0.2}}}}',
    )
    const { budget } = (await test.json('context', 'c', '--model', 'house')) as {
      budget: { windowTokens: number; targetTokens: number; availableTokens: number }
    }
    expect(budget.windowTokens).toBe(5_000)
    expect(budget.targetTokens).toBeLessThan(budget.availableTokens * 0.21)
    expect(await test.run('context', 'c', '--policy', 'nothing')).toMatchObject({ exitCode: 78 })
  })
})

describe('compact', () => {
  it('previews the compaction, and then does it', async () => {
    const test = await filled(60)
    const before = await stateOf(test)
    const preview = await test.run('compact', 'c', '--preview', '--window', '4000')
    expect(preview.stdout).toMatch(/^ {2}tokens +[\d,]+ → [\d,]+ \(−\d+ %\)$/m)
    expect(preview.stdout.replace(/\s+/g, ' ')).toContain(
      'Dry run, nothing was changed. Without this command the next request would be compacted: 18,243 tokens do not fit 2,920.',
    )
    for (const label of ['earlier requests of the user', 'ledger of messages #0'])
      expect(preview.stdout).toContain(`\n${label}`)
    expect(await stateOf(test)).toEqual(before)
    const done = await test.run('compact', 'c', '--window', '4000')
    expect(done).toMatchObject({ exitCode: 0 })
    expect(done.stdout).toMatch(/^ {2}digest by +rules \(no LLM\)$/m)
    expect(done.stdout).toMatch(/^ {2}ledger +\d+ of \d+ entries sent to the model$/m)
    expect(done.stdout).toMatch(/^ {2}tokens +[\d,]+ → [\d,]+ \(−\d+ %\)$/m)
    const receipt = (await test.json('receipt', 'c')) as Receipt
    expect(receipt.decision.reason).toBe('manual')
    const shortenedOnly = compactedRows({ ...receipt, line: 0 }, test.world.stdout)
    expect(shortenedOnly).toContainEqual(['replaced', 'no messages'])
    expect(shortenedOnly).toContainEqual(['digest by', null])
    const status = (await test.json('status', 'c')) as { totals: { compactions: number } }
    expect(status.totals.compactions).toBe(1)
    const shown = (await test.run('receipt', 'c')).stdout
    expect((await test.run('receipt', 'c', String(receipt.version))).stdout).toBe(shown)
    const saved = /^ {2}tokens .*$/m
    expect(saved.exec(shown)?.[0]).toBe(saved.exec(done.stdout)?.[0])
    expect((await test.run('receipt', 'c', '--all')).stdout).toMatch(/compact command +#0–#\d+ /)
    expect(await test.run('receipt', 'c', '9999')).toMatchObject({ exitCode: 1 })
    expect(await test.run('receipt', 'c', 'x')).toMatchObject({ exitCode: 64 })
  })

  it('says that secrets are redacted only in what the engine writes', async () => {
    const test = testWorld({ env })
    const content = 'Always clone https://ada:hunter22@example.com/a.git first.'
    await test.engine((tl) =>
      tl.conversation('c').append([{ role: 'user', content }, ...sessionOf(60)]),
    )
    const { stdout } = await test.run('compact', 'c', '--window', '4000')
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      /redacted \d+ secrets?, in digest, ledger and files only; secrets in messages are not redacted/,
    )
  })

  it('writes nothing if there is nothing to do', async () => {
    const test = await filled(1)
    const before = await stateOf(test)
    expect(await test.run('compact', 'c')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('nothing to compact'),
    })
    expect(await stateOf(test)).toEqual(before)
    expect((await test.run('compact', 'c', '--preview')).stdout).toContain('would change nothing')
    expect(await test.run('receipt', 'c')).toMatchObject({ exitCode: 1 })
  })

  it('rejects instructions without a summarizer', async () => {
    const test = await filled(60)
    expect(await test.run('compact', 'c', '--window', '4000', '--instructions', 'x')).toMatchObject(
      {
        exitCode: 1,
        stderr: expect.stringContaining('none is set'),
      },
    )
  })
})

describe('status', () => {
  it('says what compactions saved', async () => {
    const test = testWorld({ env })
    await test.engine(async (tl) => {
      const chat = tl.conversation('c')
      for (let round = 0; round < 30; round += 1) {
        await chat.append(sessionOf(6))
        await chat.context({ model: 'openai/gpt-4' })
      }
    })
    const { saved, last } = (await test.json('status', 'c')) as StatusJson
    const { receipts } = (await test.json('receipt', 'c', '--all')) as {
      readonly receipts: readonly Receipt[]
    }
    const whole = (await test.json('context', 'c', '--window', '1000000')) as Sized
    const gain = receipts
      .map(({ tokensBefore, tokensAfter }) => (tokensBefore ?? 0) - tokensAfter)
      .reduce((sum, each) => sum + each)
    // Without any compaction, the last request would be the whole conversation: the figure is no larger.
    expect((last.tokens + gain) / whole.tokens).toBeGreaterThan(0.6)
    expect((last.tokens + gain) / whole.tokens).toBeLessThan(1.02)
    expect(saved.savedTokens).toBeGreaterThan(gain)
    for (const words of [['status', 'c'], ['status']])
      expect((await test.run(...words)).stdout).toMatch(
        /^ {2}saved +at least [\d,]+ of [\d,]+ tokens \(\d+ %\) in 30 requests$/m,
      )
  })
})

interface Sized {
  readonly tokens: number
}

interface StatusJson {
  readonly saved: { readonly savedTokens: number }
  readonly last: Sized
}
