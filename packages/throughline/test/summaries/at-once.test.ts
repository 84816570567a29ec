import { policies } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { describe, expect, it } from 'vitest'
import { testFolder } from '../stores/sqlite-file.ts'
import { engineOn, exchange, model, setUp, slotText, talk, talkUntilAsked } from './set-up.ts'

const policy = 'ratio-chain'
const windowTokens = 2_000

describe('requests that need a summary at the same time', () => {
  it('S1-104: in one engine, wait for the one that asks', async () => {
    const up = await setUp({ policy })
    await talk(up.chat, { from: 0, to: 16 })
    await up.chat.append(exchange(16)[0])
    const contexts = await Promise.all(
      Array.from({ length: 5 }, () => up.tl.conversation('c').context({ model })),
    )
    expect(up.server.requests).toHaveLength(1)
    expect(new Set(contexts.map(({ fingerprint }) => fingerprint)).size).toBe(1)
    expect(await up.chat.summaries()).toHaveLength(1)
    expect(await up.chat.receipts()).toHaveLength(1)
  })

  it('in two engines on one file, one wins, the other retries, and both pay', async () => {
    const folder = testFolder()
    const file = folder.file('shared.db')
    const twice = { ...policies[policy], name: 'twice', limits: { callsPerHour: 2 } }
    const up = await setUp({ policy: twice, windowTokens, store: sqlite(file) })
    const other = engineOn(up.server, { policy: twice, windowTokens, store: sqlite(file) })
    await talk(up.chat, { from: 0, to: 16 })
    await up.chat.append(exchange(16)[0])
    const [one, two] = await Promise.all([
      up.chat.context({ model }),
      other.conversation('c').context({ model }),
    ])
    expect(up.server.requests).toHaveLength(2)
    expect(one?.fingerprint).toBe(two?.fingerprint)
    expect(slotText(one ?? two, 'summary')).toContain('User wanted to have files read')
    expect(await up.chat.receipts()).toHaveLength(1)
    const summaryEvents = (await up.chat.events()).filter(({ kind }) => kind.startsWith('summary-'))
    // The engine that retried still reports why it asked, and takes the other's summary.
    const [tokensBefore] = summaryEvents.map(
      (event) => 'tokensBefore' in event && event.tokensBefore,
    )
    expect(summaryEvents).toMatchObject([
      { kind: 'summary-written', reason: 'tokenRatio', calls: 1, messages: 26, tokensBefore },
      { kind: 'summary-failed', reason: 'tokenRatio', calls: 1, why: 'superseded', tokensBefore },
    ])
    // Both calls count, so none is left in this hour.
    await talk(up.chat, { from: 17, to: 34 })
    expect(up.server.requests).toHaveLength(2)
    expect(up.live.at(-1)).toMatchObject({ summarization: { why: 'calls-per-hour', attempts: [] } })
    expect(await up.chat.summaries()).toHaveLength(1)
    await other.close()
    folder.remove()
  })

  it('do not repeat a call whose summary came too late to be kept', async () => {
    const store = memory()
    const up = await setUp({ policy, store })
    const other = engineOn(up.server, { policy, windowTokens, store, summarizer: null })
    await talkUntilAsked(up)
    await up.chat.compactNextRequest({ afresh: true })
    await up.chat.append(exchange(40)[0])
    const asked = up.server.requests.length
    // Another engine commits while the model is asked.
    const pinned = new Promise((resolve) => {
      up.tl.on(({ kind }) => {
        if (kind === 'model-attempt-started') resolve(other.conversation('c').pin(2))
      })
    })
    await up.chat.context({ model })
    await pinned
    expect(up.server.requests).toHaveLength(asked + 1)
    const summaries = await up.chat.summaries()
    const ids = summaries.map(({ id }) => id)
    expect(summaries).toMatchObject([{ added: { from: 0 }, parentId: ids[1] }, { parentId: null }])
  })

  it('in two conversations, do not wait for each other', async () => {
    const up = await setUp({ policy, faults: ['hang'] })
    const stop = new AbortController()
    const waiting = (async () => {
      await talk(up.chat, { from: 0, to: 16 })
      await up.chat.append(exchange(16)[0])
      await up.chat.context({ model, signal: stop.signal })
    })()
    await expect.poll(() => up.server.requests.length).toBe(1)
    const second = { ...up, chat: up.tl.conversation('d') }
    await talkUntilAsked(second)
    expect(await second.chat.summaries()).toHaveLength(1)
    stop.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})
