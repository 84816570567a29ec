/** Counts how often a turn without a compaction reads or writes facts or the ledger. */
import { createThroughline, type MessageInput, type Store } from 'throughline'
import type { RowQuery, TenantStore } from 'throughline/stores'
import { memory } from 'throughline/stores/memory'

export interface Upkeep {
  /** Turns without a compaction … */
  readonly turns: number
  /** … and how often they read or wrote facts or the ledger. */
  readonly touches: number
}

const windowTokens = 131_072
const turnsMost = 100

/** One message per turn, each with its context. */
export async function upkeepOf(messages: readonly MessageInput[]): Promise<Upkeep> {
  const { store, touches } = watched(memory())
  const model = {
    id: 'upkeep',
    contextWindowTokens: windowTokens,
    tokenizer: 'o200k_base',
  } as const
  const engine = createThroughline({ store, models: [model] })
  const chat = engine.conversation('turns')
  const counts = { turns: 0, touches: 0 }
  for (const message of messages.slice(0, turnsMost)) {
    const before = touches()
    // Keys belong to the original conversations, of which there may be several.
    await chat.append({ ...message, key: undefined })
    const { decision } = await chat.context({ model: model.id })
    if (decision.kind !== 'continue') continue
    counts.turns += 1
    counts.touches += touches() - before
  }
  await engine.close()
  return counts
}

interface Watched {
  readonly store: Store
  touches(): number
}

function isFactOrLedger({ kind }: Pick<RowQuery, 'kind'>): boolean {
  return kind === 'facts' || kind === 'ledger'
}

function watched(store: Store): Watched {
  let touches = 0
  const watch = (tenant: TenantStore): TenantStore => ({
    ...tenant,
    load: (query) => {
      touches += (query.rows ?? []).filter(isFactOrLedger).length
      return tenant.load(query)
    },
    commit: (command) => {
      if (command.put?.some(isFactOrLedger)) touches += 1
      return tenant.commit(command)
    },
  })
  return {
    store: { tenant: (id) => watch(store.tenant(id)), close: () => store.close() },
    touches: () => touches,
  }
}
