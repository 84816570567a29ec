import { policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import { exchange, model, openaiModel, placesIn, type SetUp, setUp, talk } from './set-up.ts'

const policy = 'ratio-chain'

/** The next context asks a model. */
async function atTrigger(options: Partial<Parameters<typeof setUp>[0]> = {}): Promise<SetUp> {
  const up = await setUp({ policy, ...options })
  await talk(up.chat, { from: 0, to: 16 })
  await up.chat.append(exchange(16)[0])
  return up
}

describe('a context that waits for a model and is aborted', () => {
  it('rejects with the reason, and changes nothing but the account of calls', async () => {
    const { chat, server, live } = await atTrigger({ faults: ['hang'] })
    const before = await chat.status()
    const stop = new AbortController()
    const waiting = chat.context({ model, signal: stop.signal })
    await expect.poll(() => server.requests.length).toBe(1)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    await expect.poll(() => server.requests[0]?.ended).toBe('left')
    expect(live.at(-1)).toMatchObject({
      kind: 'summarization-failed',
      summarization: { why: 'aborted', attempts: [{ outcome: { cause: 'aborted' } }] },
    })
    expect((await chat.events()).at(-1)).toMatchObject({ kind: 'summary-failed', why: 'aborted' })
    const after = await chat.status()
    expect(after).toEqual({ ...before, conversation: after.conversation })
    expect((await chat.info())?.head).toBe(33)
    const { decision, brokenBy } = await chat.context({ model })
    expect({ decision, brokenBy }).toMatchObject({
      decision: { kind: 'compact', reason: 'tokenRatio' },
      brokenBy: 'trigger',
    })
    expect(await chat.summaries()).toHaveLength(1)
  })

  it('does not abort another context, which then asks the model again', async () => {
    const { chat, server } = await atTrigger({ faults: ['hang'] })
    const stop = new AbortController()
    const first = chat.context({ model, signal: stop.signal })
    await expect.poll(() => server.requests.length).toBe(1)
    const second = chat.context({ model })
    stop.abort(new Error('enough'))
    await expect(first).rejects.toThrow('enough')
    expect((await second).decision.reason).toBe('tokenRatio')
    expect(server.requests).toHaveLength(2)
  })

  it('does not wait for the call of another context', async () => {
    const summarizer = (url: string) => openaiModel(url, 'gpt-5-mini', 600)
    const { chat, server } = await atTrigger({ faults: ['hang'], summarizer })
    const first = chat.context({ model })
    await expect.poll(() => server.requests.length).toBe(1)
    const second = chat.context({ model, signal: AbortSignal.timeout(50) })
    await expect(second).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(server.requests[0]?.ended).toBeNull()
    expect((await first).decision.reason).toBe('tokenRatio')
  })

  it('asks no model if it is aborted from the start', async () => {
    const { chat, server } = await atTrigger()
    const signal = AbortSignal.abort(new Error('never'))
    await expect(chat.context({ model, signal })).rejects.toThrow('never')
    expect(server.requests).toEqual([])
  })
})

describe('a policy that throws if no model writes a summary', () => {
  it('throws SUMMARY_FAILED, and changes nothing but the account of calls', async () => {
    const throwing = {
      ...policies[policy],
      name: 'throws',
      advanced: { onFailure: 'throw' },
    } as const
    const { chat, server } = await atTrigger({ policy: throwing, faults: ['not-json'] })
    const before = await chat.status()
    await expect(chat.context({ model })).rejects.toMatchObject({
      code: 'SUMMARY_FAILED',
      details: { why: 'all-failed', calls: 1 },
    })
    expect((await chat.events()).at(-1)).toMatchObject({
      kind: 'summary-failed',
      calls: 1,
      costUsd: expect.any(Number),
    })
    const after = await chat.status()
    expect(after).toEqual({ ...before, conversation: after.conversation })
    expect(await chat.receipts()).toEqual([])
    expect(await chat.summary({ model })).toBeNull()
    const context = await chat.context({ model })
    expect(context).toMatchObject({ brokenBy: 'trigger', decision: { reason: 'tokenRatio' } })
    expect(placesIn(context)[0]).toBeGreaterThan(0)
    expect(server.requests).toHaveLength(2)
  })
})
