/** Handles that wait until the engine is loaded. Calls keep their order. */
import { type ConversationId, conversationId, type TenantId } from '../domain/ids.ts'
import type { Meter } from '../flow/measure/measure.ts'
import type { TenantStore } from '../ports/store.ts'
import type { ConversationHandle } from './handle.ts'
import { type Runtime, withInternals } from './runtime.ts'
import type { TenantHandle } from './tenant-handle.ts'

/** The engine that handles wait for. */
export interface OpenEngine {
  open(tenant: TenantId): OpenTenant
  meter(model: string): Promise<Meter>
  settled(): Promise<void>
  close(): Promise<void>
}

/** A tenant's conversations, with their store and runtime. */
export interface OpenTenant {
  readonly handle: TenantHandle
  readonly store: TenantStore
  readonly runtime: Runtime
}

export function waitingTenant(engine: Promise<OpenEngine>, id: TenantId): TenantHandle {
  const tenant = engine.then(({ open }) => open(id))
  // The caller of a method gets the error.
  tenant.catch(() => {})
  return {
    conversation: (name) => waitingConversation(tenant, conversationId(name)),
    begin: async (...args) => (await tenant).handle.begin(...args),
    list: async (...args) => (await tenant).handle.list(...args),
    purges: async (...args) => (await tenant).handle.purges(...args),
  }
}

function waitingConversation(tenant: Promise<OpenTenant>, id: ConversationId): ConversationHandle {
  const chat = async () => (await tenant).handle.conversation(id)
  const handle: ConversationHandle = {
    id,
    messages: async function* (...args) {
      yield* (await chat()).messages(...args)
    },
    append: async (batch, options) => {
      // The caller may change the list while we wait.
      const taken = Array.isArray(batch) ? [...batch] : batch
      return (await chat()).append(taken, options)
    },
    context: async (...args) => (await chat()).context(...args),
    preview: async (...args) => (await chat()).preview(...args),
    compact: async (...args) => (await chat()).compact(...args),
    compactNextRequest: async (...args) => (await chat()).compactNextRequest(...args),
    overflowed: async (...args) => (await chat()).overflowed(...args),
    status: async (...args) => (await chat()).status(...args),
    receipts: async (...args) => (await chat()).receipts(...args),
    summary: async (...args) => (await chat()).summary(...args),
    summaries: async (...args) => (await chat()).summaries(...args),
    pin: async (...args) => (await chat()).pin(...args),
    unpin: async (...args) => (await chat()).unpin(...args),
    recall: async (...args) => (await chat()).recall(...args),
    expand: async (...args) => (await chat()).expand(...args),
    ledger: async () => (await chat()).ledger(),
    turns: async (...args) => (await chat()).turns(...args),
    info: async (...args) => (await chat()).info(...args),
    update: async (...args) => (await chat()).update(...args),
    events: async (...args) => (await chat()).events(...args),
    original: async (...args) => (await chat()).original(...args),
    file: async (...args) => (await chat()).file(...args),
    history: {
      versions: async (...args) => (await chat()).history.versions(...args),
      undo: async (...args) => (await chat()).history.undo(...args),
      restore: async (...args) => (await chat()).history.restore(...args),
      editSummary: async (...args) => (await chat()).history.editSummary(...args),
      fork: async (...args) => (await chat()).history.fork(...args),
      edit: async (...args) => (await chat()).history.edit(...args),
      remove: async (...args) => (await chat()).history.remove(...args),
      purgeMessage: async (...args) => (await chat()).history.purgeMessage(...args),
      purge: async (...args) => (await chat()).history.purge(...args),
    },
  }
  return withInternals(handle, async () => ({ ...(await tenant), id }))
}
