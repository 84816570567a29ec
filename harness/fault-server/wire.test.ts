/** What the server sends, and what it records. */
import { spawnSync } from 'node:child_process'
import { afterEach, describe, expect, it } from 'vitest'
import { createFaultServer } from '../fault-server.ts'
import type { ModelFault } from './faults.ts'
import type { FaultServer, FaultServerOptions } from './settings.ts'
import { validRequests } from './strict.test-support.ts'

let server: FaultServer
afterEach(() => server.close())

async function serve(options: FaultServerOptions): Promise<void> {
  server = await createFaultServer(options)
}

async function ask(
  api: string,
  change: object = {},
  signal: AbortSignal | null = null,
): Promise<Response> {
  const request = validRequests.find(({ name }) => name === api)
  if (request === undefined) throw new Error(`no request for ${api}`)
  const body = JSON.stringify({ ...JSON.parse(`${request.body}`), ...change })
  const { headers } = request
  return fetch(`${server.url}${request.path}`, { method: 'POST', headers, body, signal })
}

/** The names of the events, without repetitions. */
async function eventsOf(response: Response): Promise<readonly string[]> {
  const blocks = (await response.text()).split('\n\n').filter((block) => block !== '')
  return blocks.map(nameOf).filter((name, index, names) => name !== names[index - 1])
}

function nameOf(block: string): string {
  const data = block.replace(/^event: .*\n/, '').replace(/^data: /, '')
  if (data === '[DONE]') return data
  const { type, choices, usage } = JSON.parse(data)
  // If an event has a name and a type, they are equal.
  if (block.startsWith('event: ')) expect(block).toMatch(new RegExp(`^event: ${type}\n`))
  if (type !== undefined) return type
  if (choices.length === 0) return `usage ${usage.total_tokens}`
  const [{ delta, finish_reason }] = choices
  return finish_reason ?? Object.keys(delta).join()
}

describe('the order of events is that of the service:', () => {
  it('chat completions', async () => {
    await serve({ answers: 'One two.' })
    const usage = { stream_options: { include_usage: true } }
    expect(await eventsOf(await ask('openai-chat', { stream: true, ...usage }))).toEqual([
      'role,content,refusal',
      'content',
      'stop',
      'usage 7',
      '[DONE]',
    ])
    const uncounted = await eventsOf(await ask('openai-chat', { stream: true }))
    expect(uncounted.slice(-2)).toEqual(['stop', '[DONE]'])
  })

  it('responses', async () => {
    await serve({ answers: 'One two.', faults: [null, 'cut-off', 'refusal', 'thinking-only'] })
    const stream = () => ask('openai-responses', { stream: true })
    const opening = ['response.created', 'response.in_progress', 'response.output_item.added']
    const rest = (name: string) => [
      'response.content_part.added',
      `response.${name}.delta`,
      `response.${name}.done`,
      'response.content_part.done',
      'response.output_item.done',
    ]
    const text = [...opening, ...rest('output_text')]
    expect(await eventsOf(await stream())).toEqual([...text, 'response.completed'])
    expect(await eventsOf(await stream())).toEqual([...text, 'response.incomplete'])
    const refused = [...opening, ...rest('refusal'), 'response.completed']
    expect(await eventsOf(await stream())).toEqual(refused)
    const thought = [...opening, 'response.output_item.done', 'response.completed']
    expect(await eventsOf(await stream())).toEqual(thought)
  })

  it('messages', async () => {
    await serve({ answers: 'One two.', faults: [null, 'thinking-only', 'error-event'] })
    const stream = () => ask('anthropic-messages', { stream: true })
    const events = [
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]
    expect(await eventsOf(await stream())).toEqual(events)
    expect(await eventsOf(await stream())).toEqual(events)
    expect((await eventsOf(await stream())).at(-1)).toBe('error')
  })
})

describe('a 429', () => {
  const retryAfter = async (fault: ModelFault) => {
    await serve({ faults: [fault], pace: { retryAfterMs: 2500 } })
    const { status, headers } = await ask('anthropic-messages')
    expect(status).toBe(429)
    return [headers.get('retry-after') ?? '', headers.get('retry-after-ms')] as const
  }

  it('gives seconds', async () => {
    expect(await retryAfter('rate-limit')).toEqual(['3', null])
  })

  it('gives a date', async () => {
    const before = Date.now()
    const [date] = await retryAfter('rate-limit-date')
    expect(date).toMatch(/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/)
    expect(Date.parse(date) - before).toBeGreaterThanOrEqual(2500)
    expect(Date.parse(date) - Date.now()).toBeLessThanOrEqual(3500)
  })

  it('gives milliseconds', async () => {
    expect(await retryAfter('rate-limit-ms')).toEqual(['3', '2500'])
  })
})

describe('a body', () => {
  it('of a hundred megabytes arrives whole', { timeout: 30_000 }, async () => {
    await serve({ faults: ['huge'] })
    const { body } = await ask('openai-responses')
    let sizeBytes = 0
    for await (const chunk of body ?? []) sizeBytes += chunk.length
    expect(sizeBytes).toBeGreaterThan(100 * 1024 * 1024)
    await expect.poll(() => server.requests[0]?.ended).toBe('whole')
  })

  it('of a hundred megabytes is not generated for a client that left', async () => {
    await serve({ faults: ['huge'] })
    const { body } = await ask('anthropic-messages', { stream: true })
    const reader = body?.getReader()
    await reader?.read()
    await reader?.cancel()
    await expect.poll(() => server.requests[0]?.ended).toBe('left')
  })

  it('sent byte by byte is valid for a client that waits', async () => {
    await serve({ answers: 'One two.', faults: ['slow'], pace: { byteEveryMs: 0 } })
    const response = await ask('anthropic-messages')
    expect(await response.json()).toMatchObject({ content: [{ type: 'text', text: 'One two.' }] })
  })

  it('sent byte by byte keeps its pace', async () => {
    await serve({ faults: ['slow'], pace: { byteEveryMs: 30 } })
    const before = performance.now()
    const { body } = await ask('openai-chat')
    let sizeBytes = 0
    for await (const chunk of body ?? []) {
      sizeBytes += chunk.length
      if (sizeBytes >= 4) break
    }
    expect(performance.now() - before).toBeGreaterThanOrEqual((sizeBytes - 1) * 29)
    await expect.poll(() => server.requests[0]?.ended).toBe('left')
  })
})

describe('a record', () => {
  it('has the body, the headers without secrets, and the times', async () => {
    await serve({ answers: 'Yes.' })
    const before = Date.now()
    await (await ask('openai-chat', { temperature: 0 })).text()
    await (await ask('anthropic-messages')).text()
    await expect.poll(() => server.requests[1]?.ended).toBe('whole')
    const [first, second] = server.requests
    expect(first?.body).toMatchObject({ model: 'any-model', temperature: 0 })
    expect(first?.headers['content-type']).toBe('application/json')
    expect(second?.headers['anthropic-version']).toBe('2023-06-01')
    expect(JSON.stringify(server.requests)).not.toContain('test-key')
    expect(first).toMatchObject({ api: 'openai-chat', status: 200, answer: 'Yes.', problems: [] })
    expect(first?.startedAtMs).toBeGreaterThanOrEqual(before)
    expect(first?.endedAtMs).toBeGreaterThanOrEqual(first?.startedAtMs ?? 0)
  })

  it('lists the invented values, and they are not in the question', async () => {
    const answers = 'It is src/listen/port.ts, since 8f3c2a1b9d4e5f60.'
    await serve({ answers, faults: ['lies'] })
    const asked = { messages: [{ role: 'user', content: `Repeat: ${answers}` }] }
    const reply = await (await ask('openai-chat', asked)).text()
    const [record] = server.requests
    expect(record?.invented.length).toBe(2)
    for (const name of record?.invented ?? []) {
      expect(reply).toContain(name)
      expect(answers).not.toContain(name)
    }
  })
})

it('closes hanging connections and every timer when it closes', async () => {
  await serve({ faults: ['hang', 'hang-after-headers', 'slow'], pace: { byteEveryMs: 60_000 } })
  const asked = Promise.allSettled([0, 1, 2].map(async () => (await ask('openai-chat')).text()))
  await expect.poll(() => server.requests.length).toBe(3)
  await server.close()
  expect((await asked).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(server.requests.map(({ ended }) => ended)).toEqual(['left', 'left', 'left'])
})

it('lets a process exit that has closed it', () => {
  const script = `
    import { createFaultServer } from '../fault-server.ts'
    const server = await createFaultServer({ faults: ['slow'], pace: { byteEveryMs: 60_000 } })
    const headers = { 'content-type': 'application/json', authorization: 'Bearer test-key' }
    const body = JSON.stringify({ model: 'a', messages: [{ role: 'user', content: 'Well?' }] })
    const response = await fetch(server.url + '/chat/completions', { method: 'POST', headers, body })
    await response.body.getReader().read()
    await server.close()
    console.log(server.requests[0].ended)`
  const run = spawnSync(
    process.execPath,
    ['--conditions=throughline-source', '--input-type=module', '--eval', script],
    { cwd: import.meta.dirname, encoding: 'utf8', timeout: 15_000 },
  )
  expect(run.stderr).toBe('')
  expect([run.stdout, run.status, run.signal]).toEqual(['left\n', 0, null])
})
