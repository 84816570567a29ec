/**
 * Loads a server in a process of its own as chat users do, each with a connection and a conversation: append a
 * message, build a context, append the reply. Prints the figures as JSON beside those of a bare Hono server that
 * only inserts a row, in the same run, before and after: other programs change the speed of the machine. Last,
 * both answer as fast as they can.
 */
import type { ChildProcess } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { createServerKey } from '@throughline/server'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { seededFractions } from '../kernel/chance.ts'
import type { Finding, Print } from '../kernel/finding.ts'
import { chatText, chatUser, type Sent } from './chat-user.ts'
import { startBare, startChild } from './child-server.ts'

interface LoadOptions {
  readonly seconds: number
  readonly connections: number
  readonly largest: number
  /** Requests per second of all connections together. */
  readonly rate: number
  readonly seed: number
  /** Keeps the conversations, for another run; a temporary one unless given. */
  readonly folder?: string | null
}

interface Sample {
  readonly rssMegabytes: number
  readonly heapMegabytes: number
  readonly eventLoopP99Ms: number
  readonly eventLoopMaxMs: number
  readonly cpuSeconds: number
  /** Of the thread that answers. */
  readonly loopCpuSeconds: number
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
  /** Of the bare insert, at the same rate. */
  readonly bare: readonly Percentiles[]
  /** Requests per second without a pause. */
  readonly saturated: { readonly server: number; readonly bare: number }
}

interface Percentiles {
  readonly requests: number
  readonly p50: number
  readonly p99: number
  readonly max: number
}

const limits = { append: 25, context: 50, eventLoop: 50, growth: 1.15 } as const

export async function runLoad(options: LoadOptions, print: Print): Promise<LoadReport> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'throughline-load-'))
  try {
    const lengths = lengthsOf(options)
    const file = join(folder, 'conversations.db')
    if (!existsSync(file)) await fill(file, lengths, options.seed)
    print(`conversations of ${[...new Set(lengths)].join(', ')} messages`)
    const restSeconds = Math.min(10, options.seconds / 4)
    const atRate = { ...options, seconds: restSeconds }
    const before = await loadBare(folder, atRate)
    const { saturatedServer, ...loaded } = await loadServer(folder, lengths, options, restSeconds)
    const after = await loadBare(folder, atRate)
    const saturatedBare = await loadBare(folder, { ...atRate, rate: 0 })
    const bare = Math.round(saturatedBare.requests / restSeconds)
    const saturated = { server: saturatedServer, bare }
    return { ...loaded, bare: [before, after], saturated }
  } finally {
    if (options.folder == null) rmSync(folder, { recursive: true, force: true })
  }
}

/** One conversation for each connection: half of them have 10 messages, one of 200 has 100,000. */
function lengthsOf({ connections, largest }: LoadOptions): readonly number[] {
  const shares = [0.5, 0.8, 0.97, 0.995, 1]
  return Array.from({ length: connections }, (_, at) =>
    Math.min(largest, 10 ** (1 + shares.findIndex((share) => at / connections < share))),
  )
}

async function fill(file: string, lengths: readonly number[], seed: number): Promise<void> {
  const throughline = createThroughline({ store: sqlite(file, { durability: 'normal' }) })
  const random = seededFractions(seed)
  for (const [at, length] of lengths.entries())
    for (let from = 0; from < length; from += 1000) {
      const size = Math.min(1000, length - from)
      const messages = Array.from({ length: size }, (_, index) => {
        const role = index % 2 === 0 ? ('user' as const) : ('assistant' as const)
        return { role, content: chatText(random, role) }
      })
      await throughline.conversation(`chat-${at}`).append(messages)
    }
  await throughline.close()
}

async function loadServer(
  folder: string,
  lengths: readonly number[],
  options: LoadOptions,
  saturatedSeconds: number,
) {
  const server = await startChild(folder)
  const newKey = { tenant: 'default', name: 'load', role: 'write' } as const
  const key = server.firstKey ?? createServerKey(folder, newKey)
  const samples: Sample[] = []
  const restMs = Math.min(2000, options.seconds * 100)
  server.process.on('message', (sample) => samples.push(sample as Sample))
  const clients = clientsOf(server.url, key, options.connections)
  const random = seededFractions(options.seed)
  // The first context of a long conversation analyses it; that is measured elsewhere.
  for (const at of lengths.keys()) await clients.send(contextOf(`chat-${at}`))
  await untilIdle(server.process, samples)
  clients.reset()
  server.process.send?.('collect')
  await delay(500)
  const heapBefore = samples.at(-1)?.heapMegabytes ?? 0
  samples.length = 0
  const timer = setInterval(() => server.process.send?.('sample'), (options.seconds * 1000) / 20)
  const users = lengths.map((_, at) => chatUser(`chat-${at}`, random))
  await driven(clients, options, (at) => users[at]?.() ?? contextOf('chat-0'))
  clearInterval(timer)
  await delay(restMs)
  const during = samples.length
  server.process.send?.('collect')
  await delay(500)
  const heapAfter = samples.at(-1)?.heapMegabytes ?? 0
  samples.length = during
  const { counted, errors } = clients
  const latencies = Object.fromEntries([...counted].map(([name, all]) => [name, percentiles(all)]))
  const requests = countOf(counted)
  clients.reset()
  const saturated = { ...options, seconds: saturatedSeconds, rate: 0 }
  await driven(clients, saturated, (at) => users[at]?.() ?? contextOf('chat-0'))
  const saturatedServer = Math.round(countOf(counted) / saturatedSeconds)
  clients.close()
  await server.kill()
  return {
    ...{ requests, errors: errors.length, perSecond: Math.round(requests / options.seconds) },
    latencies,
    eventLoopP99Ms: Math.max(...samples.map(({ eventLoopP99Ms }) => eventLoopP99Ms)),
    heapGrowthMegabytes: Math.round((heapAfter - heapBefore) * 10) / 10,
    server: samples,
    saturatedServer,
  }
}

/** Facts and search terms of long conversations are extracted in the background. */
async function untilIdle(server: ChildProcess, samples: readonly Sample[]): Promise<void> {
  do {
    server.send('sample')
    await delay(1000)
  } while ((samples.at(-1)?.cpuSeconds ?? 1) > 0.1)
}

function countOf(counted: ReadonlyMap<string, readonly number[]>): number {
  return [...counted.values()].reduce((sum, each) => sum + each.length, 0)
}

function contextOf(id: string): Sent {
  const path = `/v1/conversations/${id}/context`
  return { name: 'context', method: 'POST', path, body: { model: 'gpt-4o' } }
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
    { name, method, path, body, key: idempotency }: Sent,
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
        ...(idempotency !== undefined && { 'idempotency-key': idempotency }),
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
  next: (client: number) => Sent,
): Promise<void> {
  const startedAt = performance.now()
  const until = startedAt + seconds * 1000
  const everyMs = rate === 0 ? 0 : (connections / rate) * 1000
  const client = async (_: unknown, at: number) => {
    const phase = startedAt + (at / connections) * everyMs
    for (let due = phase; due < until; due = everyMs === 0 ? performance.now() : due + everyMs) {
      await delay(Math.max(0, due - performance.now()))
      await clients.send(next(at), { due: everyMs === 0 ? performance.now() : due, client: at })
    }
  }
  await Promise.all(Array.from({ length: connections }, client))
}

async function loadBare(folder: string, options: LoadOptions) {
  const bare = await startBare(join(folder, `bare-${performance.now()}.db`))
  const clients = clientsOf(bare.url, '', options.connections)
  await driven(clients, options, () => ({
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
