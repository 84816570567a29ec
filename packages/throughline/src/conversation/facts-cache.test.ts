import { describe, expect, it } from 'vitest'
import { change } from '../derived/changes.test-support.ts'
import { loadFacts } from '../derived/rows.ts'
import { sampleFacts, sampleLedger } from '../derived/samples.test-support.ts'
import { loadState } from '../derived/state.ts'
import { tenantId } from '../domain/ids.ts'
import { memory } from '../stores/memory.ts'
import { append, id } from '../testing/store-cases/case.test-support.ts'
import { createThroughline } from '../throughline.ts'
import { createFactsCache } from './facts-cache.ts'

async function opened(messages: number) {
  const store = memory()
  const tl = createThroughline({ store })
  await append(tl, 'c', messages)
  const kept = store.tenant(tenantId('default'))
  let loads = 0
  const counting = {
    ...kept,
    load: (query: Parameters<typeof kept.load>[0]) => {
      if (query.rows?.[0]?.kind === 'facts') loads += 1
      return kept.load(query)
    },
  }
  const cached = createFactsCache()
  const commit = (from: number, to: number, text = 'first') =>
    change(kept, { facts: { rows: rows(from, to, text), ledger: sampleLedger({ to }) } })
  const stateOf = async () => {
    const state = await loadState(kept, { id, model: 'm' })
    if (state === null) throw new Error('there is no conversation')
    return state
  }
  return {
    tl,
    commit,
    loads: () => loads,
    /** As after rows were written in the background. */
    extend: async (from: number, to: number) =>
      cached.extend(await stateOf(), rows(from, to, 'first')),
    readSpan: async (from: number, to: number) =>
      cached.readSpan({ store: counting, id }, await stateOf(), { from, to }),
    read: async (before: number, limit: number) =>
      cached.read({ store: counting, id }, await stateOf(), { before, limit, trust: 'user' }),
    stored: async (before: number, limit: number) =>
      loadFacts(kept, {
        id,
        span: { from: 0, to: before },
        newestFirst: true,
        trust: 'user',
        limit,
      }),
  }
}

/** Every third message is a user's, as in a turn with a tool. */
const rows = (from: number, to: number, text: string) =>
  Array.from({ length: to - from }, (_, at) => from + at).map((seq) =>
    sampleFacts({
      seq,
      trust: seq % 3 === 0 ? 'user' : 'tool',
      digest: { by: 'user', text: `${text} ${seq}` },
    }),
  )

describe('the cache of user facts', () => {
  it('answers every query as the store does, while facts are added', async () => {
    const { commit, read, stored } = await opened(60)
    for (let to = 10; to <= 60; to += 10) {
      await commit(to - 10, to)
      for (const before of [to, to - 7, 5, 1, 0, to])
        for (const limit of [1, 3, 100])
          expect(await read(before, limit)).toEqual(await stored(before, limit))
    }
  })

  it('loads only the rows that it lacks', async () => {
    const { commit, read, loads } = await opened(60)
    await commit(0, 30)
    await read(30, 4)
    expect(loads()).toBe(1)
    await read(30, 4)
    await read(25, 2)
    expect(loads()).toBe(1)
    await read(20, 100)
    expect(loads()).toBe(2)
    await read(30, 100)
    expect(loads()).toBe(2)
    await commit(30, 60)
    expect((await read(60, 100)).map(({ seq }) => seq)).toEqual(
      Array.from({ length: 20 }, (_, at) => 57 - at * 3),
    )
    expect(loads()).toBe(3)
  })

  it('knows rows that were just written, and loads only those between', async () => {
    const { commit, extend, readSpan, loads } = await opened(60)
    const places = (found: readonly { readonly seq: number }[]) => found.map(({ seq }) => seq)
    const all = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => from + at)
    await commit(0, 30)
    await extend(0, 20)
    expect(places(await readSpan(0, 20))).toEqual(all(0, 20))
    expect(loads()).toBe(0)
    // After a gap, only the newer rows are known.
    await extend(25, 30)
    expect(places(await readSpan(25, 30))).toEqual(all(25, 30))
    expect(loads()).toBe(0)
    expect(places(await readSpan(0, 30))).toEqual(all(0, 30))
    expect(loads()).toBe(1)
    expect(places(await readSpan(10, 30))).toEqual(all(10, 30))
    expect(loads()).toBe(1)
  })

  it('forgets rows that were written before a rewrite', async () => {
    const { tl, commit, extend, readSpan, loads } = await opened(9)
    await commit(0, 9)
    await extend(0, 9)
    await tl.conversation('c').history.edit('#3', { role: 'user', content: 'other words' })
    const rows = await readSpan(0, 9)
    expect(loads()).toBe(1)
    expect(rows.length).toBeLessThan(9)
  })

  it('loads again after the log was rewritten', async () => {
    const { tl, commit, read, stored } = await opened(9)
    await commit(0, 9)
    const before = await read(9, 100)
    await tl.conversation('c').history.edit('#3', { role: 'user', content: 'other words' })
    const after = await read(9, 100)
    expect(after).toEqual(await stored(9, 100))
    expect(after).not.toEqual(before)
  })
})
