/** Random requests in random spellings, with nothing to compact: what the upstream gets has the same hash. */
import { createHash } from 'node:crypto'
import fc from 'fast-check'
import type { Figures, Finding } from '../kernel/finding.ts'
import { startGateway } from './started-gateway.ts'

export interface ByteReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<'requests' | 'different'>
}

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40, unit: 'grapheme' }),
  fc.constantFrom('\u2028', 'a\n', '“x”', '😀', '\u0000', '</script>', '__proto__'),
)
const extra = fc.dictionary(fc.string({ maxLength: 8 }), fc.jsonValue({ maxDepth: 3 }), {
  maxKeys: 4,
})
const role = fc.constantFrom('user', 'assistant', 'system')
const message = fc
  .tuple(role, text, extra)
  .map(([who, content, more]) => ({ ...more, role: who, content }))
const request = fc
  .tuple(fc.array(message, { minLength: 1, maxLength: 6 }), extra, fc.boolean())
  .map(([messages, more, isFirst]) =>
    isFirst
      ? { messages, ...more, model: 'small' }
      : { ...more, model: 'small', max_tokens: 10, messages },
  )

/** The same value in other bytes: spaces, escapes, numbers in another form. */
const spelled = fc.tuple(request, fc.nat(3)).map(([value, spelling]) => {
  const plain = JSON.stringify(value)
  if (spelling === 1) return JSON.stringify(value, null, 1)
  if (spelling === 2) return ` ${plain.replaceAll('user', 'us\\u0065r')}\n`
  return spelling === 3 ? `${plain.slice(0, -1)},"temperature":1.0e0,"top_p":1.00}` : plain
})

const paths = ['/v1/messages', '/v1/chat/completions']

export async function runBytes({
  requests,
  seed,
}: {
  readonly requests: number
  readonly seed: number
}): Promise<ByteReport> {
  const gateway = await startGateway({ refuse: () => ({ status: 418, body: {} }) })
  const findings: Finding[] = []
  try {
    const bodies = fc.sample(spelled, { numRuns: requests, seed })
    for (const [at, body] of bodies.entries()) {
      await fetch(gateway.url + (paths[at % paths.length] ?? ''), {
        method: 'POST',
        headers: {
          ...{ 'content-type': 'application/json', authorization: 'Bearer own' },
          'x-throughline-key': gateway.key,
        },
        body,
      }).then((response) => response.arrayBuffer())
      const sent = gateway.upstream.calls.at(-1)?.body ?? ''
      if (hashOf(sent) !== hashOf(body))
        findings.push({ rule: 'bytes', detail: body.slice(0, 200) })
    }
    if (gateway.upstream.calls.length !== requests)
      findings.push({ rule: 'count', detail: `${gateway.upstream.calls.length} requests arrived` })
  } finally {
    await gateway.stop()
  }
  return { findings, figures: { requests, different: findings.length } }
}

function hashOf(bytes: string | Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}
