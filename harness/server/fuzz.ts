/**
 * Sends random requests that are made from the OpenAPI document. Each answer must have a documented status and
 * a body of its schema; 500 never is one. A request with an Idempotency-Key is sent twice now and then.
 */
import fc from 'fast-check'
import type { Store } from 'throughline'
import { memory } from 'throughline/stores/memory'
import type { Operation, Parameter } from '../../packages/server/test/operations.ts'
import {
  type SampleWorld,
  type Sent,
  sampleWorld,
} from '../../packages/server/test/sample-world.ts'
import { sampleOf } from '../../packages/server/test/samples.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import { type PlantedBug, type StoreBug, storeWithBug } from '../kernel/planted.ts'
import { anyText, near } from './random-json.ts'

interface FuzzOptions {
  readonly requests: number
  readonly seed: number
  /** Ends with the first finding of this rule. */
  readonly untilFound?: string | undefined
  /** A bug in the store. */
  readonly planted?: ((store: Store) => Store) | undefined
}

interface FuzzReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<'requests' | 'succeeded' | 'refused' | 'operations'>
}

/** Requests of one server: it then starts with a new one, so that a finding repeats with few of them. */
const requestsPerWorld = 250

export async function runFuzz({
  requests,
  seed,
  planted,
  untilFound,
}: FuzzOptions): Promise<FuzzReport> {
  const findings: Finding[] = []
  const succeeded = new Set<string>()
  const counts = { succeeded: 0, refused: 0 }
  for (let done = 0; done < requests; done += requestsPerWorld) {
    const world = await sampleWorld({ store: planted?.(memory()) })
    const share = { requests: Math.min(requestsPerWorld, requests - done), seed: seed + done }
    const rerun = `fuzz --requests ${share.requests} --seed ${share.seed}`
    for (const { operation, sent } of drawn(world, share)) {
      const answer = await world.send(sent)
      const isGood = answer.status < 300
      counts[isGood ? 'succeeded' : 'refused'] += 1
      if (isGood) succeeded.add(operation.id)
      const problem = problemOf(operation, answer)
      if (problem !== null) {
        const request = `${sent.method} ${sent.path} ${sent.text?.slice(0, 300) ?? ''}`
        findings.push({ ...problem, detail: `${problem.detail}: ${request}`, rerun })
      }
    }
    await world.close()
    if (findings.some(({ rule }) => rule === untilFound)) break
  }
  if (Object.hasOwn(Object.prototype, 'x'))
    findings.push({ rule: 'prototype', detail: 'Object.prototype has a new field' })
  return { findings, figures: { requests, ...counts, operations: succeeded.size } }
}

function problemOf(
  operation: Operation,
  answer: Awaited<ReturnType<SampleWorld['send']>>,
): Pick<Finding, 'rule' | 'detail'> | null {
  const { status, text } = answer
  // The store is in memory, and nothing is slow: every failure is a bug.
  if (status >= 500) return { rule: 'failed', detail: `${status} ${text.slice(0, 300)}` }
  const problem = operation.problemOf(answer)
  return problem === null ? null : { rule: 'schema', detail: problem }
}

interface Drawn {
  readonly operation: Operation
  readonly sent: Sent
}

function drawn(world: SampleWorld, { requests, seed }: FuzzOptions): readonly Drawn[] {
  const { operations, facts } = world
  // Purging the conversation, or ending the key, would leave little for the others.
  const weights: Readonly<Record<string, number>> = { purgeConversation: 1, appendMessages: 20 }
  const arbitraries = operations.map((operation) => ({
    weight: weights[operation.id] ?? 8,
    arbitrary: anyRequest(operation, facts).map((sent) => ({ operation, sent })),
  }))
  return fc.sample(fc.oneof(...arbitraries), { numRuns: requests, seed })
}

function anyRequest(operation: Operation, facts: SampleWorld['facts']): fc.Arbitrary<Sent> {
  const { method, path, parameters, body } = operation
  const sample = sampleOf(operation, facts)
  const [samplePath = '', search = ''] = sample.path.split('?')
  const values = fc.tuple(...parameters.map((each) => parameterValue(each, samplePath, operation)))
  const text = body === null ? fc.constant(undefined) : bodyOf(near(body), sample.text)
  const random = fc.tuple(values, text).map(([all, content]): Sent => {
    const given = parameters.map((parameter, at) => ({ ...parameter, value: all[at] ?? null }))
    const of = (place: Parameter['in']) =>
      given.flatMap((each) => (each.in === place && each.value !== null ? [each] : []))
    const query = of('query').map(({ name, value }) => `${name}=${escaped(value ?? '')}`)
    const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      escaped(of('path').find((each) => each.name === name)?.value || 'talk'),
    )
    const headers = Object.fromEntries(of('header').map(({ name, value }) => [name, value ?? '']))
    const where = query.length === 0 ? named : `${named}?${query.join('&')}`
    return { method, path: where, headers, text: content }
  })
  const withQuery = search === '' ? samplePath : `${samplePath}?${search}`
  const valid = fc.constant({ ...sample, path: withQuery })
  return fc.oneof({ weight: 6, arbitrary: random }, { weight: 1, arbitrary: valid })
}

/** Null: left out. */
function parameterValue(
  { name, in: place, schema, required }: Parameter,
  samplePath: string,
  { path }: Operation,
): fc.Arbitrary<string | null> {
  if (place === 'header') return fc.constantFrom(null, null, ...(headerValues[name] ?? []))
  const index = path.split('/').indexOf(`{${name}}`)
  const sample = decodeURIComponent(samplePath.split('/')[index] ?? '')
  const odd = fc.oneof(near(schema).map(String), anyText)
  if (place === 'path')
    return fc.oneof({ weight: 7, arbitrary: fc.constant(sample) }, { weight: 2, arbitrary: odd })
  const value = fc.oneof({ weight: 9, arbitrary: near(schema).map(String) }, odd)
  return required ? value : fc.oneof({ weight: 2, arbitrary: fc.constant(null) }, value)
}

const headerValues: Readonly<Record<string, readonly string[]>> = {
  'Idempotency-Key': ['a', 'b', 'c', 'x'.repeat(256), 'é', '__proto__'],
  'If-Match': ['*', '"x"', 'W/"x"', ',,', '""'],
}

function bodyOf(value: fc.Arbitrary<unknown>, sample: string | undefined): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 20, arbitrary: value.map((each) => JSON.stringify(each)) },
    { weight: 3, arbitrary: fc.constant(sample ?? '{}') },
    anyText,
  )
}

function escaped(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

interface PlantedStore {
  readonly bug: string
  readonly rule: string
  readonly store: StoreBug
}

const storeBugs: readonly PlantedStore[] = [
  {
    bug: 'a store that fails for ids beyond ASCII',
    rule: 'failed',
    store: (tenant) => ({
      load: async (query) => {
        if (/[^ -~]/.test(query.id)) throw new Error('syntax error')
        return tenant.load(query)
      },
    }),
  },
  {
    bug: 'a store that returns numbers as text',
    rule: 'schema',
    store: (tenant) => ({
      read: async (query) => {
        const messages = await tenant.read(query)
        return (
          messages?.map((each) => ({ ...each, createdAt: String(each.createdAt) as never })) ?? null
        )
      },
    }),
  },
]

export const plantedFuzz: readonly PlantedBug[] = storeBugs.map(({ bug, rule, store }) => ({
  ...{ bug, rule },
  find: async () =>
    (await runFuzz({ requests: 5000, seed: 1, planted: storeWithBug(store), untilFound: rule }))
      .findings,
}))
