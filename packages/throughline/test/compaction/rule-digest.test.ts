import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConversationHandle, createThroughline, fit, type MessageInput } from 'throughline'
import { openaiChat } from 'throughline/adapters'
import { sqlite } from 'throughline/stores/sqlite'
import { summarizeDroppedMessages } from 'throughline/toolkit'
import { afterAll, describe, expect, it } from 'vitest'
import { blockText } from '../../src/domain/data-block.ts'

const folder = mkdtempSync(join(tmpdir(), 'throughline-digest-'))
afterAll(() => rmSync(folder, { recursive: true }))

const models = [
  { id: 'small', contextWindowTokens: 8_000, tokenizer: 'o200k_base' },
  { id: 'tiny', contextWindowTokens: 500, tokenizer: 'o200k_base' },
] as const

const open = (file: string) =>
  createThroughline({ store: sqlite(join(folder, file)), policy: 'rule-digest', models })

function turn(index: number): readonly MessageInput[] {
  const [read, ran] = [`read-${index}`, `ran-${index}`]
  const source = `export const value${index} = ${index}\n`.repeat(30)
  const fails = index % 3 === 1
  return [
    { role: 'user', content: `Look at src/${index}.ts and run its tests.` },
    {
      role: 'assistant',
      content: [
        { type: 'tool-call', callId: read, name: 'read_file', input: { path: `src/${index}.ts` } },
        { type: 'tool-call', callId: ran, name: 'execute_bash', input: { command: 'npm test' } },
      ],
    },
    {
      role: 'tool',
      content: [
        { type: 'tool-result', callId: read, output: source },
        {
          type: 'tool-result',
          callId: ran,
          output: fails ? `Error: Module not found: m${index}\nexit code: 1` : 'exit code: 0',
        },
      ],
    },
    { role: 'assistant', content: `File ${index} is looked at.` },
  ]
}

async function grown(chat: ConversationHandle, turns: number, model = 'small'): Promise<void> {
  for (let index = 0; index < turns; index += 1) {
    await chat.append(turn(index))
    await chat.context({ model })
  }
}

const model = 'small'

describe('the policy rule-digest', () => {
  it('S2-031 S2-032 S2-061 describes dropped messages in lines', async () => {
    const chat = open('lines.db').conversation('c')
    await grown(chat, 30)
    const summary = await chat.summary({ model })
    expect(summary?.content).toMatch(/^--- Summarized Context \(\d+ items\) ---\n/)
    expect(summary?.content).toMatch(
      /^\[✓ read_file: File: src\/\d+\.ts \| Lines: 30 \| Type: typescript \| Exports: value\d+\]$/m,
    )
    expect(summary?.content).toMatch(
      /^\[❌ execute_bash: Command: npm test \| Exit: 1 \|.*Error: /m,
    )
  })

  it('S2-015 quotes an error in full', async () => {
    const chat = open('errors.db').conversation('c')
    const error = `Error: ${'the lock of the store is held by another one; '.repeat(5)}and nobody lets go`
    await chat.append({ role: 'user', content: 'Run it.' })
    await chat.append({
      role: 'assistant',
      content: [
        { type: 'tool-call', callId: 'lock', name: 'execute_bash', input: { command: 'run' } },
      ],
    })
    const output = `${error}\nexit code: 1`
    await chat.append({ role: 'tool', content: [{ type: 'tool-result', callId: 'lock', output }] })
    for (let index = 0; (await chat.summary({ model })) === null; index += 1) {
      await chat.append(turn(index))
      await chat.context({ model })
    }
    expect((await chat.summary({ model }))?.content).toContain(error)
  })

  it('shortens a message to 60 tokens and a frame', async () => {
    const tl = open('stubs.db')
    const chat = tl.conversation('c')
    const meter = await tl.meter(model)
    const sizes: number[] = []
    for (let index = 0; index < 40; index += 1) {
      await chat.append(turn(index))
      const { messages, omitted } = await chat.context({ model })
      const stubbed = new Set(
        omitted.flatMap(({ why, span }) => (why === 'stubbed' ? [span?.from] : [])),
      )
      const stubs = messages.filter(({ seq }) => stubbed.has(seq ?? -1))
      // The newest stubs get the room that the target has left.
      const old = stubs.slice(0, stubs.length / 2)
      sizes.push(...old.map((message) => meter.messages([message])))
    }
    expect(Math.max(...sizes)).toBeGreaterThan(60)
    expect(Math.max(...sizes)).toBeLessThan(90)
  })

  it('S2-046 S2-064 counts its updates and its messages', async () => {
    const chat = open('versions.db').conversation('c')
    await grown(chat, 40)
    const summary = await chat.summary({ model })
    const receipts = await chat.receipts({ limit: 100 })
    const lines = receipts.filter(({ line }) => line > 0)
    expect(summary?.version).toBe(new Set(lines.map(({ line }) => line)).size)
    expect(summary?.version).toBeGreaterThan(3)
    expect(summary?.content).toContain(`[Update ${summary?.version}]`)
    expect(summary?.messagesIncluded).toBe(receipts[0]?.line)
    expect(summary?.updatedAt).toBeGreaterThanOrEqual(summary?.createdAt ?? Number.NaN)
  })

  it('X2-1 folds earlier updates instead of keeping only the latest', async () => {
    const chat = open('folded.db').conversation('c')
    await grown(chat, 60)
    const { content = '' } = (await chat.summary({ model })) ?? {}
    expect(content).toContain('[Condensed history]')
    const itemCount = Number(/\((\d+) items\)/.exec(content)?.[1])
    const counted = [...content.matchAll(/^\[\S+ ×(\d+)/gm)].map(([, count]) => Number(count))
    const lines = content.split('\n').filter((line) => /^\[(?:✓|❌|~|user:|assistant:)/.test(line))
    expect(counted.reduce((sum, count) => sum + count, 0) + lines.length).toBe(itemCount)
  })

  it('S2-056 S2-069 takes at most 500 tokens and a tenth of the budget, apart from its frame', async () => {
    const chat = open('limits.db').conversation('c')
    for (let index = 0; index < 60; index += 1) {
      await chat.append(turn(index))
      const { sections, tokens, available } = await chat.context({ model })
      const summary = sections.find(({ kind }) => kind === 'summary')?.tokens ?? 0
      expect(summary).toBeLessThanOrEqual(Math.min(500, available / 10) + 60)
      expect(tokens).toBeLessThanOrEqual(available)
    }
  })

  it('S2-057 says that it is omitted if there is no room for it', async () => {
    const chat = open('tiny.db').conversation('c')
    await grown(chat, 6, 'tiny')
    expect((await chat.summary({ model: 'tiny' }))?.content).toBe(
      '[Summary omitted - insufficient budget]',
    )
  })

  it('S2-052 S2-053 X2-8 X2-10 follows the system prompt, in the request that drops its messages', async () => {
    const chat = open('order.db').conversation('c')
    for (let index = 0; index < 40; index += 1) {
      await chat.append(turn(index))
      const { messages, omitted } = await chat.context({ model, system: 'Be brief.' })
      const isDropping = omitted.some(({ why }) => why === 'left-out')
      expect(messages.findIndex(({ slot }) => slot === 'summary')).toBe(isDropping ? 0 : -1)
    }
  })

  it('S2-048 INV-15 has the heading of the design, in the user role where tools are its source', async () => {
    const chat = open('heading.db').conversation('c')
    await grown(chat, 30)
    const [summary] = (await chat.context({ model })).messages
    expect(summary).toMatchObject({ slot: 'summary', role: 'user' })
    const content = (await chat.summary({ model }))?.content ?? 'none'
    const [part] = summary?.parts ?? []
    const text = part?.type === 'text' ? part.text : ''
    expect(text).toMatch(/^\[Previous Conversation Summary\]\n\[digest of messages #0 to #\d+,/)
    expect(blockText(text)).toBe(content)
    expect(content).toMatch(/^--- Summarized Context/)
  })

  it.each([4_000, 32_000, 200_000])(
    'S2-048 S2-053 is a system message after the system prompt where people and models are its source (window %d)',
    async (contextWindowTokens) => {
      const tl = createThroughline({
        policy: 'rule-digest',
        models: [{ id: model, contextWindowTokens, tokenizer: 'o200k_base' }],
      })
      const chat = tl.conversation('c')
      // Messages this short are left out rather than shortened.
      const words = 'The ledger of the harbour store was checked by two people. '.repeat(6)
      const exchanges = Array.from({ length: contextWindowTokens / 100 }, (_, index) => [
        { role: 'user', content: `Please check lot ${index}. ${words}` } as const,
        { role: 'assistant', content: `Lot ${index} is fine. ${words}` } as const,
      ])
      await chat.append(exchanges.flat())
      const { messages } = await chat.context({ model, system: 'Be brief.' })
      expect(messages[0]).toMatchObject({ slot: 'summary', role: 'system' })
      const [part] = messages[0]?.parts ?? []
      expect(part?.type === 'text' ? part.text : '').toMatch(
        /^\[Previous Conversation Summary\]\n\[digest of .*\]\n--- Summarized Context \(\d+ items\) ---\n/,
      )
      expect(messages.slice(1).every(({ role }) => role !== 'system')).toBe(true)
    },
  )

  it('S2-019 S2-060 S2-061 reads tool messages that name their tool and no call', async () => {
    const { messages } = openaiChat.read({
      messages: [
        { role: 'user', content: 'Look at it.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            {
              id: 'a',
              type: 'function',
              function: { name: 'read_file', arguments: '{"path":"/app.ts"}' },
            },
          ],
        },
        { role: 'tool', name: 'read_file', content: 'export const app = 1\nexport const b = 2' },
        { role: 'tool', name: 'execute_bash', content: 'Error: Module not found\nexit code: 1' },
      ],
    })
    expect(messages[2]?.content).toMatchObject([{ callId: 'a', name: 'read_file' }])
    expect(messages[3]).toMatchObject({ role: 'tool', author: 'execute_bash' })
    expect(summarizeDroppedMessages(messages)).toMatch(
      /^\[✓ read_file: File: \/app\.ts \| Lines: 2 .*\]\n\[❌ execute_bash: .*Exit: 1 .*Error: Module not found.*\]$/m,
    )
    const chat = open('named.db').conversation('c')
    await chat.append(messages)
    const request = openaiChat.write(await chat.context({ model }))
    expect(JSON.stringify(request)).toContain('Module not found')
  })

  it('leaves no old message as a note that neither shows nor summarizes it', async () => {
    const messages = Array.from(
      { length: 41 },
      (_, at): MessageInput => ({
        role: at % 2 === 0 ? 'user' : 'assistant',
        content: `Shelf ${at * 7} holds ${at * 13} jars of kind ${at}. `.repeat(3 + ((at * 5) % 9)),
      }),
    )
    const windows = Array.from({ length: 14 }, (_, step) => 2_500 + step * 250)
    const fitted = await Promise.all(
      windows.map((contextWindowTokens) => {
        const card = { id: 'any', contextWindowTokens, tokenizer: 'o200k_base' } as const
        return fit({ messages, model: card.id, models: [card], policy: 'rule-digest' })
      }),
    )
    const request = JSON.stringify(fitted.map((each) => each.messages))
    expect(request.match(/"\[left out; see #\d+\]"/g)).toBeNull()
  })

  it('X2-7 is kept for another process, which continues it', async () => {
    const first = open('kept.db')
    await grown(first.conversation('c'), 26)
    const before = await first.conversation('c').summary({ model })
    expect(before).not.toBeNull()
    await first.close()
    const second = open('kept.db').conversation('c')
    expect(await second.summary({ model })).toEqual(before)
    for (let index = 26; index < 46; index += 1) {
      await second.append(turn(index))
      await second.context({ model })
    }
    const after = await second.summary({ model })
    expect(after?.version).toBeGreaterThan(before?.version ?? 0)
    expect(after?.createdAt).toBe(before?.createdAt)
  })

  it('S2-047 is null as long as everything is shown', async () => {
    const chat = open('none.db').conversation('c')
    expect(await chat.summary({ model })).toBeNull()
    await grown(chat, 1)
    expect(await chat.summary({ model })).toBeNull()
  })
})
