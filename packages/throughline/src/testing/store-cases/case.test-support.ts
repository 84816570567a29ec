/** Helpers for the cases of the contract. */
import type { DerivedRow } from '../../domain/derived-row.ts'
import type { ConversationId } from '../../domain/ids.ts'
import type { Message } from '../../domain/message.ts'
import type { CommitCommand, RowQuery, Store, TenantStore } from '../../ports/store.ts'
import { createThroughline, type Throughline } from '../../throughline.ts'
import { type FakeClock, fakeClock } from '../fake-clock.ts'
import { hardText, row } from '../store-contract/sample-rows.ts'

export { hardText, row }

/** The input of a case; the store is closed after it. */
export interface Bench {
  readonly tl: Throughline
  readonly store: Store
  readonly clock: FakeClock
  /** The conversation "c", which does not exist yet, and its tenant's store. */
  readonly chat: ReturnType<Throughline['conversation']>
  readonly tenant: TenantStore
}

/** By name, in the order in which they run. */
export type StoreCases = Readonly<Record<string, (bench: Bench) => Promise<void>>>

export function casesFor<Item>(items: readonly Item[], casesOf: (item: Item) => StoreCases) {
  return Object.assign({}, ...items.map(casesOf)) as StoreCases
}

export const id = 'c' as ConversationId
export const tenantOf = (store: Store) => store.tenant('default' as never)

export const resultOf = (callId: string, output = 'x') =>
  ({ role: 'tool', content: [{ type: 'tool-result', callId, output }] }) as const

export async function messageAt(chat: Bench['chat'], seq: number): Promise<Message | undefined> {
  return (await Array.fromAsync(chat.messages({ from: seq, to: seq + 1 })))[0]
}

export async function fileHash(chat: Bench['chat'], seq: number): Promise<string> {
  const [part] = (await messageAt(chat, seq))?.parts ?? []
  return part?.type === 'file' && part.source.kind === 'stored' ? part.source.sha256 : ''
}

export const purged = (...conversations: readonly string[]) => {
  return { kind: 'purged', conversations, erased: true, remains: [] }
}
export const alreadyPurged = { kind: 'already-purged', erased: true, remains: [] }

export const numbered = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => ({ role: 'user', content: `${from + at}` }) as const)

export const append = (tl: Pick<Throughline, 'conversation'>, to: string, count: number) =>
  tl.conversation(to).append(numbered(count).map((message) => ({ ...message, content: 'x' })))

/** A conversation and its events, which a record does not change. */
export const stateOf = async (tenant: TenantStore) => [
  (await tenant.load({ id }))?.conversation,
  await tenant.events({ id, after: 0, limit: 99 }),
]

export async function commit(tenant: TenantStore, command: Partial<CommitCommand>, to = id) {
  const expectedVersion = (await tenant.load({ id: to }))?.conversation.version ?? 0
  const events = [{ kind: 'conversation-updated', fields: [] }] as const
  return tenant.commit({ id: to, expectedVersion, events, at: 9, ...command })
}

export const put = (tenant: TenantStore, rows: readonly DerivedRow[], to: ConversationId = id) =>
  commit(tenant, { put: rows }, to)

export const rowsOf = async (tenant: TenantStore, query: RowQuery, of: ConversationId = id) =>
  (await tenant.load({ id: of, rows: [query] }))?.rows[0] ?? null

/** Runs a case on a new store, and closes it afterwards. */
export async function runCase(open: () => Store | Promise<Store>, check: StoreCases[string]) {
  const store = await open()
  const clock = fakeClock()
  const tl = createThroughline({ store, clock })
  try {
    await check({ store, clock, tl, chat: tl.conversation(id), tenant: tenantOf(store) })
  } finally {
    await store.close()
  }
}
