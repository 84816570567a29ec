import { defaults } from '../defaults-data.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { PurgeRecord } from '../domain/event.ts'
import { conversationId } from '../domain/ids.ts'
import type { JsonObject } from '../domain/json.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { wholeNumber } from '../domain/span.ts'
import { checkNewConversation } from '../flow/check/check-conversation.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import type { TenantStore } from '../ports/store.ts'
import { conversationHandle } from './conversation-handle.ts'
import type { ConversationHandle } from './handle.ts'
import type { Runtime } from './runtime.ts'

/** The conversations of one tenant. */
export interface TenantHandle {
  /**
   * A handle; the conversation is created with its first message.
   *
   * @example
   * const thread = tl.conversation('invoice-thread-7')
   */
  conversation(id: string): ConversationHandle
  /**
   * Creates a conversation with a title, with meta, or as the child of another.
   *
   * @example
   * const created = await tl.begin('invoice-8', { title: 'Invoices of May' })
   * if (!created.ok) console.log('there is one already')
   */
  begin(id: string, input?: NewConversationInput): Promise<Result<ConversationHandle, BeginFailure>>
  /**
   * The conversations, ordered by id.
   *
   * @example
   * for (const { id, title, head } of await tl.list({ limit: 20 })) console.log(id, title, head)
   */
  list(query?: ListInput): Promise<readonly Conversation[]>
  /**
   * Records of purges, newest first, without purged content. With its id, a caller finds those of a
   * conversation.
   *
   * @example
   * const [line] = await tl.purges({ conversation: 'invoice-7' })
   * console.log(line?.what, line?.at)
   */
  purges(query?: PurgesInput): Promise<readonly PurgeRecord[]>
}

interface PurgesInput {
  readonly conversation?: string | undefined
  readonly limit?: number | undefined
}

/** A conversation with that id exists. */
interface BeginFailure {
  readonly kind: 'exists'
  readonly conversation: Conversation
}

/** The fields of a new conversation: title, metadata, and the conversation that starts it. */
export interface NewConversationInput {
  readonly title?: string | null | undefined
  readonly meta?: JsonObject | null | undefined
  /** The conversation, and the call in it, that starts this one. */
  readonly parent?: ParentInput | null | undefined
}

interface ParentInput {
  readonly conversationId: string
  readonly callId?: string | null | undefined
}

/** The options of `tenant.list`. */
export interface ListInput {
  /** Only ids after this one, such as the last of the previous page. */
  readonly after?: string | undefined
  readonly limit?: number | undefined
  readonly parent?: string | undefined
}

export function tenantHandle(store: TenantStore, runtime: Runtime): TenantHandle {
  return {
    conversation: (id) => conversationHandle(store, conversationId(id), runtime),
    begin: async (id, input = {}) => begin(store, id, input, runtime),
    list: async (query = {}) => {
      const asked = checkOptions(query, ['after', 'limit', 'parent'], 'list')
      const { after, limit = defaults.pageConversations, parent } = asked
      const listed = await store.list({
        by: 'id',
        after: after === undefined ? null : conversationId(after),
        limit: wholeNumber(limit),
        parent: parent === undefined ? null : conversationId(parent),
      })
      return listed.map((each) => each.conversation)
    },
    purges: async (query = {}) => {
      const asked = checkOptions(query, ['conversation', 'limit'], 'purges')
      const { conversation, limit = defaults.pageConversations } = asked
      const events = await store.events({
        id: null,
        purged: conversation === undefined ? null : conversationId(conversation),
        limit: wholeNumber(limit),
      })
      return (events ?? []).flatMap((event) => {
        if (event.kind !== 'purged') return []
        const { kind: _, ...purge } = event
        return [purge]
      })
    },
  }
}

async function begin(
  store: TenantStore,
  id: string,
  input: NewConversationInput,
  runtime: Runtime,
): Promise<Result<ConversationHandle, BeginFailure>> {
  const checked = { ...checkNewConversation(input), id: conversationId(id) }
  const outcome = await store.create({ ...checked, forkedFrom: null, at: runtime.now() })
  if (outcome.kind === 'exists') return fail(outcome)
  return ok(conversationHandle(store, checked.id, runtime))
}
