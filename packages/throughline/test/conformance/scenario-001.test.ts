/** The design with ratios and a chain of summaries, as its author would try it. */
import type { Context } from 'throughline'
import { describe, expect, it } from 'vitest'
import {
  failing,
  message,
  placesIn,
  range,
  type Scenario,
  scenario,
  transcriptIn,
  variants,
} from './scenarios.ts'

const policy = 'ratio-chain'
/** The model that writes has no exact tokenizer: its own count of the same text is higher. */
const estimateRatio = 1.6

/** Messages of this share of the window, until the context satisfies the condition. */
async function talk(
  up: Scenario,
  share: number,
  until: (context: Context) => boolean,
): Promise<readonly Context[]> {
  const contexts: Context[] = []
  const tokens = Math.floor(up.windowTokens * share)
  for (let context: Context | undefined; context === undefined || !until(context); ) {
    const head = (await up.chat.info())?.head ?? 0
    ;[context] = await up.say([message(head, up.text(`part-${head}.ts`, tokens))])
    if (context === undefined || contexts.length > 400) throw new Error('the talk has no end')
    contexts.push(context)
  }
  return contexts
}

const isCompaction = ({ decision }: Context) => decision.kind === 'compact'

describe.each(variants)('$windowTokens tokens, usage reported: $reportsUsage', (variant) => {
  const { windowTokens } = variant

  it.each([0.03, 0.008])(
    'S1-016 S1-055 S1-091 S1-101: messages of %d of the window compact once, at 0.8',
    async (share) => {
      const up = await scenario(policy, variant)
      const contexts = await talk(up, share, isCompaction)
      const ratios = contexts.map(({ decision }) => decision.figures.ratio ?? 0)
      // With usage, the engine adds half a percent and the error of its counts.
      const headroom = variant.reportsUsage ? 0.006 : 0
      for (const ratio of ratios.slice(0, -1)) expect(ratio).toBeLessThan(0.8)
      expect(ratios.at(-1)).toBeGreaterThanOrEqual(0.8)
      expect(ratios.at(-1)).toBeLessThan(0.8 + share * 1.3 + headroom)
      const [last] = contexts.slice(-1)
      expect(last?.decision.reason).toBe('tokenRatio')
      expect(await up.chat.summaries()).toHaveLength(1)
      const transcriptTokens = windowTokens * 0.8 * estimateRatio
      const calls = up.writer.asked.length
      if (transcriptTokens < 8_000) expect(calls).toBe(1)
      else expect(calls).toBeLessThanOrEqual(Math.ceil(transcriptTokens / 8_000) * 2 + 1)
      const tokensBefore = last?.decision.figures.tokens ?? 0
      expect((ratios.at(-1) ?? 0) * windowTokens).toBeGreaterThanOrEqual(tokensBefore)
      expect((ratios.at(-1) ?? 0) * windowTokens).toBeLessThan(tokensBefore * 1.01)
    },
  )

  it('S1-003 S1-012 S1-014 S1-039 S1-043 S1-058 S1-082 S1-083 S1-099: a long talk has a chain of summaries, each with its event and its messages', async () => {
    const up = await scenario(policy, variant)
    const compactions: Context[] = []
    for (let count = 0; count < 5; count += 1)
      compactions.push(...(await talk(up, 0.03, isCompaction)).slice(-1))
    const records = (await up.chat.summaries()).toReversed()
    expect(records.map(({ depth }) => depth)).toEqual([0, 1, 2, 0, 1])
    expect(records.map(({ parentId }) => parentId)).toEqual([
      null,
      ...records.slice(0, -1).map(({ id }) => id),
    ])
    const messages = await Array.fromAsync(up.chat.messages())
    const events = (await up.chat.events({ limit: 1_000 })).filter(
      ({ kind }) => kind === 'summary-written',
    )
    for (const [at, context] of compactions.entries()) {
      const record = records[at]
      const shown = placesIn(context)
      // Six messages, and the question that the oldest of them answers.
      expect([6, 7]).toContain(shown.length)
      expect(record?.covers).toEqual({ from: 0, to: shown[0] })
      expect(record?.originalMessageIds).toEqual(
        messages.slice(record?.added.from, record?.added.to).map(({ id }) => id),
      )
      expect(context.messages[0]).toMatchObject({ role: 'system', slot: 'summary' })
      expect(JSON.stringify(context.messages[0])).toContain(`summary-depth:${record?.depth}`)
      expect(events[at]).toMatchObject({
        reason: 'tokenRatio',
        depth: record?.depth,
        tokensBefore: context.decision.figures.tokens,
        ratio: context.decision.figures.ratio,
      })
    }
  })

  it('S1-103 X1-7: no request has more than 8,000 tokens of a transcript, and one suffices where they fit', async () => {
    const up = await scenario(policy, variant)
    await talk(up, 0.03, isCompaction)
    const meter = await up.tl.meter('scripted/model')
    const transcripts = up.writer.asked.map(transcriptIn)
    for (const transcript of transcripts) expect(meter.text(transcript)).toBeLessThanOrEqual(8_000)
    if (windowTokens < 8_000) expect(transcripts).toHaveLength(1)
    const [record] = await up.chat.summaries()
    const all = transcripts.join('\n')
    for (const place of range(0, record?.covers.to ?? 0)) expect(all).toContain(`part-${place}.ts`)
    expect(record).toMatchObject({ degraded: false, account: { marks: [] } })
  })

  it('S1-011 S1-023 S1-059 S1-060 S1-092 S1-098: a burst above the trigger waits for four messages after a summary', async () => {
    const up = await scenario(policy, variant)
    await talk(up, 0.03, isCompaction)
    const asked = up.writer.asked.length
    const { head = 0 } = (await up.chat.info()) ?? {}
    const size = Math.floor(windowTokens * 0.2)
    const burst = range(head, head + 3).map((at) => message(at, up.text(`part-${at}.ts`, size)))
    const contexts = await up.say(burst)
    const last = contexts.at(-1)
    expect(last?.decision.figures.ratio).toBeGreaterThan(0.8)
    // Also: fewer than twelve messages are not summarized yet.
    expect(last?.decision.kind).toBe('continue')
    expect(['cooldown', 'minimum']).toContain(last?.decision.reason)
    expect(up.writer.asked).toHaveLength(asked)
    const [fourth] = await up.say([message(head + 3, 'And now?')])
    expect(fourth?.decision.kind).toBe('continue')
    // A window that is full waits for nothing.
    const [full] = await up.say([message(head + 4, up.text('full.ts', size))])
    expect(full?.decision).toMatchObject({ kind: 'compact', reason: 'emergency' })
    expect(full?.tokens).toBeLessThanOrEqual(full?.available ?? 0)
  })

  it('S1-018: fewer than twelve messages are not summarized', async () => {
    const up = await scenario(policy, variant)
    const contexts = await talk(up, 0.082, ({ messages }) => messages.length === 11)
    const last = contexts.at(-1)
    expect(last?.decision.figures.ratio).toBeGreaterThan(0.8)
    expect(last?.decision).toMatchObject({ kind: 'continue', reason: 'minimum' })
    expect(up.writer.asked).toEqual([])
  })

  it('S1-024 S1-057 S1-077 S1-095: a failed summary changes nothing, and is tried again after four messages', async () => {
    const up = await scenario(policy, variant, failing)
    const contexts = await talk(up, 0.021, isCompaction)
    const failed = contexts.at(-1)
    expect(failed?.decision.reason).toBe('tokenRatio')
    expect(failed && placesIn(failed)).toEqual(range(0, contexts.length))
    const asked = up.writer.asked.length
    const after = await up.say(
      range(contexts.length, contexts.length + 4).map((at) => message(at, 'And now?')),
    )
    expect(after.map(({ decision }) => decision.reason)).toEqual([
      'cooldown',
      'cooldown',
      'cooldown',
      'tokenRatio',
    ])
    for (const context of after) expect(placesIn(context)[0]).toBe(0)
    expect(up.writer.asked.length).toBeGreaterThan(asked)
    const failures = (await up.chat.events({ limit: 1_000 })).filter(
      ({ kind }) => kind === 'summary-failed',
    )
    expect(failures).toHaveLength(2)
    // Once they do not fit, only as many messages leave as necessary.
    const size = Math.floor(windowTokens * 0.1)
    const { head = 0 } = (await up.chat.info()) ?? {}
    const full = (
      await up.say(range(head, head + 2).map((at) => message(at, up.text(`x-${at}.ts`, size))))
    ).at(-1)
    expect(full?.decision.reason).toBe('emergency')
    expect(full?.tokens).toBeLessThanOrEqual(full?.available ?? 0)
    expect(full && placesIn(full).length).toBeGreaterThan(20)
    expect(await up.chat.summaries()).toEqual([])
  })

  it.each([0.9, 1.5, 3])(
    'S1-013 S1-019: a stored conversation of %d windows begins with a summary and six messages',
    async (windows) => {
      const up = await scenario(policy, variant)
      const size = Math.floor(windowTokens * 0.03)
      const count = 2 * Math.ceil(windows / 0.03 / 2)
      await up.chat.append(range(0, count).map((at) => message(at, up.text(`part-${at}.ts`, size))))
      const context = await up.ask()
      expect(context.decision.kind).toBe('compact')
      expect(placesIn(context)).toEqual(range(count - 6, count))
      expect(await up.chat.summaries()).toMatchObject([{ covers: { from: 0, to: count - 6 } }])
      expect(context.messages[0]).toMatchObject({ role: 'system', slot: 'summary' })
    },
  )

  it('S1-013: a stored conversation below the trigger is shown whole', async () => {
    const up = await scenario(policy, variant)
    const size = Math.floor(windowTokens * 0.03)
    await up.chat.append(range(0, 24).map((at) => message(at, up.text(`part-${at}.ts`, size))))
    const context = await up.ask()
    expect(placesIn(context)).toEqual(range(0, 24))
    expect(up.writer.asked).toEqual([])
  })

  it('S1-077: a stored conversation above the trigger is shown whole if its summary fails', async () => {
    const up = await scenario(policy, variant, failing)
    const size = Math.floor(windowTokens * 0.03)
    await up.chat.append(range(0, 28).map((at) => message(at, up.text(`part-${at}.ts`, size))))
    const context = await up.ask()
    expect(context.decision).toMatchObject({ kind: 'compact', reason: 'tokenRatio' })
    expect(placesIn(context)).toEqual(range(0, 28))
  })

  it('S1-083: a summary of tool output has the role user', async () => {
    const up = await scenario(policy, variant)
    await up.say([
      { role: 'user', content: 'Read it.' },
      { role: 'assistant', content: [{ type: 'tool-call', callId: 'r', name: 'read', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', callId: 'r', output: 'port = 80' }] },
      { role: 'assistant', content: 'The port is 80.' },
    ])
    const context = (await talk(up, 0.03, isCompaction)).at(-1)
    expect(context?.messages[0]).toMatchObject({ role: 'user', slot: 'summary' })
  })
})
