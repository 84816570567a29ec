/**
 * Plays every operation of one tenant twice: alone, and beside another tenant whose conversations have the
 * same ids. The answers must be the same, and nothing of the other tenant may change. A planted bug lets one
 * method of the store forget the tenant.
 */
import type { ConversationId, Store, TenantId } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { turnMemory } from 'throughline/turns'
import type { Operation } from '../../packages/server/test/operations.ts'
import {
  canary,
  type SampleWorld,
  sampleModel,
  sampleWorld,
} from '../../packages/server/test/sample-world.ts'
import { sampleOf } from '../../packages/server/test/samples.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import type { PlantedBug } from '../kernel/planted.ts'

interface IsolationReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<'requests'>
}

type Method = Exclude<keyof TenantStore, 'vectors'>

interface IsolationOptions {
  readonly store?: 'memory' | 'sqlite'
  /** The method that forgets the tenant. */
  readonly planted?: Method | undefined
}

export async function runIsolation({
  store = 'memory',
  planted,
}: IsolationOptions = {}): Promise<IsolationReport> {
  const stores = [0, 1].map(() => (store === 'memory' ? memory() : sqlite(':memory:')))
  const [first = memory(), second = memory()] = stores
  const now = () => 1_700_000_000_000
  const alone = await sampleWorld({ store: forgetful(first, planted), now, isEmpty: true })
  const beside = await sampleWorld({ store: forgetful(second, planted), now })
  const findings: Finding[] = []
  try {
    await addMore(beside)
    const before = await everythingOf(beside)
    const [expected, answers] = [await play(alone, first), await play(beside, second)]
    for (const [at, { says, text }] of answers.entries()) {
      if (text.includes(canary)) findings.push({ rule: 'leak', detail: says })
      if (text !== expected[at]?.text)
        findings.push({ rule: 'other', detail: `${says}: ${difference(text, expected[at]?.text)}` })
    }
    const after = await everythingOf(beside)
    if (after !== before) findings.push({ rule: 'changed', detail: difference(after, before) })
    return { findings, figures: { requests: answers.length } }
  } finally {
    await alone.close()
    await beside.close()
  }
}

/** A store in which a method of any tenant but `home` finds the rows of `home` where it has the id. */
function forgetful(store: Store, method: Method | undefined): Store {
  if (method === undefined) return store
  return {
    close: () => store.close(),
    tenant: (id) => {
      const own = store.tenant(id)
      if (id === 'home') return own
      const home = store.tenant('home' as typeof id)
      const call = async (command: { readonly id?: never }) => {
        const hasId = command.id !== undefined && command.id !== null
        const isThere = !hasId || (await home.load({ id: command.id })) !== null
        const of = isThere ? home : own
        return (of[method] as (command: unknown) => unknown)(command)
      }
      return { ...own, [method]: call }
    },
  }
}

/** Conversations with the ids that the other tenant creates, and another number of events. */
async function addMore({ throughline }: SampleWorld): Promise<void> {
  const tenant = throughline.tenant('home')
  for (const id of ['new', 'fork', 'old']) await tenant.begin(id, { title: canary })
  await tenant.conversation('talk').append({ role: 'user', content: `More. ${canary}` })
  await tenant.conversation('talk').pin('#1')
}

interface Answer {
  readonly says: string
  readonly text: string
}

const talk = 'talk' as ConversationId

/** Reads first, then writes, then what removes. */
const stages = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

async function play(world: SampleWorld, store: Store): Promise<readonly Answer[]> {
  const facts = await world.fill('away', 'mine').catch((error: unknown) => error)
  await world.throughline.settled()
  // How far its messages are indexed is in no answer.
  const query = { id: talk, terms: ['port'], partsOfNames: [], before: 100, most: 10 }
  const found = await store.tenant('away' as TenantId).search(query)
  const answers: Answer[] = [{ says: 'filling', text: `${textOf(facts)} ${JSON.stringify(found)}` }]
  const known = facts as Parameters<typeof sampleOf>[1]
  if (facts instanceof Error) return answers
  const operations = world.operations
    // Keys belong to a tenant by a table of their own.
    .filter(({ path }) => !path.startsWith('/v1/keys') && path !== '/v1/audit')
    .toSorted((one, other) => stageOf(one) - stageOf(other))
  for (const operation of [...operations, ...operations.filter(({ method }) => method === 'GET')]) {
    const sent = sampleOf(operation, known)
    const mine = sent.text?.replaceAll(canary, 'mine')
    const answer = await world.send({
      ...{ ...sent, key: world.secrets.other },
      ...(mine !== undefined && { text: mine }),
    })
    const says = `${operation.method} ${sent.path}`
    answers.push({ says, text: `${answer.status} ${withoutDurations(answer.text)}` })
  }
  return answers
}

function stageOf({ method, id }: Operation): number {
  return id === 'purgeConversation' ? stages.length : stages.indexOf(method)
}

function textOf(value: unknown): string {
  if (value instanceof Error) return `${value.name}: ${value.message}`
  const { keyId: _, ...rest } = value as Readonly<Record<string, unknown>>
  return JSON.stringify(rest)
}

function withoutDurations(text: string): string {
  return text.replaceAll(/"durationMs":\d+/g, '"durationMs":0')
}

/** Everything that the tenant `home` can read. */
async function everythingOf({ throughline }: SampleWorld): Promise<string> {
  await throughline.settled()
  const tenant = throughline.tenant('home')
  const chat = tenant.conversation('talk')
  return withoutDurations(
    JSON.stringify([
      await Promise.all([
        tenant.list(),
        tenant.purges(),
        chat.status(),
        chat.events({ limit: 1000 }),
      ]),
      await Promise.all([chat.receipts(), chat.summaries(), chat.history.versions(), chat.turns()]),
      await Promise.all([turnMemory(chat), chat.ledger(), chat.summary({ model: sampleModel })]),
      [await Array.fromAsync(chat.messages()), await chat.recall('which port')],
    ]),
  )
}

function difference(one: string, other = ''): string {
  const at = [...one].findIndex((character, index) => character !== other[index])
  const from = Math.max(0, at - 60)
  return `${one.slice(from, at + 60)} … instead of … ${other.slice(from, at + 60)}`
}

/** Every method of a store, so that a new one is planted too. */
const methods: Readonly<Record<Method, true>> = {
  ...{ create: true, load: true, list: true, append: true, read: true, bytes: true, commit: true },
  ...{ record: true, index: true, search: true, events: true, rewrite: true, purge: true },
}

export const plantedTenants: readonly (PlantedBug & { readonly method: Method })[] = (
  Object.keys(methods) as Method[]
).map((method) => ({
  ...{ method, bug: `a store whose ${method} forgets the tenant`, rule: 'any' },
  find: async () => {
    const { findings } = await runIsolation({ planted: method })
    return findings.map(({ detail }) => ({ rule: 'any', detail }))
  },
}))
