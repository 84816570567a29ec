/** Messages appended to a conversation in a store, with what the provider reported of their request. */
import type { ConversationId } from '../domain/ids.ts'
import { wholeNumber } from '../domain/span.ts'
import { append } from '../flow/append/append.ts'
import { checkOptions } from '../flow/check/check-options.ts'
import type { TenantStore } from '../ports/store.ts'
import { sha256 } from '../system.ts'
import type { Front } from './front.ts'
import type { AppendOptions, AppendResult, ConversationHandle } from './handle.ts'
import { checkUsage, takeUsage } from './usage.ts'

export async function appendTo(
  store: TenantStore,
  id: ConversationId,
  asked: {
    readonly batch: Parameters<ConversationHandle['append']>[0]
    readonly options: AppendOptions
  },
  front: Front,
): Promise<AppendResult> {
  const { key, usage, of, head } = checkOptions(
    asked.options,
    ['key', 'usage', 'of', 'head'],
    'append',
  )
  const reported = checkUsage(usage, of)
  const { messageBytesMax } = front.settings
  const { appended, written } = await append(
    store,
    id,
    { messages: asked.batch, key, head: head === undefined ? undefined : wholeNumber(head) },
    { sha256, now: front.now(), messageBytesMax },
  )
  if (written !== null) {
    front.tails.extend(written.serial, written.messages)
    front.replies.appended(front.tenant, id, written.messages)
  }
  if (reported === null) return { ...appended, usage: null }
  // A retry reports what was reported.
  const isRetry = appended.entries.length > 0 && appended.entries.every((entry) => entry.repeated)
  const taken = isRetry ? 'repeated' : await takeUsage(store, id, reported, front)
  return { ...appended, usage: taken }
}
