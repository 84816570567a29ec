/** Every conversation of a store, of all tenants, held against what always holds. */

import { tenantId } from '../../stores/index.ts'
import { checkConversation } from '../../toolkit/index.ts'
import { allConversations } from '../find-conversation.ts'
import { openToLook } from '../open-store.ts'
import { counted, grouped } from '../screen/numbers.ts'
import { progressBar } from '../screen/progress.ts'
import { safeLine } from '../screen/safe-text.ts'
import type { FoundSettings } from '../settings/read-settings.ts'
import type { World } from '../world.ts'
import { bad, type Finding, note, sound } from './check-file.ts'

export async function checkStore(
  settings: FoundSettings,
  tenants: readonly string[],
  world: World,
): Promise<readonly Finding[]> {
  const { store: opened } = openToLook(settings, world)
  const bar = progressBar({ label: 'looking at messages', total: null, unit: grouped }, world)
  const findings: Finding[] = []
  let [conversations, messages, unindexed] = [0, 0, 0]
  try {
    for (const tenant of tenants) {
      const store = opened.tenant(tenantId(tenant))
      for await (const conversation of allConversations(store)) {
        world.signal.throwIfAborted()
        conversations += 1
        const checked = await checkConversation(store, conversation, () => {
          messages += 1
          bar.at(messages)
        })
        unindexed += Math.max(0, conversation.head - checked.indexedTo)
        for (const problem of checked.problems)
          findings.push(bad('log', `${safeLine(conversation.id)}: ${problem}`))
      }
    }
  } finally {
    bar.end()
    await opened.close()
  }
  const all = `${counted(conversations, 'conversation')}, ${counted(messages, 'message')}`
  return [
    ...(findings.length === 0
      ? [sound('log', `${all}: places, chains, originals and events hold`)]
      : findings),
    unindexed === 0
      ? sound('index', 'all messages can be searched')
      : note('index', `${counted(unindexed, 'message')} not indexed yet; the first search does it`),
  ]
}
