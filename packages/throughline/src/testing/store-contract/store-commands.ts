/** Commands of the store port with little to write, on conversations of one tenant by name. */
import type { ConversationId, TenantId } from '../../domain/ids.ts'
import type { MessageInput } from '../../domain/message.ts'
import { append } from '../../flow/append/append.ts'
import { sealMessage, unstoredMessage } from '../../flow/append/seal-message.ts'
import { indexedPieces } from '../../flow/recall/message-pieces.ts'
import type { CommitCommand, CreateCommand, Store, TenantStore } from '../../ports/store.ts'
import { sha256 } from '../../system.ts'

export const asId = (id: string) => id as ConversationId

export class StoreCommands {
  readonly store: Store
  readonly tenant: TenantStore
  /** The time of the commands. */
  now = 1_000

  constructor(store: Store, tenant: TenantId) {
    this.store = store
    this.tenant = store.tenant(tenant)
  }

  /** The same for another tenant. */
  of(tenant: string): StoreCommands {
    return new StoreCommands(this.store, tenant as TenantId)
  }

  create(id: string, fields: Partial<CreateCommand>) {
    const none = { title: null, meta: null, parent: null, forkedFrom: null }
    return this.tenant.create({ ...none, ...fields, id: asId(id), at: this.now })
  }

  fork(from: string, at: number, to: string) {
    return this.create(to, { forkedFrom: { conversationId: asId(from), at } })
  }

  append(
    id: string,
    messages: readonly MessageInput[],
    { key, head }: { readonly key?: string; readonly head?: number } = {},
  ) {
    return append(this.tenant, asId(id), { messages, key, head }, this.#settings())
  }

  edit(id: string, seq: number, message: MessageInput) {
    const sealing = sealMessage(message, 'message', this.#settings())
    const pieces = indexedPieces(unstoredMessage(sealing, asId(id), seq))
    const edit = { how: 'edit', seq, message: sealing.sealed, pieces } as const
    return this.tenant.rewrite({ id: asId(id), at: this.now, ...edit })
  }

  remove(id: string, from: number, to: number) {
    const span = { from, to }
    return this.tenant.rewrite({ id: asId(id), at: this.now, how: 'remove', span })
  }

  purgeMessage(id: string, seq: number, forks: 'refuse' | 'purge') {
    return this.tenant.rewrite({ id: asId(id), at: this.now, how: 'purge', seq, forks })
  }

  purge(id: string, forks: 'refuse' | 'purge') {
    return this.tenant.purge({ id: asId(id), at: this.now, forks })
  }

  /** With the version that the conversation has, unless the command says another. */
  async commit(id: string, command: Partial<CommitCommand>) {
    const expectedVersion = (await this.tenant.load({ id: asId(id) }))?.conversation.version ?? 0
    const events = [{ kind: 'conversation-updated', fields: [] }] as const
    return this.tenant.commit({ expectedVersion, events, at: 9, ...command, id: asId(id) })
  }

  #settings() {
    return { sha256, now: this.now, messageBytesMax: 1e9 }
  }
}
