/** How the real clients see each fault, in each API, whole and streamed. */
import { generateText } from 'ai'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type ModelFault, modelFaults } from './fault-server/faults.ts'
import type { ModelApiName } from './fault-server/responder.ts'
import type { FaultServer, FaultServerOptions } from './fault-server/settings.ts'
import { apiNames, clientOf, seenBy } from './fault-server.test-support.ts'
import { createFaultServer } from './fault-server.ts'

const answer = 'The port is 48213, as src/listen/port.ts has it since 8f3c2a1b9d.'
const half = answer.slice(0, Math.ceil(answer.length / 2))
const sorry = '"I\'m sorry, but I can\'t assist with that request."'
const cutStream = /^interrupted "The port[^"]*"$/

type Seen = string | RegExp
/** Whole, streamed; third and fourth for Anthropic if they differ. */
type Sight = readonly [Seen, Seen, Seen?, Seen?]

const sights: Readonly<Record<ModelFault, Sight>> = {
  'rate-limit': ['429 again', '429 again'],
  'rate-limit-date': ['429 again', '429 again'],
  'rate-limit-ms': ['429 again', '429 again'],
  'server-error': ['500 again', '500 again'],
  unavailable: ['503 again', '503 again'],
  overloaded: ['503 again', '503 again', '529 again', '529 again'],
  hang: ['timeout', 'timeout'],
  'hang-after-headers': ['timeout', 'timeout'],
  slow: ['timeout', 'timeout'],
  reset: ['lost again', 'lost again'],
  'reset-after-headers': ['200 again', '200 again'],
  'truncated-stream': ['200 again', '200 again'],
  // These clients report no error for a stream that ends too early.
  'truncated-json': ['200 final', cutStream],
  'error-event': ['200 final', '500 in the stream', '200 final', '529 in the stream'],
  'wrong-shape': [/^(?:200|500) final$/, 'AI_TypeValidationError', '200 final', 'Error'],
  'html-body': ['200 final', 'interrupted ""', '200 final', 'AI_NoOutputGeneratedError'],
  'empty-body': ['200 final', 'interrupted ""', '200 final', 'AI_NoOutputGeneratedError'],
  huge: [/^stop "and so on,… \d{6}"$/, /^stop "and so on,… \d{6}"$/],
  'wrong-schema': [/^stop "\{.*unexpected/, /^stop "\{.*unexpected/],
  'not-json': [/^stop "Of course! /, /^stop "Of course! /],
  empty: ['stop ""', 'stop ""'],
  whitespace: ['stop " \\n\\t \\n"', 'stop " \\n\\t \\n"'],
  refusal: [
    `content-filter ${sorry}`,
    `content-filter ${sorry}`,
    'content-filter ""',
    'content-filter ""',
  ],
  'refusal-text': [`stop ${sorry}`, `stop ${sorry}`],
  echo: ['stop "What is the port?"', 'stop "What is the port?"'],
  'thinking-only': ['stop ""', 'stop ""'],
  'thinking-text': [/^stop "<think>.*<\/think>"$/, /^stop "<think>.*<\/think>"$/],
  'cut-off': [`length "${half}"`, `length "${half}"`],
  'over-limit': [/^stop "The port i… \d{3}"$/, /^stop "The port i… \d{3}"$/],
  'error-text': [/^stop "Error: 429 /, /^stop "Error: 429 /],
  lies: [/^stop "The port is \d{5}, as /, /^stop "The port is \d{5}, as /],
}

describe('through the real clients', () => {
  let server: FaultServer
  beforeAll(async () => {
    server = await createFaultServer({
      answers: answer,
      // Each test names its fault as the model, so that all can run at once.
      faults: ({ model }) => modelFaults.find((fault) => fault === model) ?? null,
      pace: { byteEveryMs: 5, hugeBytes: 300_000, retryAfterMs: 0 },
    })
  })
  afterAll(() => server.close())

  it.concurrent.each(apiNames)('%s answers', async (api) => {
    const model = clientOf(api, server.url)
    expect(await seenBy(model, 'whole')).toBe(`stop "${answer}"`)
    expect(await seenBy(model, 'stream')).toBe(`stop "${answer}"`)
  })

  const cases = modelFaults.flatMap((fault) => apiNames.map((api) => ({ fault, api })))
  it.concurrent.each(cases)('$api clients see $fault', async ({ fault, api }) => {
    const model = clientOf(api, server.url, { model: fault })
    const [whole, stream, othersWhole, othersStream] = sights[fault]
    const isAnthropic = api === 'anthropic-messages'
    const never = fault.startsWith('hang') || fault === 'slow'
    const asking = never ? { timeoutMs: 150 } : {}
    const seen = await Promise.all([
      seenBy(model, 'whole', asking),
      seenBy(model, 'stream', asking),
    ])
    expect(seen[0]).toMatch(exactly((isAnthropic ? othersWhole : null) ?? whole))
    expect(seen[1]).toMatch(exactly((isAnthropic ? othersStream : null) ?? stream))
  })
})

function exactly(seen: Seen): RegExp {
  if (typeof seen !== 'string') return seen
  return new RegExp(`^${seen.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')}$`)
}

describe('a fault server', () => {
  let server: FaultServer
  const serve = async (options: FaultServerOptions) => {
    server = await createFaultServer(options)
    return server
  }
  afterEach(() => server.close())
  const ask = (api: ModelApiName = 'openai-chat') => seenBy(clientOf(api, server.url), 'whole')

  it('applies faults in order, and none after the last', async () => {
    await serve({ faults: ['server-error', null, 'empty'] })
    const seen = [await ask(), await ask(), await ask(), await ask()]
    expect(seen).toEqual(['500 again', 'stop "Yes."', 'stop ""', 'stop "Yes."'])
    expect(server.requests.map(({ fault }) => fault)).toEqual(['server-error', null, 'empty', null])
  })

  it('starts another plan when it is armed', async () => {
    await serve({ faults: ['server-error', 'server-error'] })
    await ask()
    server.arm(['empty'])
    expect([await ask(), await ask()]).toEqual(['stop ""', 'stop "Yes."'])
    server.arm({ seed: 'a', chance: 1, among: ['unavailable'] })
    expect(await ask()).toBe('503 again')
    server.arm(null)
    expect(await ask()).toBe('stop "Yes."')
  })

  it('does not count a request that it refused', async () => {
    await serve({ faults: ['server-error'], answers: ['one', 'two'] })
    const stranger = clientOf('openai-chat', server.url, { apiKey: 'another' })
    expect(await seenBy(stranger, 'whole')).toBe('401 final')
    expect([await ask(), await ask(), await ask()]).toEqual([
      '500 again',
      'stop "two"',
      'stop "two"',
    ])
  })

  it.each(['', 'Yes.', answer])('omits the end of a stream, however short: %j', async (text) => {
    const faults = ['truncated-json', 'truncated-stream', 'error-event'] as const
    await serve({ answers: text, faults: apiNames.flatMap(() => faults) })
    for (const api of apiNames)
      for (const _ of faults)
        expect(await seenBy(clientOf(api, server.url), 'stream')).not.toMatch(/^stop/)
    expect(server.requests.map(({ fault }) => fault)).toEqual(apiNames.flatMap(() => faults))
  })

  it('truncates an answer that exceeds the requested limit, as services do', async () => {
    await serve({ answers: 'word '.repeat(100) })
    const model = clientOf('anthropic-messages', server.url)
    expect(await seenBy(model, 'whole', { maxOutputTokens: 2 })).toBe('length "word wor"')
  })

  it('answers with a function of the question', async () => {
    await serve({ answers: ({ api, system, messages }) => JSON.stringify([api, system, messages]) })
    for (const api of apiNames)
      expect(await ask(api)).toBe(
        `stop ${JSON.stringify(JSON.stringify([api, 'You are brief.', [{ role: 'user', text: 'What is the port?' }]]))}`,
      )
  })

  it('says when to retry, and clients do', async () => {
    await serve({ faults: ['rate-limit-ms'], pace: { retryAfterMs: 60 } })
    const model = clientOf('openai-responses', server.url)
    const { text } = await generateText({ model, prompt: 'Well?', maxRetries: 1 })
    const [first, second] = server.requests
    expect(text).toBe('Yes.')
    expect((second?.startedAtMs ?? 0) - (first?.startedAtMs ?? 0)).toBeGreaterThanOrEqual(55)
  })

  it('reports an error thrown by its script', async () => {
    await serve({
      answers: () => {
        throw new Error('no such line')
      },
    })
    expect(await ask()).toBe('500 again')
    expect(server.requests[0]?.problems).toEqual([
      'the script of the fault server failed: Error: no such line',
    ])
  })

  it('refuses a plan with an unknown fault', async () => {
    await serve({})
    expect(() => server.arm(['rate-limt' as ModelFault])).toThrow('unknown fault "rate-limt"')
    expect(() => server.arm({ seed: 'a', chance: 2 })).toThrow('chance (2)')
    const started = createFaultServer({ faults: ['nothing' as ModelFault] })
    await expect(started).rejects.toThrow('unknown fault "nothing"')
  })
})
