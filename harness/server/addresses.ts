/** Puts addresses into every field that takes one, and counts the connections that the server opens. */
import { createServer } from 'node:net'
import { sampleModel, sampleWorld } from '../../packages/server/test/sample-world.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import { addressesOf } from './hostile-data.ts'

interface AddressReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<'addresses' | 'connections'>
}

/** `every`: only each so many of the addresses. */
export async function runAddresses({ every = 1 } = {}): Promise<AddressReport> {
  let connections = 0
  const trap = createServer((socket) => {
    connections += 1
    socket.destroy()
  })
  const port = await new Promise<number>((resolve) => {
    trap.listen(0, () => {
      const address = trap.address()
      resolve(typeof address === 'object' ? (address?.port ?? 0) : 0)
    })
  })
  const world = await sampleWorld()
  const findings: Finding[] = []
  const addresses = addressesOf(port).filter((_, at) => at % every === 0)
  try {
    for (const url of addresses) {
      const file = { type: 'file', mediaType: 'image/png', url }
      const message = { role: 'user', content: [{ type: 'text', text: url }, file] }
      const at = '/v1/conversations/links'
      const bodies: readonly (readonly [string, object])[] = [
        [`${at}/messages`, { messages: [message] }],
        [
          `${at}/context`,
          { model: sampleModel, next: message, retrieved: [{ text: url, id: url }] },
        ],
        [`${at}/context`, { model: url }],
        [`${at}/compactions/preview`, { model: url, ask: true }],
        [
          '/v1/import',
          { text: `{"role":"user","content":"${url}"}`, format: 'messages', name: url },
        ],
      ]
      for (const [path, body] of bodies) {
        const { status } = await world.send({ method: 'POST', path, text: JSON.stringify(body) })
        if (status >= 500) findings.push({ rule: 'status', detail: `${path} ${url}: ${status}` })
      }
    }
    await world.throughline.settled()
  } finally {
    await world.close()
    await new Promise((resolve) => trap.close(resolve))
  }
  if (connections > 0) findings.push({ rule: 'connection', detail: `${connections} connections` })
  return { findings, figures: { addresses: addresses.length, connections } }
}
