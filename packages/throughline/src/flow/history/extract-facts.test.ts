import { describe, expect, it } from 'vitest'
import { defaults } from '../../defaults-data.ts'
import { emptyLedger, type Ledger, type MessageFacts } from '../../domain/ledger.ts'
import type { Message, MessageInput } from '../../domain/message.ts'
import type { Span } from '../../domain/span.ts'
import { sha256 } from '../../system.ts'
import { build } from '../../testing/build.ts'
import { sealMessages } from '../append/append.ts'
import { type DerivedReader, noDerivedRows } from '../read/readers.ts'
import { factsExtractor } from './extract-facts.ts'
import { digestRow } from './ledger.test-support.ts'

/** A log that records its reads. */
function logOf(at: (seq: number) => Message) {
  const spans: Span[] = []
  const read = async (span: Span) => {
    spans.push(span)
    return Array.from({ length: span.to - span.from }, (_, index) => at(span.from + index))
  }
  return { log: { read }, spans }
}

function sealedLog(messages: Iterable<MessageInput>) {
  const sealed = sealMessages([...messages], sha256)
  return logOf((seq) => sealed[seq] as Message)
}

/** Long, and made as it is read. */
const [text] = sealMessages([...build().user('Look at src/a.ts')], sha256) as [Message]
const longLog = () => logOf((seq) => ({ ...text, seq }))

function kept(rows: readonly MessageFacts[], ledger: Ledger | null): DerivedReader {
  return {
    ledger: async () => ledger,
    summaryBefore: async () => null,
    digests: async () => [],
    rowsBefore: async (before, limit, trust) =>
      rows
        .filter((row) => row.seq < before && (trust === null || row.trust === trust))
        .toReversed()
        .slice(0, limit),
    rowsIn: async ({ from, to }) => rows.filter(({ seq }) => seq >= from && seq < to),
    maxCharacters: Number.POSITIVE_INFINITY,
  }
}

async function placesOf(rows: AsyncIterable<MessageFacts>): Promise<readonly number[]> {
  const places: number[] = []
  for await (const { seq } of rows) places.push(seq)
  return places
}

const down = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index)

describe('extracting facts', () => {
  it('reads everything before the line, and nothing after it', async () => {
    const { log, spans } = sealedLog(build().user('Use src/a.ts').says('Done').user('Next'))
    const { rows, ledger, redacted } = await factsExtractor(log, noDerivedRows)(2)
    expect(spans).toEqual([{ from: 0, to: 2 }])
    expect(rows.map(({ seq }) => seq)).toEqual([0, 1])
    expect(ledger.to).toBe(2)
    expect(ledger.entries.map(({ label }) => label)).toContain('src/a.ts')
    expect(redacted).toBe(0)
  })

  it('reads only what is new', async () => {
    const { log, spans } = longLog()
    const known = { ...emptyLedger, to: 40 }
    const { rows, ledger } = await factsExtractor(log, kept([], known))(60)
    expect(spans).toEqual([{ from: 40, to: 60 }])
    expect(rows).toHaveLength(20)
    expect(ledger.to).toBe(60)
  })

  it.each([60, 30])('reads nothing where the line is at %i of 60 known', async (line) => {
    const { log, spans } = longLog()
    const known = { ...emptyLedger, to: 60 }
    const { rows, ledger } = await factsExtractor(log, kept([], known))(line)
    expect(spans).toEqual([])
    expect(rows).toEqual([])
    expect(ledger).toBe(known)
  })

  it('reads by the page', async () => {
    const { log, spans } = longLog()
    const page = defaults.pageMessages
    await factsExtractor(log, kept([], { ...emptyLedger, to: 10 }))(2 * page + 15)
    expect(spans).toEqual([
      { from: 10, to: page + 10 },
      { from: page + 10, to: 2 * page + 10 },
      { from: 2 * page + 10, to: 2 * page + 15 },
    ])
  })

  it('looks at no more than its bound, from the newest on', async () => {
    const { log, spans } = longLog()
    const line = 5_000_000
    const { rows, ledger } = await factsExtractor(log, noDerivedRows)(line)
    expect(rows).toHaveLength(defaults.historyMessageLimit)
    expect(spans[0]?.from).toBe(line - defaults.historyMessageLimit)
    expect(rows.at(-1)?.seq).toBe(line - 1)
    expect(ledger.to).toBe(line)
  })

  it('reads stored facts instead of messages, up to the first that is missing', async () => {
    const { log, spans } = longLog()
    const stored = [40, 41, 42, 44].map((seq) => digestRow(seq, 'user', `stored ${seq}`))
    const facts = await factsExtractor(log, kept(stored, { ...emptyLedger, to: 40 }))(46)
    expect(spans).toEqual([{ from: 43, to: 46 }])
    expect(facts.rows.map(({ seq }) => seq)).toEqual([43, 44, 45])
    expect(facts.ledger.to).toBe(46)
    expect(facts.ledger.from).toBeUndefined()
  })

  it('knows the call before the first message that it reads', async () => {
    const { log } = sealedLog(
      build().user('Go').calls('read', { path: 'src/a.ts' }).result('const a = 1'),
    )
    const { rows } = await factsExtractor(log, kept([], { ...emptyLedger, to: 2 }))(3)
    expect(rows.at(-1)?.digest?.text).toContain('read src/a.ts')
  })

  it('reads the first and the newest messages where a request may not read all', async () => {
    const messages = Array.from({ length: 500 }, (_, at): MessageInput => {
      const role = at % 5 === 0 ? 'user' : 'assistant'
      return { role, content: `message ${at}` }
    })
    const { log } = sealedLog(messages)
    const stored = { ...noDerivedRows, maxCharacters: 1_000 }
    const { rows, ledger } = await factsExtractor(log, stored)(500)
    const places = rows.map(({ seq }) => seq)
    const { from = 0 } = ledger
    expect(from).toBeGreaterThan(400)
    expect(places.slice(0, 16)).toEqual(down(15, 0).toReversed())
    // Between them, only what people wrote.
    const between = places.filter((seq) => seq >= 16 && seq < from)
    expect(between).toEqual(
      down(from - 1, 16)
        .toReversed()
        .filter((seq) => seq % 5 === 0),
    )
    expect(places.slice(-(500 - from))).toEqual(down(499, from).toReversed())
    expect(ledger.to).toBe(500)
  })

  it('reads as much of a log that was never analysed as the window can show', async () => {
    const { log } = sealedLog(
      Array.from({ length: 300 }, () => ({ role: 'assistant', content: 'word '.repeat(200) })),
    )
    const stored = { ...noDerivedRows, maxCharacters: 1_000_000 }
    const fromWith = async (windowTokens: number) =>
      (await factsExtractor(log, stored, windowTokens)(300)).ledger.from
    expect(await fromWith(4_000)).toBe(300 - 80)
    expect(await fromWith(8_192)).toBe(300 - 131)
    expect(await fromWith(200_000)).toBeUndefined()
  })

  it('knows the call of a result on another page', async () => {
    const page = defaults.pageMessages
    const filler = Array.from({ length: page - 1 }, () => ({ role: 'user', content: 'x' }) as const)
    const { log } = sealedLog([
      ...filler,
      ...build().calls('read', { path: 'src/a.ts' }).result('const a = 1'),
    ])
    const { rows } = await factsExtractor(log, noDerivedRows)(page + 1)
    expect(rows.at(-1)?.digest?.text).toContain('read src/a.ts')
  })
})

describe('rows of facts', () => {
  const stored = (count: number) =>
    Array.from({ length: count }, (_, seq) => digestRow(seq, 'user', `stored ${seq}`))

  it('come newest first, from memory and then from the store', async () => {
    const { log } = longLog()
    const past = kept(stored(5), { ...emptyLedger, to: 5 })
    const { rowsBefore } = await factsExtractor(log, past)(8)
    expect(await placesOf(rowsBefore(8))).toEqual(down(7, 0))
    expect(await placesOf(rowsBefore(6))).toEqual(down(5, 0))
    expect(await placesOf(rowsBefore(5))).toEqual(down(4, 0))
    expect(await placesOf(rowsBefore(3))).toEqual(down(2, 0))
    expect(await placesOf(rowsBefore(0))).toEqual([])
  })

  it('have one trust if the caller asks for it', async () => {
    const { log } = longLog()
    const rows = stored(6).map((row) =>
      row.seq % 2 === 0 ? row : { ...row, trust: 'tool' as const },
    )
    const { rowsBefore } = await factsExtractor(log, kept(rows, { ...emptyLedger, to: 6 }))(8)
    expect(await placesOf(rowsBefore(8, 'user'))).toEqual([7, 6, 4, 2, 0])
    expect(await placesOf(rowsBefore(8, 'tool'))).toEqual([5, 3, 1])
  })

  it('come each once where the store has those of memory too', async () => {
    const { log } = longLog()
    const { rowsBefore } = await factsExtractor(log, kept(stored(8), { ...emptyLedger, to: 5 }))(8)
    expect(await placesOf(rowsBefore(8))).toEqual(down(7, 0))
  })

  it('come page by page, only as far as they are asked for', async () => {
    const { log } = longLog()
    const page = defaults.pageMessages
    const all = kept(stored(3 * page), { ...emptyLedger, to: 3 * page })
    let asked = 0
    const past: DerivedReader = {
      ...all,
      rowsBefore: async (before, limit, trust) => {
        asked += 1
        expect(limit).toBeLessThanOrEqual(page)
        return all.rowsBefore(before, limit, trust)
      },
    }
    const { rowsBefore } = await factsExtractor(log, past)(3 * page)
    for await (const { seq } of rowsBefore(3 * page)) if (seq < 3 * page - 20) break
    expect(asked).toBe(1)
    expect(await placesOf(rowsBefore(3 * page))).toEqual(down(3 * page - 1, 0))
  })
})
