/**
 * Sends every operation of the OpenAPI document with every kind of wrong request. Each must be refused with
 * the right status, as documented, and no answer may contain another tenant's words, or how the server works.
 */
import type { Answered, Operation } from '../../packages/server/test/operations.ts'
import {
  canary,
  type SampleWorld,
  type Sent,
  sampleWorld,
} from '../../packages/server/test/sample-world.ts'
import { sampleOf } from '../../packages/server/test/samples.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import {
  deepJson,
  evilHosts,
  evilOrigins,
  traversals,
  wrongBodies,
  wrongTypes,
} from './hostile-data.ts'

type Send = (sent: Sent) => Promise<Answered>

interface MatrixReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<'operations' | 'requests'>
}

interface Case extends Sent {
  readonly says: string
  readonly expected: readonly number[]
}

const maxBodyBytes = 200_000

interface MatrixOptions {
  /** Sends over another connection than a call in this process. */
  readonly over?:
    | ((world: SampleWorld) => { readonly send: Send; close(): Promise<void> })
    | undefined
  /** Only each so many of the cases. */
  readonly every?: number | undefined
}

export async function runMatrix({ over, every = 1 }: MatrixOptions = {}): Promise<MatrixReport> {
  const world = await sampleWorld({ hosts: ['localhost', '127.0.0.1'], limits: { maxBodyBytes } })
  const { send, close } = over?.(world) ?? { send: world.send, close: async () => {} }
  const findings: Finding[] = []
  let requests = 0
  try {
    for (const operation of world.operations)
      for (const [at, each] of casesOf(operation, world).entries()) {
        if (at % every > 0) continue
        requests += 1
        const finding = await check(operation, each, send)
        if (finding !== null) findings.push(finding)
      }
    if (!(await isUnchanged(world))) findings.push({ rule: 'changed', detail: 'a refused request' })
  } finally {
    await close()
    await world.close()
  }
  return { findings, figures: { operations: world.operations.length, requests } }
}

async function check(operation: Operation, each: Case, send: Send): Promise<Finding | null> {
  const answer = await send(each)
  const where = `${each.method} ${each.path} (${operation.id}), ${each.says}`
  if (!each.expected.includes(answer.status))
    return { rule: 'status', detail: `${where}: ${answer.status}, not ${each.expected}` }
  const leak = leakIn(answer.text)
  if (leak !== null) return { rule: 'leak', detail: `${where}: ${leak}` }
  if (answer.status === 405) return null
  const problem = operation.problemOf(answer)
  return problem === null ? null : { rule: 'schema', detail: `${where}: ${problem}` }
}

/** Another tenant's words, or how the server works. */
function leakIn(text: string): string | null {
  const found = [canary, ...internals].find((each) => text.includes(each))
  return found === undefined ? null : `the answer has "${found}"`
}

const internals = [
  '    at ',
  'node:',
  'node_modules',
  '.ts:',
  'SQLITE',
  'sqlite',
  'UNIQUE constraint',
]

async function isUnchanged({ throughline }: SampleWorld): Promise<boolean> {
  const chat = throughline.tenant('home').conversation('talk')
  const removed = await throughline.tenant('home').purges()
  return (await chat.info())?.head === 14 && removed.length === 0 && 'x' in {} === false
}

function casesOf(operation: Operation, world: SampleWorld): readonly Case[] {
  const base = sampleOf(operation, world.facts)
  return [
    ...keyCases(operation, base, world),
    ...headerCases(base),
    ...(operation.body === null ? [] : bodyCases(base)),
    ...pathCases(operation, base, world),
    ...methodCases(operation, base, world),
  ]
}

/** They create the conversation that their path names. */
const appends = ['appendMessages', 'reply', 'streamReply']

function keyCases(operation: Operation, base: Sent, world: SampleWorld): readonly Case[] {
  const { access, secrets } = world
  const made = (expiresAt: number | null) =>
    access.createKey({ tenant: 'home', name: 'gone', role: 'admin', expiresAt })
  const revoked = made(null)
  access.revokeKey(revoked.key.id)
  const unknown = [null, '', 'tl_wrong', `${secrets.admin}x`, secrets.admin.slice(0, -1)]
  const refused = [...unknown, revoked.secret, made(1).secret].map((key) => ({
    ...{ ...base, key, expected: [401], says: 'an invalid key' },
  }))
  const schemes = [`Basic ${secrets.admin}`, `bearer${secrets.admin}`, secrets.admin].map(
    (authorization) => ({
      ...{ ...base, key: null, headers: { authorization, cookie: `key=${secrets.admin}` } },
      ...{ expected: [401], says: 'another scheme' },
    }),
  )
  const lower = { read: [], write: ['read'], admin: ['read', 'write'] } as const
  const tooLow = lower[operation.role].map((role) => ({
    ...{ ...base, key: secrets[role], expected: [403], says: `the role ${role}` },
  }))
  const isNamed = operation.path.includes('{conversation}') || operation.path.includes('{key}')
  // These create a conversation of the other tenant; `isolation` compares what it then gets.
  const creates = [...appends, 'createConversation', 'importTranscript']
  const foreign = creates.includes(operation.id)
    ? []
    : [{ ...base, key: secrets.other, expected: isNamed ? [404] : [200, 201] }]
  return [
    ...[...refused, ...schemes, ...tooLow],
    ...foreign.map((each) => ({ ...each, says: 'the id of another tenant' })),
  ]
}

function headerCases(base: Sent): readonly Case[] {
  return [
    ...evilHosts.map((host) => ({ ...base, headers: { host }, expected: [421], says: host })),
    ...evilOrigins.map((origin) => ({
      ...{ ...base, headers: { origin }, expected: [403], says: `origin ${origin}` },
    })),
    {
      ...{ ...base, headers: { host: 'evil.example', 'x-forwarded-host': 'localhost' } },
      ...{ expected: [421], says: 'a forwarded host without a trusted proxy' },
    },
  ]
}

function bodyCases(base: Sent): readonly Case[] {
  const withBody = (text: string, status: number, says: string) => ({
    ...{ ...base, text, expected: [status], says },
  })
  return [
    ...wrongTypes.map((type) => ({
      ...{ ...base, headers: { 'content-type': type }, expected: [415], says: `type "${type}"` },
    })),
    {
      ...{ ...base, headers: { 'content-encoding': 'gzip' }, expected: [415] },
      says: 'a compressed body',
    },
    withBody(`{"text":"${'x'.repeat(maxBodyBytes)}"}`, 413, 'a body above the limit'),
    ...deepJson.map((text) => withBody(text, 400, 'deep JSON')),
    ...wrongBodies.map((text) => withBody(text, 400, `the body ${text.slice(0, 20)}`)),
  ]
}

function pathCases(operation: Operation, base: Sent, { secrets }: SampleWorld): readonly Case[] {
  // An append to a conversation with a strange name is no attack: names are rows, not paths.
  if (!operation.path.includes('{') || appends.includes(operation.id)) return []
  const [path = '', search] = base.path.split('?')
  return traversals.flatMap((name) => {
    const pieces = path.split('/')
    const places = operation.path
      .split('/')
      .flatMap((piece, at) => (piece.startsWith('{') ? [at] : []))
    return places.map((at) => {
      const changed = pieces.map((piece, index) => (index === at ? name : piece)).join('/')
      const whole = search === undefined ? changed : `${changed}?${search}`
      const sent = { ...base, path: whole, key: secrets.other }
      return { ...sent, expected: [400, 404, 405], says: `the path ${name.slice(0, 20)}` }
    })
  })
}

function methodCases(operation: Operation, base: Sent, world: SampleWorld): readonly Case[] {
  const known = world.operations
    .filter(({ path }) => path === operation.path)
    .map(({ method }) => method)
  return ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
    .filter((method) => !known.includes(method))
    .map((method) => {
      const { text: _, ...sent } = base
      return { ...sent, method, expected: [405], says: 'another method' }
    })
}
