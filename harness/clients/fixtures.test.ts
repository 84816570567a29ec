/** Requests of five coding agents, without the words of their vendors, through the gateway once more. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startGateway } from '../gateway/started-gateway.ts'
import { type CodingAgentName, codingAgents } from './coding-agents.ts'
import { bodyOf, type Recording } from './fixtures.ts'

/** In which the scrubbed requests, which are shorter, are compacted. */
const contextWindowTokens = 10_000

const names = Object.keys(codingAgents) as readonly CodingAgentName[]

it.each(names)('requests of %s find their conversation, and pass or fit', async (name) => {
  const file = join(import.meta.dirname, 'fixtures', `${name}.jsonl`)
  const recording = JSON.parse(readFileSync(file, 'utf8')) as Recording
  const { requests } = recording
  const { models, tolerates } = codingAgents[name]
  const gateway = await startGateway({
    windowTokens: contextWindowTokens,
    models: models.map((id) => ({
      ...{ id: id.replace(/^.*\//, ''), tokenizer: 'o200k_base' as const, contextWindowTokens },
    })),
    answer: (number) => requests[number]?.answer ?? {},
    cutAfter: (number) => (requests[number]?.isCut === true ? 400 : null),
    tolerates,
  })
  try {
    const conversations = new Map<number, string>()
    let compacted = 0
    for (const [at, request] of requests.entries()) {
      const body = JSON.stringify(bodyOf(recording, request))
      const response = await fetch(gateway.url + request.path, {
        method: 'POST',
        headers: {
          ...{ ...request.headers, authorization: 'Bearer own', 'x-api-key': 'own' },
          'x-throughline-key': gateway.key,
        },
        body,
      })
      await response.text().catch(() => '')
      const decision = response.headers.get('x-throughline-decision') ?? ''
      const conversation = response.headers.get('x-throughline-conversation')
      const known = conversations.get(request.conversation ?? -1) ?? conversation
      if (request.conversation !== null && conversation !== null)
        conversations.set(request.conversation, conversation)
      const sent = gateway.upstream.calls.at(-1)
      const isSame = sent?.body.toString() === body
      if (!isSame) compacted += 1
      expect([at, response.status, decision, conversation]).toEqual([
        ...[at, 200, expect.stringContaining(`class=${request.class};`)],
        request.conversation === null ? null : known,
      ])
      expect(decision).toContain(isSame ? 'action=passed' : 'action=compacted')
    }
    expect(new Set(conversations.values()).size).toBe(conversations.size)
    expect(gateway.upstream.calls.map(({ status }) => status)).not.toContain(400)
    expect([requests.length, compacted > 0]).toEqual([40, true])
  } finally {
    await gateway.stop()
  }
})
