/** A conversation in a store as a log to make contexts from. */
import type { ConversationId, Seq } from '../domain/ids.ts'
import type { Message } from '../domain/message.ts'
import type { Span } from '../domain/span.ts'
import { isThroughlineError, ThroughlineError } from '../errors.ts'
import type { LogReader } from '../flow/read/log-reader.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import type { TailCache } from './tail-cache.ts'

const emptyConversation = { head: 0, chain: '', pins: [], rewrites: 0 }

/** As it was when the state was read: what came since is the next request's. */
export function storeLog(
  store: TenantStore,
  id: ConversationId,
  state: ConversationState | null,
  tails: TailCache,
): LogReader {
  const { head, chain, pins, rewrites } = state?.conversation ?? emptyConversation
  const readSpan = async (span: Span, except: readonly Seq[]) =>
    check(await store.read({ id, span, except }))
  const check = (messages: readonly Message[] | null): readonly Message[] => {
    const newest = messages?.at(-1)
    // Purged meanwhile, and perhaps begun anew under the same id.
    if (messages === null || (newest?.seq === head - 1 && newest.hashes.chain !== chain))
      throw new ThroughlineError('CONVERSATION_REPLACED', `conversation "${id}" is another one now`)
    return messages
  }
  const known = async (span: Span, except: readonly Seq[]) =>
    state === null
      ? []
      : tails.read(state.serial, { span, except, head, chain, rewrites, read: readSpan })
  return {
    head,
    rewrites,
    pins,
    read: async (span, except) => {
      if (span.from >= Math.min(span.to, head)) return []
      return known({ from: span.from, to: Math.min(span.to, head) }, except)
    },
    readBack: async (before, limit) => {
      const to = Math.min(before, head)
      return to === 0 ? [] : known({ from: Math.max(0, to - limit), to }, [])
    },
    file: (sha256) => store.file(id, sha256),
  }
}

/** A log that was rewritten while it was read looks like another one, and is the same conversation. */
export async function isRewritten(
  error: unknown,
  store: Pick<TenantStore, 'state'>,
  before: ConversationState | null,
  model: string,
): Promise<boolean> {
  if (before === null || !isThroughlineError(error)) return false
  if (error.code !== 'CONVERSATION_REPLACED') return false
  const { id, rewrites } = before.conversation
  const state = await store.state({ id, model })
  return state?.serial === before.serial && state.conversation.rewrites !== rewrites
}
