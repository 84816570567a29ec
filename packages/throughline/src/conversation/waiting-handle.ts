/**
 * Handles that wait until the engine is loaded. Calls keep their order: all wait for the same
 * promise.
 */
import { type ConversationId, conversationId, type TenantId } from '../domain/ids.ts'
import type { Meter } from '../flow/measure/measure.ts'
import type { TenantStore } from '../ports/store.ts'
import type { ConversationHandle } from './handle.ts'
import { type Runtime, withInternals } from './runtime.ts'
import type { TenantHandle } from './tenant-handle.ts'

/** The engine that handles wait for. */
export interface Engine {
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

export function waitingTenant(engine: Promise<Engine>, id: TenantId): TenantHandle {
  const tenant = engine.then(({ open }) => open(id))
  // The caller of a method gets the error.
  tenant.catch(() => {})
  return {
    conversation: (name) => waitingConversation(tenant, conversationId(name)),
    begin: async (...given) => (await tenant).handle.begin(...given),
    list: async (...given) => (await tenant).handle.list(...given),
    purges: async (...given) => (await tenant).handle.purges(...given),
  }
}

function waitingConversation(tenant: Promise<OpenTenant>, id: ConversationId): ConversationHandle {
  const chat = async () => (await tenant).handle.conversation(id)
  const handle: ConversationHandle = {
    id,
    messages: async function* (...given) {
      yield* (await chat()).messages(...given)
    },
    append: async (batch, options) => {
      // The caller may change the list while we wait.
      const taken = Array.isArray(batch) ? [...batch] : batch
      return (await chat()).append(taken, options)
    },
    context: async (...given) => (await chat()).context(...given),
    preview: async (...given) => (await chat()).preview(...given),
    compact: async (...given) => (await chat()).compact(...given),
    compactNextRequest: async (...given) => (await chat()).compactNextRequest(...given),
    overflowed: async (...given) => (await chat()).overflowed(...given),
    status: async (...given) => (await chat()).status(...given),
    receipts: async (...given) => (await chat()).receipts(...given),
    summary: async (...given) => (await chat()).summary(...given),
    summaries: async (...given) => (await chat()).summaries(...given),
    pin: async (...given) => (await chat()).pin(...given),
    unpin: async (...given) => (await chat()).unpin(...given),
    recall: async (...given) => (await chat()).recall(...given),
    expand: async (...given) => (await chat()).expand(...given),
    turns: async (...given) => (await chat()).turns(...given),
    info: async (...given) => (await chat()).info(...given),
    update: async (...given) => (await chat()).update(...given),
    events: async (...given) => (await chat()).events(...given),
    original: async (...given) => (await chat()).original(...given),
    file: async (...given) => (await chat()).file(...given),
    history: {
      versions: async (...given) => (await chat()).history.versions(...given),
      undo: async (...given) => (await chat()).history.undo(...given),
      restore: async (...given) => (await chat()).history.restore(...given),
      editSummary: async (...given) => (await chat()).history.editSummary(...given),
      fork: async (...given) => (await chat()).history.fork(...given),
      edit: async (...given) => (await chat()).history.edit(...given),
      remove: async (...given) => (await chat()).history.remove(...given),
      purgeMessage: async (...given) => (await chat()).history.purgeMessage(...given),
      purge: async (...given) => (await chat()).history.purge(...given),
    },
  }
  return withInternals(handle, async () => ({ ...(await tenant), id }))
}
