import { setImmediate } from 'node:timers/promises'
import { type AskLimits, type LanguageModel, type MessageInput, policies } from 'throughline'
import { describe, expect, it } from 'vitest'
import type { ModelQuestion } from '../../../../harness/fault-server.ts'
import { truthfulSummary } from '../../src/testing/truthful-summary.test-support.ts'
import {
  askedIn,
  blockIn,
  exchange,
  model,
  narrowModel,
  openaiModel,
  placesIn,
  type SetUp,
  type SetUpOptions,
  setUp,
  slotText,
} from './set-up.ts'

interface Tree {
  readonly chunkTokens?: number
  readonly limits?: Partial<AskLimits>
}

/** The preset, but a request waits for its summary. */
function policyWith({ chunkTokens = 4_000, limits = {} }: Tree = {}) {
  const rag = policies['running-rag']
  return {
    ...rag,
    name: 'rag',
    run: { mode: 'blocking' },
    summarizers: [{ style: 'running', prompt: 'resources', chunkTokens }],
    limits: { ...rag.limits, ...limits },
  } as const
}

/** Paragraphs of about 53 tokens, each with a unique number. */
function block(paragraphs: number): string {
  return Array.from(
    { length: paragraphs },
    (_, at) =>
      `Shelf ${at} holds lot ${70_000 + at * 13} for the harbour store. It was counted twice by two people, and both have found the same number of crates in it, which were then weighed and put back where they had been before the count began.`,
  ).join('\n\n')
}

const tenThousandTokens = block(210)

async function summarized(
  tree: Tree,
  {
    texts = [tenThousandTokens],
    ...options
  }: Partial<SetUpOptions> & { texts?: readonly string[] } = {},
) {
  const up = await setUp({
    policy: policyWith(tree),
    windowTokens: 32_000,
    answers: truthful,
    ...options,
  })
  await up.chat.append({ role: 'user', content: 'Here is what was counted.' })
  await up.chat.context({ model })
  const asked: readonly MessageInput[] = texts.map((content) => ({ role: 'user', content }))
  // Enough messages to make the texts older than the last ten and a batch.
  const after = Array.from({ length: 7 }, (_, at) => exchange(at)).flat()
  await up.chat.append([...asked, ...after])
  const context = await up.chat.context({ model })
  const [record] = await up.chat.summaries({ limit: 1 })
  const [receipt] = await up.chat.receipts({ limit: 1 })
  return { ...up, context, record, tried: receipt?.summarization }
}

const truthful = (question: ModelQuestion) => truthfulSummary(question)

function segments({ server }: Pick<SetUp, 'server'>) {
  return server.requests.filter((request) => blockIn(request, 'text segment') !== '')
}

describe('a slice that is too long for one request', () => {
  it('S4-027 S4-028 S4-029: is summarized in chunks, in order and completely', async () => {
    const { server } = await summarized({})
    const asked = segments({ server })
    expect(asked.length).toBeGreaterThanOrEqual(3)
    expect(asked.length).toBeLessThanOrEqual(4)
    for (const request of asked)
      expect(askedIn(request).system).toMatch(
        /^Summarize the following text segment in 3 sentences, preserving key entities and numbers\./,
      )
    const sent = asked.map((request) => blockIn(request, 'text segment')).join('\n')
    for (let at = 0; at < 210; at += 1) expect(sent).toContain(`lot ${70_000 + at * 13} `)
  })

  it('S4-030 S4-031: becomes one summary of its chunk summaries, with the prompt of the style', async () => {
    const { server, context, record } = await summarized({})
    const last = server.requests.at(-1)
    expect(askedIn(last).system).toContain('maintaining a running summary')
    const transcript = blockIn(last, 'transcript')
    const count = segments({ server }).length
    const labels = Array.from({ length: count }, (_, at) => `Segment (part ${at + 1} of ${count}):`)
    expect(transcript.match(/^Segment \(.+?\):/gm)).toEqual(labels)
    const firstLots = segments({ server })
      .map((request) => /lot (\d+)/.exec(blockIn(request, 'text segment'))?.[1])
      .toSorted()
    for (const lot of firstLots) expect(slotText(context, 'summary')).toContain(lot)
    expect(record).toMatchObject({ degraded: false, covers: { from: 0 } })
  })

  it('S4-035 X4-8: becomes fewer than 500 tokens from 10,000, with no request above its limit', async () => {
    const { server, tl, context, record } = await summarized({})
    const meter = await tl.meter(model)
    expect(meter.text(tenThousandTokens)).toBeGreaterThan(10_000)
    expect(meter.text(record?.text ?? '')).toBeLessThan(500)
    expect(meter.text(slotText(context, 'summary'))).toBeLessThanOrEqual(500)
    for (const request of server.requests) {
      const { system, content } = askedIn(request)
      expect(meter.text(`${system}\n${content}`)).toBeLessThanOrEqual(4_000)
    }
  })

  it('XC-17: has every call in the account, numbered as reported and with its cost', async () => {
    const { server, tried, live, record } = await summarized({})
    const numbers = server.requests.map((_, at) => at + 1)
    expect(tried?.attempts.map(({ number }) => number)).toEqual(numbers)
    expect(record?.account.attempts).toHaveLength(server.requests.length)
    const started = live.flatMap((event) =>
      event.kind === 'model-attempt-started' ? [event.number] : [],
    )
    const ended = live.flatMap((event) =>
      event.kind === 'model-attempt-ended' ? [event.attempt.number] : [],
    )
    expect(started).toEqual(numbers)
    expect(ended.toSorted((left, right) => left - right)).toEqual(numbers)
    expect(tried?.costUsd).toBeGreaterThan(0)
  })

  it('is sent in one request if it is no longer than a chunk', async () => {
    const { server } = await summarized({}, { texts: [block(60)] })
    expect(segments({ server })).toEqual([])
    expect(server.requests).toHaveLength(1)
  })

  it('is divided between messages if it has many', async () => {
    const texts = Array.from({ length: 20 }, (_, at) => `Note ${at}. ${block(10)}`)
    const { server } = await summarized({}, { texts })
    for (const request of segments({ server })) {
      const text = blockIn(request, 'text segment')
      expect(text).toMatch(/^User: (?:Note \d+\.|Here is what was counted\.)/)
      expect(text).not.toMatch(/\(part \d/)
    }
  })
})

describe('levels', () => {
  it('S4-030 X4-4 X4-9 XC-20: are three, each shorter than the previous one', async () => {
    const sentences = (question: ModelQuestion) =>
      question.system.startsWith('Summarize the following')
        ? [1, 2, 3, 4]
            .map((shelf) => `Two people counted the crates on shelf ${shelf} of the harbour twice.`)
            .join(' ')
        : 'The user counted crates.'
    const { server, tl, record } = await summarized(
      { chunkTokens: 500, limits: { calls: 200, callsPerHour: 500 } },
      { texts: [block(300)], answers: sentences },
    )
    const meter = await tl.meter(model)
    const levels = levelsOf(segments({ server }).map((request) => blockIn(request, 'text segment')))
    expect(levels.length).toBe(3)
    const sizes = levels.map((texts) => meter.text(texts.join('\n')))
    expect(sizes[1]).toBeLessThan(sizes[0] ?? 0)
    expect(sizes[2]).toBeLessThan(sizes[1] ?? 0)
    for (const request of server.requests.slice(0, -1)) {
      const { system, content } = askedIn(request)
      expect(meter.text(`${system}\n${content}`)).toBeLessThanOrEqual(500)
    }
    expect(meter.text(blockIn(server.requests.at(-1), 'transcript'))).toBeLessThanOrEqual(500)
    expect(record?.text).toBe('The user counted crates.')
  })
})

/** The first level has the messages, each other level the summaries of the previous one. */
function levelsOf(texts: readonly string[]): readonly (readonly string[])[] {
  const levels: string[][] = []
  let numbersOfSegments = 0
  for (const text of texts) {
    const of = Number(/^Segment \(part \d+ of (\d+)/.exec(text)?.[1] ?? 0)
    if (levels.length === 0 || of !== numbersOfSegments) levels.push([])
    numbersOfSegments = of
    levels.at(-1)?.push(text)
  }
  return levels
}

describe('a chunk that no model summarizes', () => {
  const faults = ({ messages }: ModelQuestion) =>
    messages.some(({ text }) => text.includes('lot 70000 ') && text.includes('[text segment'))
      ? ('server-error' as const)
      : null

  it('is described by rules and marked; models summarize the others', async () => {
    const { server, record, tried, context } = await summarized({}, { faults })
    expect(record).toMatchObject({ degraded: true })
    expect(record?.account.marks).toContainEqual({ kind: 'written-by-rules', text: '#0-#1' })
    expect(tried?.why).toBeNull()
    const transcript = blockIn(server.requests.at(-1), 'transcript')
    expect(transcript).toMatch(
      /^Segment \(part 1 of \d, cut off\): \(user\) Here is .+\n\(user\) Shelf 0 holds lot 70000 /,
    )
    expect(transcript).toMatch(/Segment \(part 2 of \d\): The user mentioned/)
    expect(slotText(context, 'summary')).not.toBe('')
    // One retry, as after a lost connection, and no other model.
    expect(tried?.attempts.filter(({ outcome }) => outcome.kind === 'failed')).toHaveLength(2)
  })

  it('is first sent to another model', async () => {
    const { record } = await summarized(
      {},
      {
        faults: (question) => (question.model === 'gpt-5-mini' ? faults(question) : null),
        summarizer: (url) => [openaiModel(url), openaiModel(url, 'gpt-5-nano')],
      },
    )
    expect(record).toMatchObject({ degraded: false, account: { marks: [] } })
    expect(record?.account.attempts.some(({ model: id }) => id === 'openai/gpt-5-nano')).toBe(true)
  })

  it('is refused if it has invented values, which are checked against the chunk alone', async () => {
    const lying = (question: ModelQuestion) =>
      question.system.startsWith('Summarize') &&
      question.messages.at(-1)?.text.includes('lot 70000 ')
        ? 'The user counted lots 99001, 99002 and 99003, and found crate 8c41f7e2b1 missing.'
        : truthfulSummary(question)
    const { record, server } = await summarized({}, { answers: lying })
    expect(record?.account.marks).toContainEqual({ kind: 'written-by-rules', text: '#0-#1' })
    expect(blockIn(server.requests.at(-1), 'transcript')).not.toContain('99001')
  })

  it('costs few calls if no model answers at all, and changes nothing', async () => {
    const { server, context, live } = await summarized(
      {},
      { texts: [block(400)], faults: () => 'server-error' },
    )
    expect(live.at(-1)).toMatchObject({
      kind: 'summarization-failed',
      summarization: { summaryId: null, why: 'all-failed' },
    })
    expect(placesIn(context)[0]).toBe(0)
    // Four chunks and the whole slice, each with one retry.
    expect(server.requests).toHaveLength(10)
  })
})

describe('limits', () => {
  it('S4-029: at most four chunks are requested at once', async () => {
    let [open, most] = [0, 0]
    // The first calls stay open until there are four and a fifth has had time to start.
    const four = Promise.withResolvers<void>()
    const counted = (url: string): LanguageModel => {
      const openai = openaiModel(url)
      const generate: LanguageModel['generate'] = async (request, signal) => {
        open += 1
        most = Math.max(most, open)
        if (open === 4) four.resolve()
        await four.promise
        for (let round = 0; round < 20; round += 1) await setImmediate()
        try {
          return await openai.generate(request, signal)
        } finally {
          open -= 1
        }
      }
      return { ...openai, generate }
    }
    const { server } = await summarized({ chunkTokens: 1_000 }, { summarizer: counted })
    expect(segments({ server }).length).toBeGreaterThan(8)
    expect(most).toBe(4)
  })

  it('XC-17: calls: rules describe chunks without a call; the newest chunk is first', async () => {
    const { server, record, tried } = await summarized({ limits: { calls: 4 } })
    expect(server.requests).toHaveLength(3)
    expect(tried?.attempts).toHaveLength(3)
    expect(record).toMatchObject({
      degraded: true,
      account: { marks: [{ text: '#0-#1' }, { text: '#1' }] },
    })
    expect(blockIn(server.requests.at(-1), 'transcript')).toMatch(
      /^Segment \(part 1 of (\d), cut off\): .+\n\nSegment \(part \1 of \1\): The user/s,
    )
  })

  it('no calls for chunks: one request with excerpts', async () => {
    const { server, record } = await summarized({ limits: { calls: 2 } })
    expect(server.requests).toHaveLength(1)
    expect(record).toMatchObject({ degraded: true })
  })

  it('calls per hour', async () => {
    const { server } = await summarized({ limits: { callsPerHour: 3 } })
    expect(server.requests.length).toBeLessThanOrEqual(3)
  })

  it('money: the sum of all calls stays below the limit', async () => {
    const usd = 0.012
    const { server, tried } = await summarized({ limits: { usd } })
    const charged = tried?.attempts.reduce((sum, { chargedUsd }) => sum + chargedUsd, 0)
    expect(server.requests.length).toBeGreaterThan(1)
    expect(charged).toBeLessThanOrEqual(usd)
  })

  it('invariant 11: a model with a small window gets chunks that fit', async () => {
    const windowTokens = 3_000
    const { server, tl, record } = await summarized(
      {},
      { summarizer: (url) => narrowModel(url, windowTokens) },
    )
    const meter = await tl.meter(model)
    expect(segments({ server }).length).toBeGreaterThan(3)
    for (const request of server.requests) {
      const { system, content } = askedIn(request)
      const most = request.question?.maxOutputTokens ?? 0
      expect(meter.text(`${system}\n${content}`) + most).toBeLessThanOrEqual(windowTokens)
    }
    expect(record).toMatchObject({ degraded: false })
  })
})
