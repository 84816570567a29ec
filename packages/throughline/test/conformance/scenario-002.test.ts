/** One long coding session on the preset `rule-digest`, as the author of design 002 would try it. */
import { type Context, createThroughline, type MessageInput } from 'throughline'
import { scriptedModel } from 'throughline/testing'
import { summaryMessage } from 'throughline/toolkit'
import { describe, expect, it } from 'vitest'
import { blockText } from '../../src/domain/data-block.ts'
import { usageReports } from './scenarios.ts'

const model = 'coder'
const system = 'You are a careful programmer.'

/** A file is read, changed and tested; every third test fails. */
function turn(index: number): readonly MessageInput[] {
  const path = `src/part-${index}.ts`
  const use = (name: string, input: object, output: string): readonly MessageInput[] => {
    const callId = `${name}-${index}`
    return [
      { role: 'assistant', content: [{ type: 'tool-call', callId, name, input: { ...input } }] },
      { role: 'tool', content: [{ type: 'tool-result', callId, output }] },
    ]
  }
  const source = `import { a } from './a.ts'\nexport const value${index} = ${index}\n`.repeat(12)
  const failure = `FAIL part-${index}\nError: Module not found: part-${index}\nexit code: 1`
  return [
    { role: 'user', content: `Please look at ${path} and run its test.` },
    ...use('read_file', { path }, source),
    ...use('grep', { pattern: `value${index}` }, `${path}:2: export const value${index}`),
    ...use('execute_bash', { command: 'npm test' }, index % 3 === 1 ? failure : 'exit code: 0'),
    { role: 'assistant', content: `I decided to leave part ${index} as it is.` },
  ]
}
const turnMessages = turn(0).length

const cases = [
  { window: 4_000, turnsPerRequest: 1, requests: 30 },
  { window: 32_000, turnsPerRequest: 8, requests: 20 },
  { window: 200_000, turnsPerRequest: 110, requests: 7 },
].flatMap((each) => usageReports(each.window).map((reportsUsage) => ({ ...each, reportsUsage })))

function textIn({ messages }: Context, slot: string): string {
  const [part] = messages.find((message) => message.slot === slot)?.parts ?? []
  return part?.type === 'text' ? part.text : ''
}

describe.each(cases)(
  'a session of $requests requests, window $window, usage reported: $reportsUsage',
  ({ window: contextWindowTokens, turnsPerRequest, requests, reportsUsage }) => {
    async function session(summarizer?: ReturnType<typeof scriptedModel>) {
      const tl = createThroughline({
        policy: 'rule-digest',
        models: [{ id: model, contextWindowTokens, tokenizer: 'o200k_base' }],
        ...(summarizer !== undefined && { summarizer }),
      })
      const chat = tl.conversation('session')
      const taken: { context: Context; summary: Awaited<ReturnType<typeof chat.summary>> }[] = []
      let index = 0
      for (let request = 0; request < requests; request += 1) {
        for (let at = 1; at < turnsPerRequest; at += 1, index += 1) await chat.append(turn(index))
        const [question, ...rest] = turn(index)
        index += 1
        if (question === undefined) throw new Error('a turn has a question')
        await chat.append(question)
        const context = await chat.context({ model, system })
        taken.push({ context, summary: await chat.summary({ model }) })
        const usage = { usage: { inputTokens: context.tokens }, of: context.fingerprint }
        await chat.append(rest, reportsUsage ? usage : {})
      }
      return { tl, chat, taken, turns: index }
    }

    // A session takes seconds in the largest window: tests share one, and repeat only smaller ones.
    let shared: ReturnType<typeof session> | null = null
    const ruled = () => {
      shared ??= session()
      return shared
    }
    const isRepeated = contextWindowTokens < 200_000

    it('S2-002 S2-046 S2-050 S2-051 S2-053 S2-056 S2-064 S2-068 S2-069 S2-071 S2-072: never overflows, and describes what left', async () => {
      const { tl, chat, taken } = await ruled()
      const meter = await tl.meter(model)
      const reserve = Math.min(4_096, contextWindowTokens * 0.25)
      let [version, createdAt] = [0, 0]
      for (const { context, summary } of taken) {
        const { available, tokens, messages, omitted } = context
        expect(available).toBeLessThanOrEqual(contextWindowTokens - reserve)
        expect(tokens).toBeLessThanOrEqual(available)
        const dropped = omitted.some(({ why }) => why === 'left-out')
        expect(messages.findIndex(({ slot }) => slot === 'summary')).toBe(dropped ? 0 : -1)
        if (summary === null) continue
        expect(textIn(context, 'summary')).toMatch(
          /^\[Previous Conversation Summary\]\n\[digest of /,
        )
        expect(blockText(textIn(context, 'summary'))).toBe(summary.content)
        // Tools are among its sources.
        expect(summaryMessage(summary)).toEqual({
          role: 'user',
          content: `[Previous Conversation Summary]\n${summary.content}`,
        })
        expect(messages[0]?.role).toBe('user')
        const maxTokens = Math.min(500, available / 10)
        expect(meter.text(summary.content)).toBeLessThanOrEqual(maxTokens)
        expect([summary.version, summary.version - 1]).toContain(version)
        if (createdAt !== 0) expect(summary.createdAt).toBe(createdAt)
        version = summary.version
        createdAt = summary.createdAt
        expect(summary.tokensUsed).toBe(0)
        expect(summary.messagesIncluded).toBe(
          Math.min(...messages.flatMap(({ seq }) => (seq === null ? [] : [seq]))),
        )
      }
      expect(version).toBeGreaterThanOrEqual(2)
      const { content = '' } = (await chat.summary({ model })) ?? {}
      expect(content).toMatch(/^--- Summarized Context \(\d+ items\) ---\n/)
      const items = Number(/\((\d+) items\)/.exec(content)?.[1])
      const counted = [...content.matchAll(/^\[\S+ ×(\d+)/gm)].map(([, count]) => Number(count))
      const lines = content
        .split('\n')
        .filter((line) => /^\[(?:✓|❌|~|user:|assistant:)/.test(line))
      expect(counted.reduce((sum, count) => sum + count, 0) + lines.length).toBe(items)
    })

    it('P0-010 S2-010: keeps the last turns, the log and, run again, every byte', async () => {
      const { chat, taken, turns } = await ruled()
      const last = taken.at(-1)?.context
      const shown = new Set(last?.messages.map(({ seq }) => seq))
      const head = (turns - 1) * turnMessages + 1
      // Five turns, where the window has room for them.
      const kept = contextWindowTokens === 4_000 ? 1 : 5
      for (let seq = head - 1 - (kept - 1) * turnMessages; seq < head; seq += 1)
        expect(shown.has(seq), `#${seq} of ${head}`).toBe(true)
      expect(await Array.fromAsync(chat.messages())).toHaveLength(turns * turnMessages)
      if (!isRepeated) return
      const again = await session()
      expect(again.taken.map(({ context }) => context.fingerprint)).toEqual(
        taken.map(({ context }) => context.fingerprint),
      )
    })

    it('S2-011 S2-040 S2-043 S2-067 S2-070: a model may write it; if it fails, rules do', async () => {
      const text = 'The parts were read, and the failing tests name missing modules.'
      const summarizer = scriptedModel(() => text)
      const { chat, taken } = await session(summarizer)
      expect(summarizer.asked.length).toBeGreaterThan(0)
      for (const request of summarizer.asked) {
        expect(request).not.toHaveProperty('tools')
        expect(request.maxOutputTokens).toBeLessThanOrEqual(500)
      }
      const summary = await chat.summary({ model })
      expect(summary?.content).toMatch(/^\[Previous Conversation Summary\]\n/)
      expect(summary?.tokensUsed).toBeGreaterThan(0)
      const last = taken.at(-1)?.context
      expect(last && textIn(last, 'summary')).toMatch(
        /^\[Previous Conversation Summary\]\n\[summary of [^\n]*\]\nThe parts were read/,
      )
      if (!isRepeated) return
      const refused = { cause: 'refused', status: 400, retryAfterMs: null, message: 'no' } as const
      const failing = scriptedModel(() => ({ kind: 'failed', failure: refused }))
      const byRules = await session(failing)
      expect(failing.asked.length).toBeGreaterThan(0)
      const fallback = await byRules.chat.summary({ model })
      expect(fallback?.content).toMatch(/^--- Summarized Context/)
      expect(fallback?.tokensUsed).toBe(0)
    })
  },
)
