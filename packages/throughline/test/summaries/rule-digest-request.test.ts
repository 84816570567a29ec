import { createThroughline, policies } from 'throughline'
import { classify } from 'throughline/toolkit'
import { describe, expect, it } from 'vitest'
import {
  askedIn,
  blockIn,
  exchange,
  model,
  narrowModel,
  placesIn,
  setUp,
  talk,
  talkUntilAsked,
  toolTurn,
} from './set-up.ts'

const policy = 'rule-digest'
const windowTokens = 2_000

describe('the request for a digest', () => {
  it('S2-033: asks for file operations, their outcomes, findings and the state of the task', async () => {
    const up = await setUp({ policy, windowTokens })
    await talkUntilAsked(up)
    const { system, content } = askedIn(up.server.requests[0])
    expect(system).toBe('')
    expect(content).toMatch(
      /^Summarize the following conversation context concisely\. Focus on:\n1\. What files were read\/modified\n2\. What operations succeeded or failed\n3\. Key decisions or findings\n4\. Current state of the task\n\nKeep the summary under \d+ tokens\. Be factual and brief\.\n/,
    )
    expect(blockIn(up.server.requests[0], 'transcript')).toContain('module-0.ts')
  })

  // The design’s LLMSummaryOptions are our slot, summarizer and prompt.
  it('S2-034 S2-038: allows as many tokens as the slot has, and offers no tools of the chat', async () => {
    const slots = policies[policy].advanced.slots.map((slot) =>
      slot.kind === 'summary' ? { ...slot, most: 123 } : slot,
    )
    const up = await setUp({
      policy: { ...policies[policy], name: 'small', advanced: { slots } },
      windowTokens: 4_000,
    })
    const tools = [{ name: 'read_file', parameters: { type: 'object' } }]
    for (let index = 0; up.server.requests.length === 0; index += 1) {
      await up.chat.append(exchange(index))
      await up.chat.context({ model, tools })
    }
    const [request] = up.server.requests
    expect(request?.question).toMatchObject({ model: 'gpt-5-mini', maxOutputTokens: 123 })
    expect(request?.question?.toolNames).toEqual([])
    expect(request?.body).not.toHaveProperty('tools')
    expect(askedIn(request).content).toContain('under 110 tokens')
  })

  it('S2-034 X2-6 B2-8: uses a custom prompt, whose placeholders are filled once', async () => {
    const summarizers = [
      { style: 'digest', prompt: 'In {maxTokens} tokens: {context} Go.' },
    ] as const
    const up = await setUp({
      policy: { ...policies[policy], name: 'own', summarizers },
      windowTokens,
    })
    await up.chat.append({ role: 'user', content: 'Keep {context} and {maxTokens} and $& here.' })
    await talkUntilAsked(up)
    const { content } = askedIn(up.server.requests[0])
    expect(content).toMatch(/^In \d+ tokens: \[transcript · .* Go\.$/s)
    expect(content).toContain('[user]: Keep {context} and {maxTokens} and $& here.')
    expect(await up.chat.summaries()).toHaveLength(1)
  })

  it.each(['Tell it.', '{context} and {context}', '{context}'])(
    'S2-034 X2-6: refuses the prompt "%s" before a model is asked',
    (prompt) => {
      const summarizers = [{ style: 'digest', prompt }] as const
      expect(() => createThroughline({ policy: { name: 'wrong', summarizers } })).toThrow(/prompt/)
    },
  )

  it('S2-036: names each speaker, with 1,000 characters per message and a label for opaque content', async () => {
    const up = await setUp({ policy, windowTokens })
    await up.chat.append([
      { role: 'user', content: 'x'.repeat(1_400) },
      { role: 'assistant', content: [{ type: 'opaque', kind: 'sealed', json: '{"a":1}' }] },
    ])
    await talkUntilAsked(up)
    const transcript = blockIn(up.server.requests[0], 'transcript')
    expect(transcript).toMatch(
      /^\[user\]: x{1000} \[… 400 more characters\]\n\n\[assistant\]: \[complex content\]\n\n\[user\]: Please look at/,
    )
  })

  it('S2-037 X2-3: is sent also if the context has more than twice the tokens of the summary', async () => {
    const up = await setUp({ policy, windowTokens })
    await talkUntilAsked(up)
    const meter = await up.tl.meter('openai/gpt-5-mini')
    const [most = 0] = [up.server.requests[0]?.question?.maxOutputTokens ?? 0]
    expect(meter.text(blockIn(up.server.requests[0], 'transcript'))).toBeGreaterThan(2 * most)
    expect(await up.chat.summaries()).toHaveLength(1)
  })

  it('S2-042: contains the messages dropped since the last digest, and the last digest', async () => {
    const up = await setUp({ policy, windowTokens })
    const first = await talkUntilAsked(up)
    const second = await talkUntilAsked(up, { from: first.next })
    const [was = 0, line = 0] = [first, second].map(({ context }) => placesIn(context)[0])
    const transcript = blockIn(up.server.requests[1], 'transcript')
    expect(transcript.match(/look at module-\d+/g)).toEqual(
      Array.from({ length: (line - was) / 2 }, (_, at) => `look at module-${was / 2 + at}`),
    )
    expect(blockIn(up.server.requests[1], 'previous summary')).toBe(
      (await up.chat.summaries({ skip: 1 }))[0]?.text,
    )
  })

  it('S2-060 S2-061 S2-066: contains the results of all tools as facts, and failures with their errors', async () => {
    const up = await setUp({ policy, windowTokens })
    await up.chat.append(toolTurn(0))
    await talkUntilAsked(up)
    const transcript = blockIn(up.server.requests[0], 'transcript')
    for (const line of [
      /read_file \(success\): File: \/app\.ts \| Lines: 30 \| Type: typescript \| Exports: port/,
      /execute_bash \(error\): Command: npm test \| Exit: 1 .*Error: Module not found/,
      /search_files \(success\): Pattern: "port" \| Matches: 2/,
      /create_file \(success\): File: \/new\.ts/,
      /edit_file \(success\): File: \/app\.ts/,
      /deploy \(success\)/,
    ])
      expect(transcript).toMatch(line)
    expect(transcript).not.toContain('export const port = 1\nexport')
  })

  it('S2-065: contains the oldest messages of the lowest priority', async () => {
    const up = await setUp({ policy, windowTokens })
    const { context, next } = await talkUntilAsked(up)
    const [line = 0] = placesIn(context)
    const messages = Array.from({ length: next }, (_, at) => exchange(at))
      .flat()
      .slice(0, -1)
    const classified = classify(messages, { policy, meter: await up.tl.meter(model) })
    // The design’s metadata are separate fields here.
    expect(classified[0]).toMatchObject({
      message: messages[0],
      class: 'old-user-text',
      priority: 40,
      tokens: expect.any(Number),
      step: 0,
      turnsAgo: next - 1,
    })
    const priorities = classified.slice(0, line).map(({ priority }) => priority)
    const least = Math.min(...classified.map(({ priority }) => priority))
    expect(new Set(priorities)).toEqual(new Set([least]))
  })

  it('S2-011 S2-067: never exceeds the model’s window, and is split into several', async () => {
    const most = 2_750
    const up = await setUp({
      policy,
      windowTokens: 12_000,
      summarizer: (url) => narrowModel(url, most),
    })
    await talk(up.chat, { from: 0, to: 1 })
    await up.chat.append(Array.from({ length: 80 }, (_, at) => exchange(1 + at)).flat())
    await talkUntilAsked(up, { from: 81 })
    const meter = await up.tl.meter('openai/gpt-5-mini')
    expect(up.server.requests.length).toBeGreaterThan(1)
    for (const request of up.server.requests) {
      const { content } = askedIn(request)
      const { maxOutputTokens } = request.question ?? {}
      expect(meter.text(content) + (maxOutputTokens ?? Number.NaN)).toBeLessThanOrEqual(most)
    }
  })
})
