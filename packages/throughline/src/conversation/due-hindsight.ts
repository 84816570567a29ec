/**
 * The requests that find hindsight due, and have it made behind them. One at a time for each
 * conversation; what failed is tried again when as many requests have come once more.
 */
import { defaults } from '../defaults.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { ConversationState } from '../ports/state-commands.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Background } from './background.ts'
import { completeReceipts } from './hindsight.ts'
import { RecentMap } from './recent-map.ts'

export interface DueHindsight {
  /** Behind a request that began with this state and has been recorded. */
  notice(store: TenantStore, id: ConversationId, state: ConversationState): void
}

/** Of one store. */
export function createDueHindsight(background: Background, now: () => number): DueHindsight {
  /** By the serial of a conversation: with how many requests it is looked at again. */
  const notBefore = new RecentMap<number, number>()
  return {
    notice(store, id, { hindsightDue, serial, recorded: before }) {
      const recorded = before + 1
      if (hindsightDue === null || recorded < hindsightDue) return
      if (recorded < (notBefore.get(serial) ?? 0)) return
      notBefore.set(serial, recorded + defaults.hindsightRequests.value)
      background.run(async (pause) => {
        await completeReceipts({ store, id, pause, now }, recorded)
        notBefore.delete(serial)
      })
    },
  }
}
