/**
 * What the gateway adds to a request. One conversation goes on, and each of its requests is sent to a bare relay with
 * undici and to the gateway, in turn, each in a process of its own and before the same upstream. The model's window
 * is wide, so that nothing is compacted.
 */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ThroughlineError } from 'throughline'
import { type GatewayChild, startGatewayChild } from '../harness/gateway/child.ts'
import { quantile } from '../packages/throughline/src/cli/simulation/statistics.ts'
import type { BenchOptions, BenchRow } from './report.ts'
import { shippedSizes } from './shipped-sizes.ts'

export async function measureGateway({
  dataDir,
  sizes = shippedSizes.gateway,
}: BenchOptions): Promise<readonly BenchRow[]> {
  if (dataDir !== null)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'bench gateway generates its own requests: leave out --data',
    )
  const rows: BenchRow[] = []
  for (const size of sizes) rows.push(...(await gatewayRows(size, requestsOf(size))))
  return rows
}

function requestsOf(sizeBytes: number): number {
  return sizeBytes > 4_000_000 ? 30 : 200
}

export async function gatewayRows(
  sizeBytes: number,
  requests: number,
): Promise<readonly BenchRow[]> {
  const folder = mkdtempSync(join(tmpdir(), 'throughline-bench-'))
  const upstream = await startUpstream()
  const gateway = await startGatewayChild('gateway-child.ts', folder, upstream.url)
  const relay = await startGatewayChild('relay-child.ts', folder, upstream.url)
  try {
    const idle = await rssOf(gateway)
    const messages: object[] = historyOf(sizeBytes)
    const times = { relay: [] as number[], gateway: [] as number[] }
    let most = 0
    // The first requests compile, and the gateway stores the whole history once.
    for (let request = -warmUps; request < requests; request += 1) {
      messages.push({ role: 'user', content: `Question ${request} of the conversation` })
      const body = JSON.stringify({ model: 'wide', messages })
      const direct = await timed(relay, body)
      const through = await timed(gateway, body)
      messages.push(answer)
      if (request < 0) continue
      times.relay.push(direct)
      times.gateway.push(through)
      if (request % 10 === 0) most = Math.max(most, await rssOf(gateway))
    }
    const row = (method: string, value: number, unit: string): BenchRow => ({
      ...{ source: 'generated', method, size: sizeBytes, value, unit, n: requests },
    })
    const added = (at: number) => quantile(times.gateway, at) - quantile(times.relay, at)
    return [
      row('relay', quantile(times.relay, 0.5), 'ms per request, p50'),
      row('throughline', quantile(times.gateway, 0.5), 'ms per request, p50'),
      row('throughline', added(0.5), 'ms added, p50'),
      row('throughline', added(0.99), 'ms added, p99'),
      row('throughline', (most - idle) / sizeBytes, 'memory above idle, in bodies'),
    ]
  } finally {
    await gateway.kill()
    await relay.kill()
    await upstream.close()
    rmSync(folder, { recursive: true })
  }
}

const warmUps = 10
const answer = { role: 'assistant', content: 'It is the function that the file exports.' }

function historyOf(sizeBytes: number): object[] {
  const text = 'a line of the file that was read, with its number and more words. '.repeat(30)
  const turns = Math.max(1, Math.floor(sizeBytes / (text.length + 150)))
  return Array.from({ length: turns }, (_, turn) => [
    { role: 'user', content: `${turn}: ${text}` },
    { role: 'assistant', content: `Answer ${turn}.` },
  ]).flat()
}

async function timed({ url, firstKey }: GatewayChild, body: string): Promise<number> {
  const started = performance.now()
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: {
      ...{ 'content-type': 'application/json', authorization: 'Bearer own' },
      ...{ 'x-throughline-key': firstKey ?? '', 'x-throughline-conversation': 'bench' },
    },
    body,
  })
  await response.arrayBuffer()
  return performance.now() - started
}

async function rssOf({ process: child }: GatewayChild): Promise<number> {
  child.send('report')
  const [message] = await once(child, 'message')
  return (message as { readonly rssBytes: number }).rssBytes
}

async function startUpstream() {
  const choice = { index: 0, message: answer, finish_reason: 'stop' }
  const text = JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion', choices: [choice] })
  const server = createServer(async (request, response) => {
    for await (const _ of request);
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
