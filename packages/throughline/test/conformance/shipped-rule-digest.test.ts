/** The rule design on its shipped preset: what a tool result becomes, and sessions without an end. */
import { type Context, createThroughline, loadGptTokenizer, type MessageInput } from 'throughline'
import { anthropicMessages, geminiContents, openaiChat } from 'throughline/adapters'
import { formatSummary, summarizeToolResult } from 'throughline/toolkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { giant, narrowModel, setUp, slotText, model as talkModel } from '../summaries/set-up.ts'

const policy = 'rule-digest'
const model = 'toy/small'

function use(
  callId: string,
  name: string,
  input: Readonly<Record<string, string>>,
  output: string,
): readonly [MessageInput, MessageInput] {
  return [
    { role: 'assistant', content: [{ type: 'tool-call', callId, name, input }] },
    { role: 'tool', content: [{ type: 'tool-result', callId, output }] },
  ]
}

const names = ['one', 'two', 'three', 'four', 'five', 'six']
const script = [
  "import { a } from './a.ts'",
  "import { b } from './b.ts'",
  ...names.map((name) => `export const ${name} = 1`),
].join('\n')
const command = `npm test -- --grep ${'login'.repeat(12)}`
const hits = ['a', 'b', 'c', 'd'].map((name) => `/app/${name}.ts:3: login`).join('\n')

const read = use('r', 'read_file', { path: '/app/login.ts' }, script)
const failed = use('f', 'execute_bash', { command }, 'Error: Module not found\nexit code: 1')
const built = use('b', 'execute_bash', { command: 'npm run build' }, 'built\nexit code: 0')
const found = use('s', 'search_files', { pattern: 'login' }, hits)
const nothing = use('n', 'grep', { pattern: 'logon' }, 'No matches found')

/** The line of each use, and the figures beside it. */
const expected = [
  [
    read,
    '[✓ read_file: File: /app/login.ts | Lines: 8 | Type: typescript | Exports: one, two, three, four, five | Imports: 2 modules]',
    { path: '/app/login.ts', lines: 8, hasExports: true, hasImports: true },
  ],
  [
    failed,
    `[❌ execute_bash: Command: ${command.slice(0, 59)}… | Exit: 1 | Output: 2 lines | Error: Error: Module not found exit code: 1]`,
    { exitCode: 1, outputLines: 2, hasError: true },
  ],
  [
    built,
    '[✓ execute_bash: Command: npm run build | Exit: 0 | Output: 2 lines]',
    { command: 'npm run build', exitCode: 0, hasError: false },
  ],
  [
    found,
    '[✓ search_files: Pattern: "login" | Matches: 4 | Files: 4 | Top files: /app/a.ts, /app/b.ts, /app/c.ts]',
    { pattern: 'login', matchCount: 4, fileCount: 4 },
  ],
  [nothing, '[~ grep: Pattern: "logon" | Matches: 0 | Files: 0]', { matchCount: 0, fileCount: 0 }],
] as const

function begin(windowTokens: number) {
  const tl = createThroughline({
    policy,
    models: [{ id: model, contextWindowTokens: windowTokens, tokenizer: 'o200k_base' }],
  })
  onTestFinished(() => tl.close())
  return { tl, chat: tl.conversation('c') }
}

/** Talks until a request drops messages. */
async function untilTrimmed(chat = begin(8_000).chat): Promise<{
  readonly before: Context
  readonly after: Context
  readonly madeBy: unknown
}> {
  const work = expected.flatMap(([messages]) => messages)
  await chat.append([{ role: 'user', content: 'Mend the login.' }, ...work])
  await chat.append({ role: 'assistant', content: 'The login has a missing module.' })
  let before: Context | null = null
  for (let index = 0; index < 100; index += 1) {
    await chat.append({ role: 'user', content: `Question ${index}. ${'Look at it. '.repeat(40)}` })
    const after = await chat.context({ model, system: 'You mend code.' })
    if (before !== null && slotText(after, 'summary') !== '')
      return { before, after, madeBy: (await chat.receipts({ limit: 1 }))[0]?.madeBy }
    before = after
    await chat.append({
      role: 'assistant',
      content: `Answer ${index}. ${'Looked at. '.repeat(40)}`,
    })
  }
  throw new Error('nothing was trimmed')
}

describe('the request that drops messages', () => {
  it('S2-002 S2-018 S2-021…025 S2-027…029 S2-052 S2-060 S2-061: has a line for each tool use that it drops', async () => {
    const { before, after } = await untilTrimmed()
    expect(slotText(before, 'summary')).toBe('')
    expect(after.decision).toMatchObject({ kind: 'compact', reason: 'onTrim' })
    const lines = slotText(after, 'summary').split('\n')
    expect(lines).toContain('[user: Stated: Mend the login.]')
    for (const [[call, result], line, metadata] of expected) {
      expect(lines).toContain(line)
      const summary = summarizeToolResult(result, { before: [call] })
      expect(summary?.metadata).toMatchObject(metadata)
      expect(summary && formatSummary(summary).replaceAll('\n', ' ')).toBe(line)
    }
    // One line for each message or use that left, and no more.
    const first = Math.min(...after.messages.flatMap(({ seq }) => (seq === null ? [] : [seq])))
    const items = first - expected.length
    expect(lines).toContain(`--- Summarized Context (${items} items) ---`)
  })

  it('S2-053: has the summary right after the system prompt, or first without one', async () => {
    const { after } = await untilTrimmed()
    const roles = (context: Context) =>
      openaiChat.write(context).messages.map(({ role, content }) => [role, String(content)])
    const [system, summary] = roles(after)
    expect(system).toEqual(['system', 'You mend code.'])
    expect(summary?.[1]).toContain('--- Summarized Context')
    expect(roles({ ...after, system: [] })[0]?.[1]).toContain('--- Summarized Context')
  })

  it('S2-010 P0-003: is written by rules, without a network, and twice the same', async () => {
    vi.stubGlobal('fetch', () => {
      throw new Error('no network')
    })
    onTestFinished(() => {
      vi.unstubAllGlobals()
    })
    const [one, two] = [await untilTrimmed(), await untilTrimmed()]
    expect(one.after.messages).toEqual(two.after.messages)
    expect(one.madeBy).toMatchObject({ summarizer: 'rules' })
  })
})

describe('the summary', () => {
  it('S2-049: is cleared by undo and by purge, and undo leaves every message; a new conversation has none', async () => {
    const { tl, chat } = begin(8_000)
    await untilTrimmed(chat)
    const { head } = (await chat.info()) ?? {}
    expect(await chat.summary({ model })).not.toBeNull()
    expect(await tl.conversation('new').summary({ model })).toBeNull()
    await chat.history.undo()
    expect(await chat.summary({ model })).toBeNull()
    expect(await Array.fromAsync(chat.messages())).toHaveLength(head ?? 0)
    await chat.compact({ model })
    expect(await chat.summary({ model })).not.toBeNull()
    await chat.history.purge()
    expect(await chat.summary({ model })).toBeNull()
  })
})

describe('a hundred messages of 10,000 characters', () => {
  it.each([
    ['rules if they do not fit the model’s window', 900, 0],
    ['the model if they do', 200_000, 1],
  ])('S2-063 X2-3: are summarized by %s', async (_, window, calls) => {
    const summarizer = (url: string) => narrowModel(url, window)
    const up = await setUp({ policy, windowTokens: 60_000, summarizer })
    const content = 'x y '.repeat(2_500)
    await up.chat.append(giant(0)(0))
    await up.chat.append(
      Array.from({ length: 100 }, (): MessageInput => ({ role: 'user', content })),
    )
    const context = await up.chat.context({ model: talkModel })
    const summary = await up.chat.summary({ model: talkModel })
    expect(Math.min(up.server.requests.length, 1)).toBe(calls)
    if (calls === 0) {
      expect(summary).toMatchObject({ tokensUsed: 0 })
      expect(summary?.content).toContain('Summarized Context')
    } else expect(summary?.tokensUsed).toBeGreaterThan(0)
    const section = context.sections.find(({ kind }) => kind === 'summary')
    expect(section?.tokens).toBeLessThanOrEqual(500)
    expect(context.tokens).toBeLessThanOrEqual(context.available)
  })
})

describe('a session of 120 turns in a window of 4,000 tokens', () => {
  it('S2-003 S2-004 S2-071 S2-072 P0-001 P0-002 P0-004 P0-008: is never refused by a strict provider, and does not grow', async () => {
    const tokenizer = await loadGptTokenizer('o200k_base')
    const windowTokens = 4_000
    const { chat } = begin(windowTokens)
    await chat.append({ role: 'user', content: 'The task: mend the login, ticket LOGIN-4711.' })
    const sizes: number[] = []
    let readTokens = 0
    for (let turn = 0; turn < 120; turn += 1) {
      const output = `const v${turn} = ${turn}\n`.repeat(turn % 10 === 9 ? 900 : 30)
      readTokens += tokenizer?.count(output) ?? 0
      await chat.append({ role: 'user', content: `Look at src/${turn}.ts.` })
      await chat.append(use(`c${turn}`, 'read_file', { path: `src/${turn}.ts` }, output))
      const context = await chat.context({ model, system: 'You mend code.' })
      expect(context.tokens).toBeLessThanOrEqual(context.available)
      const adapter = [openaiChat, anthropicMessages, geminiContents][turn % 3] ?? openaiChat
      const request = adapter.write(context)
      expect(adapter.problems(request as never)).toEqual([])
      // A provider that trims nothing counts every byte of the texts itself.
      const texts = context.messages.flatMap(({ parts }) => parts.map(textIn))
      const counted = texts.reduce((sum, text) => sum + (tokenizer?.count(text) ?? 0), 0)
      expect(counted).toBeGreaterThan(0)
      expect(counted).toBeLessThanOrEqual(windowTokens)
      sizes.push(context.tokens)
      await chat.append({ role: 'assistant', content: `File ${turn} holds.` })
    }
    const sum = (from: number) => sizes.slice(from, from + 40).reduce((all, size) => all + size, 0)
    expect(sum(80)).toBeLessThan(1.1 * sum(40))
    // All files together are many times what a request has.
    expect(readTokens).toBeGreaterThan(10 * Math.max(...sizes))
    const { requests } = await chat.status()
    expect(requests).toHaveLength(100)
    const summary = await chat.summary({ model })
    expect(summary?.content).toContain('LOGIN-4711')
    expect(summary?.content).toMatch(/read_file ×\d{2,}/)
    expect((await chat.info())?.head).toBe(1 + 120 * 4)
  })
})

function textIn(part: Context['messages'][number]['parts'][number]): string {
  switch (part.type) {
    case 'text':
      return part.text
    case 'tool-call':
      return `${part.name}${part.input}`
    case 'tool-result':
      return part.output.kind === 'text' ? part.output.text : JSON.stringify(part.output)
    default:
      return JSON.stringify(part)
  }
}
