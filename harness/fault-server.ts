/**
 * A model server on the loopback address that fails on request and refuses what a strict provider
 * would refuse. It speaks OpenAI's chat completions and responses and Anthropic's messages, whole
 * and streamed, so any of their clients can use it.
 */

export { type ModelFault, modelFaults } from './fault-server/faults.ts'
export type { ModelApiName, ModelQuestion, ScriptedAnswer } from './fault-server/responder.ts'
export type { FaultServer, FaultServerOptions, ServedRequest } from './fault-server/settings.ts'

import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { send } from './fault-server/delivery.ts'
import { newRecord, type OpenRecord, readIncoming } from './fault-server/question.ts'
import { createResponder } from './fault-server/responder.ts'
import type {
  FaultPace,
  FaultServer,
  FaultServerOptions,
  ServedRequest,
} from './fault-server/settings.ts'

const defaultPace: FaultPace = {
  byteEveryMs: 1000,
  resetAfterMs: 20,
  retryAfterMs: 1000,
  hugeBytes: 100 * 1024 * 1024,
}

/**
 * Starts a model server on the loopback address that fails on request and refuses what a strict
 * provider would refuse.
 *
 * @example
 * const server = await createFaultServer({ answers: 'A summary.', faults: ['rate-limit', null] })
 * // createOpenAI({ baseURL: server.url, apiKey: 'test-key' }) gets 429, then "A summary."
 * await server.close()
 */
export async function createFaultServer(options: FaultServerOptions = {}): Promise<FaultServer> {
  // Loaded on first use, so that importing the contracts does not need Node.
  const { createServer } = await import('node:http')
  const pace = { ...defaultPace, ...options.pace }
  const responder = createResponder(options, pace)
  const requests: OpenRecord[] = []
  const running = new Set<Promise<void>>()

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const startedAtMs = Date.now()
    const incoming = await readIncoming(request)
    if (incoming === null) return
    const record = newRecord(incoming, startedAtMs)
    requests.push(record)
    const delivery = responder.respond(incoming, record)
    record.status = delivery.kind === 'body' ? delivery.status : null
    record.ended = await send(response, delivery, pace)
    record.endedAtMs = Date.now()
  }

  const server = createServer((request, response) => {
    const served = serve(request, response).finally(() => running.delete(served))
    running.add(served)
  })
  // A busy client must not find its idle connection closed: that would be a fault without a plan.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  // A listening server has an address of this form.
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/v1`,
    requests: requests satisfies readonly ServedRequest[],
    arm: responder.arm,
    close: async () => {
      const gone = new Promise<void>((resolve) => {
        server.close(() => resolve())
      })
      server.closeAllConnections()
      await Promise.all([gone, ...running])
    },
  }
}
