/** Proves that the contract finds bugs: each store here has one bug that real stores had. */
import { describe, expect, it } from 'vitest'
import type { Message } from '../domain/message.ts'
import type { Store, TenantStore } from '../ports/store.ts'
import { memory } from '../stores/memory.ts'
import type { ContractCase } from './contract.ts'
import { indexBugs } from './index-bugs.test-support.ts'
import { rewriteBugs } from './rewrite-bugs.test-support.ts'
import { type Bug, rowBugs } from './row-bugs.test-support.ts'
import { storeContract } from './store-contract.ts'

const bugs: Readonly<Record<string, Bug>> = {
  'orders messages by their time': (tenant) => ({
    read: async (query) => {
      const messages = await tenant.read(query)
      return messages?.toSorted((left, right) => left.createdAt - right.createdAt) ?? null
    },
  }),
  'replaces half a surrogate pair': (tenant) => ({
    read: async (query) => {
      const messages = await tenant.read(query)
      return (
        messages &&
        (JSON.parse(JSON.stringify(messages).replaceAll('\\ud83d', '\ufffd')) as Message[])
      )
    },
  }),
  'appends at any end of the log': (tenant) => ({
    append: ({ expectedHead: _, ...command }) => tenant.append(command),
  }),
  'drops the keys of clients': (tenant) => ({
    append: (command) =>
      tenant.append({
        ...command,
        messages: command.messages.map((message) => ({ ...message, key: null })),
      }),
  }),
  'writes the messages of a batch one by one': (tenant) => ({
    append: async (command) => {
      const entries = []
      let head = 0
      let serial = 0
      for (const message of command.messages) {
        const outcome = await tenant.append({ ...command, messages: [message] })
        if (outcome.kind !== 'appended') return outcome
        entries.push(...outcome.entries)
        ;({ head, serial } = outcome)
      }
      return { kind: 'appended', serial, head, entries }
    },
  }),
  'forgets which tenant asks': (_tenant, store) => store.tenant('one-for-all' as never),
  'ignores the version of a commit': (tenant) => ({
    commit: async (command) => {
      const current = await tenant.load({ id: command.id })
      return tenant.commit({ ...command, expectedVersion: current?.conversation.version ?? 0 })
    },
  }),
  'loses the original': (tenant) => ({
    append: (command) =>
      tenant.append({
        ...command,
        messages: command.messages.map((message) => ({ ...message, raw: null })),
      }),
  }),
  'skips an event': (tenant) => ({
    events: async (query) =>
      (await tenant.events(query))?.filter(({ number }) => number !== 2) ?? null,
  }),
  'keeps children of a purged conversation': (tenant) => ({
    purge: async (command) => {
      const query = { by: 'id', after: null, limit: 100, parent: command.id } as const
      const children = await tenant.list(query)
      const outcome = await tenant.purge(command)
      for (const { conversation } of children) await tenant.create({ ...conversation, at: 0 })
      return outcome
    },
  }),
}

function buggy(bug: Bug): Store {
  const store = memory()
  const tenants = new Map<string, TenantStore>()
  return {
    tenant: (id) => {
      const tenant = store.tenant(id)
      const planted = tenants.get(id) ?? { ...tenant, ...bug(tenant, store) }
      tenants.set(id, planted)
      return planted
    },
    close: () => store.close(),
  }
}

/** Cases that found a bug, the latest first: a similar bug comes next, and they find it at once. */
const found: string[] = []

/** A case that fails. */
async function firstFailure(open: () => Store): Promise<string | null> {
  const rank = ({ name }: ContractCase) => found.indexOf(name) + 1 || Number.POSITIVE_INFINITY
  const cases = storeContract({ open })
  for (const { name, run } of cases.toSorted((a, b) => rank(a) - rank(b) || 0)) {
    const isPassed = await run().then(
      () => true,
      () => false,
    )
    if (isPassed) continue
    found.splice(0, found.length, name, ...found.filter((other) => other !== name))
    return name
  }
  return null
}

describe('the contract of stores', () => {
  it('finds nothing wrong with the reference', async () => {
    expect(await firstFailure(() => memory())).toBeNull()
  })

  for (const [name, bug] of Object.entries({ ...bugs, ...rowBugs, ...indexBugs, ...rewriteBugs }))
    it(`finds a store that ${name}`, async () => {
      expect(await firstFailure(() => buggy(bug))).not.toBeNull()
    })

  it('skips a case only by its name', () => {
    expect(() => storeContract({ open: () => memory(), skip: { 'no such case': 'why' } })).toThrow(
      'no such case',
    )
  })
})
