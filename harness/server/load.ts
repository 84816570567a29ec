/**
 * Loads a server in a process of its own with many connections, on conversations of many lengths, and prints
 * its figures as JSON beside those of a bare Hono server that only inserts a row. Both run in this run, the
 * bare one before and after, because other programs change the speed of the machine.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { seededFractions } from '../kernel/chance.ts'
import type { Finding, Print } from '../kernel/finding.ts'
import { startBare, startChild } from './child-server.ts'

interface LoadOptions {
  readonly seconds: number
  readonly connections: number
  readonly largest: number
  /** Requests per second of all connections together; 0: as fast as they are answered. */
  readonly rate: number
  readonly seed: number
}

interface Sample {
  readonly rssMegabytes: number
  readonly heapMegabytes: number
  readonly eventLoopP99Ms: number
  readonly eventLoopMaxMs: number
  readonly cpuSeconds: number
}

export interface LoadReport {
  readonly requests: number
  readonly errors: number
  readonly perSecond: number
  /** Milliseconds by operation. */
  readonly latencies: Readonly<Record<string, Percentiles>>
  readonly eventLoopP99Ms: number
  /** Of what is in use after a collection, from before the load to after it. */
  readonly heapGrowthMegabytes: number
  readonly server: readonly Sample[]
  /** Of the bare insert. */
  readonly bare: readonly Percentiles[]
}

interface Percentiles {
  readonly requests: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const limits = { append: 25, context: 50, eventLoop: 50, growth: 1.15 } as const

export async function runLoad(options: LoadOptions, print: Print): Promise<LoadReport> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-load-'))
  try {
    const lengths = await fill(join(folder, 'conversations.db'), options.largest)
    print(`conversations of ${lengths.join(', ')} messages`)
    const bareSeconds = Math.max(1, Math.min(10, options.seconds / 4))
    const bare = [await loadBare(folder, options, bareSeconds)]
    const loaded = await loadServer(folder, lengths, options)
    bare.push(await loadBare(folder, options, bareSeconds))
    return { ...loaded, bare }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Conversations of 10, 100, … messages, and one for each connection with ten. */
async function fill(file: string, largest: number): Promise<readonly number[]> {
  const throughline = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
  const lengths = [10, 100, 1000, 10_000, 100_000].filter((length) => length <= largest)
  const words = 'We decided to use port 47113 in src/server.ts, because the tests need it. '
  for (const length of lengths)
    for (let from = 0; from < length; from += 1000) {
      const size = Math.min(1000, length - from)
      const messages = Array.from({ length: size }, (_, at) => ({
        role: (from + at) % 2 === 0 ? ('user' as const) : ('assistant' as const),
        content: `${from + at}: ${words.repeat(1 + ((from + at) % 5))}`,
      }))
      await throughline.conversation(`long-${length}`).append(messages)
    }
  await throughline.close()
  return lengths
}

async function loadServer(folder: string, lengths: readonly number[], options: LoadOptions) {
  const server = await startChild(folder)
  const samples: Sample[] = []
  const restMs = Math.min(2000, options.seconds * 100)
  server.process.on('message', (sample) => samples.push(sample as Sample))
  const clients = clientsOf(server.url, server.firstKey ?? '', options.connections)
  const random = seededFractions(options.seed)
  // The first context of a long conversation analyses it; that is measured elsewhere.
  for (const length of lengths) await clients.send(contextOf(`long-${length}`))
  await delay(restMs)
  clients.reset()
  server.process.send?.('collect')
  await delay(500)
  const heapBefore = samples.at(-1)?.heapMegabytes ?? 0
  samples.length = 0
  const timer = setInterval(() => server.process.send?.('sample'), (options.seconds * 1000) / 20)
  await driven(clients, options, () => drawn(random, lengths))
  clearInterval(timer)
  await delay(restMs)
  const during = samples.length
  server.process.send?.('collect')
  await delay(500)
  const heapAfter = samples.at(-1)?.heapMegabytes ?? 0
  samples.length = during
  clients.close()
  await server.kill()
  const { counted, errors } = clients
  const requests = [...counted.values()].reduce((sum, each) => sum + each.length, 0)
  return {
    ...{ requests, errors: errors.length, perSecond: Math.round(requests / options.seconds) },
    latencies: Object.fromEntries([...counted].map(([name, each]) => [name, percentiles(each)])),
    eventLoopP99Ms: Math.max(...samples.map(({ eventLoopP99Ms }) => eventLoopP99Ms)),
    heapGrowthMegabytes: Math.round((heapAfter - heapBefore) * 10) / 10,
    server: samples,
  }
}

interface Asked {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly body?: object
}

function drawn(random: () => number, lengths: readonly number[]): Asked {
  const isLong = random() < 0.5
  const id = isLong
    ? `long-${lengths[Math.floor(random() * lengths.length)]}`
    : `own-${Math.floor(random() * 200)}`
  const at = `/v1/conversations/${id}`
  const draw = random()
  if (draw < 0.5 || !isLong) {
    const content = `Another message about port ${Math.floor(random() * 65_536)}.`
    const messages = [{ role: 'user', content }]
    return { name: 'append', method: 'POST', path: `${at}/messages`, body: { messages } }
  }
  if (draw < 0.8) return contextOf(id)
  if (draw < 0.9) return { name: 'list', method: 'GET', path: `${at}/messages?limit=20` }
  if (draw < 0.95) return { name: 'info', method: 'GET', path: at }
  return { name: 'recall', method: 'GET', path: `${at}/recall?query=port+47113&limit=5` }
}

function contextOf(id: string): Asked {
  const body = { model: 'gpt-4o' }
  return { name: 'context', method: 'POST', path: `/v1/conversations/${id}/context`, body }
}

type Clients = ReturnType<typeof clientsOf>

function clientsOf(url: string, key: string, connections: number) {
  const agents = Array.from(
    { length: connections },
    () => new Agent({ keepAlive: true, maxSockets: 1 }),
  )
  const counted = new Map<string, number[]>()
  const errors: string[] = []
  const send = (
    { name, method, path, body }: Asked,
    { due = performance.now(), client = 0 } = {},
  ): Promise<void> =>
    new Promise((resolve) => {
      const agent = agents[client % connections]
      const text = body === undefined ? undefined : JSON.stringify(body)
      const fail = (why: string) => {
        errors.push(`${name}: ${why}`)
        resolve()
      }
      const headers = {
        authorization: `Bearer ${key}`,
        ...(text !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        }),
      }
      const options = { method, headers, ...(agent !== undefined && { agent }) }
      const sent = request(`${url}${path}`, options, (answer) => {
        answer.on('error', (error) => fail(error.message))
        answer.on('end', () => {
          if ((answer.statusCode ?? 500) >= 400) return fail(`${answer.statusCode} ${path}`)
          const all = counted.get(name) ?? []
          counted.set(name, all)
          all.push(performance.now() - due)
          resolve()
        })
        answer.resume()
      })
      sent.on('error', (error) => fail(error.message))
      sent.end(text)
    })
  return {
    ...{ counted, errors, send },
    reset: () => counted.clear(),
    close: () => {
      for (const agent of agents) agent.destroy()
    },
  }
}

/** At a rate, the time of a request counts from when it is due, so that waiting is not hidden. */
async function driven(
  clients: Clients,
  { seconds, connections, rate }: Pick<LoadOptions, 'seconds' | 'connections' | 'rate'>,
  next: () => Asked,
): Promise<void> {
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  const everyMs = rate === 0 ? 0 : (connections / rate) * 1000
  const client = async (_: unknown, at: number) => {
    const phase = startedAt + (at / connections) * everyMs
    for (let due = phase; due < until; due = everyMs === 0 ? performance.now() : due + everyMs) {
      await delay(Math.max(0, due - performance.now()))
      await clients.send(next(), { due: everyMs === 0 ? performance.now() : due, client: at })
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
}

async function loadBare(folder: string, options: LoadOptions, seconds: number) {
  const bare = await startBare(join(folder, `bare-${performance.now()}.db`))
  const clients = clientsOf(bare.url, '', options.connections)
  await driven(clients, { ...options, seconds }, () => ({
    ...{ name: 'insert', method: 'POST', path: '/messages' },
    body: { messages: [{ role: 'user', content: 'Another message about port 47113.' }] },
  }))
  clients.close()
  await bare.kill()
  return percentiles(clients.counted.get('insert') ?? [])
}

function percentiles(all: readonly number[]): Percentiles {
  const sorted = all.toSorted((one, other) => one - other)
  const at = (share: number) =>
    Math.round((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) * 10) /
    10
  return { requests: all.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}

/** The promises that the figures break. */
export function loadFindings(report: LoadReport): readonly Finding[] {
  const { append, context } = report.latencies
  const rss = report.server.map(({ rssMegabytes }) => rssMegabytes)
  // The first quarter warms up: caches of the engine and of the database have limits.
  const half = rss.slice(Math.floor(rss.length / 4))
  const growth = (half.at(-1) ?? 1) / (half[0] ?? 1)
  const checks: readonly (readonly [string, boolean, string])[] = [
    ['errors', report.errors > 0, `${report.errors} errors`],
    ['append', (append?.p99 ?? 0) > limits.append, `p99 ${append?.p99} ms`],
    ['context', (context?.p99 ?? 0) > limits.context, `p99 ${context?.p99} ms`],
    ['event-loop', report.eventLoopP99Ms > limits.eventLoop, `p99 ${report.eventLoopP99Ms} ms`],
    ['memory', growth > limits.growth, `grew ${growth.toFixed(2)} times`],
  ]
  return checks.filter(([, isBroken]) => isBroken).map(([rule, , detail]) => ({ rule, detail }))
}
