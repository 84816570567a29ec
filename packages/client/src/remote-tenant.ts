/** The conversations of the key's tenant. */
import type { Conversation, TenantHandle } from 'throughline'
import { checkedId } from './anchors.ts'
import { readItems, readPages, readResult } from './answers.ts'
import type { Client } from './create-client.ts'
import { remoteConversation } from './remote-conversation.ts'
import type { Sender } from './send.ts'

export function remoteTenant(sender: Sender): Pick<Client, 'begin' | 'list' | 'purges'> {
  return {
    begin: async (id, input = {}) => {
      const call = {
        method: 'POST',
        path: ['conversations'],
        body: { id: checkedId(id), ...input },
      } as const
      const created = await readResult<Conversation, BeginFailure>(sender, call)
      return created.ok ? { ok: true, value: remoteConversation(sender, id) } : created
    },
    list: ({ after: first, limit = 100, ...rest } = {}) =>
      readPages<Conversation>(limit, (last, most) => {
        const query = { cursor: last?.id ?? first, limit: most, ...rest }
        return readItems(sender, { path: ['conversations'], query })
      }),
    purges: ({ limit = 100, ...rest } = {}) =>
      readPages<PurgeRecord>(limit, (last, most) => {
        const query = { cursor: last?.number, limit: most, ...rest }
        return readItems(sender, { path: ['purges'], query })
      }),
  }
}

type PurgeRecord = Awaited<ReturnType<TenantHandle['purges']>>[number]

type BeginFailure = Extract<
  Awaited<ReturnType<TenantHandle['begin']>>,
  { readonly ok: false }
>['failure']
