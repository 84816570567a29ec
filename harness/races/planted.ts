/** Races that are put in, and the rule that must find each. */

import type { View } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import { loadConversation, loadState } from '../../packages/throughline/src/derived/state.ts'
import {
  commandIn,
  loading,
} from '../../packages/throughline/src/testing/typed-commits.test-support.ts'
import type { Planted } from './play.ts'
import type { ChangeCommit } from './race-engine.ts'

export interface PlantedRace {
  readonly bug: string
  readonly rule: string
  readonly planted: Planted
}

export const plantedRaces: readonly PlantedRace[] = [
  {
    bug: 'a store that commits whatever the version is',
    rule: 'version',
    planted: onCommit(async (command, store) => {
      const now = await loadConversation(store, command.id)
      return { ...command, expectedVersion: now?.version ?? 0 }
    }),
  },
  {
    bug: 'a flight that does not hold',
    rule: 'two-at-once',
    planted: { twins: true },
  },
  {
    bug: 'a job that commits a view',
    rule: 'view',
    planted: {
      commit: async (command, store) => {
        const { summarized, view } = command.changes
        if (summarized === undefined || view !== undefined) return command
        const { model } = summarized
        const state = await loadState(store, { id: command.id, model })
        if (state === null || state.view === null) return command
        return { ...command, changes: { ...command.changes, view: { model, view: state.view } } }
      },
    },
  },
  {
    bug: 'a summary that counts what came later as told',
    rule: 'unseen',
    planted: {
      commit: async (command, store) => {
        const { summarized } = command.changes
        const record = summarized?.record ?? null
        if (summarized === undefined || record === null) return command
        const to = record.covers.to + 1
        const [last] = (await store.read({ id: command.id, span: { from: to - 1, to } })) ?? []
        if (last === undefined) return command
        const longer = {
          ...record,
          covers: { from: 0, to },
          told: { ...record.told, to },
          chain: last.hashes.chain,
        }
        return {
          ...command,
          changes: { ...command.changes, summarized: { ...summarized, record: longer } },
        }
      },
    },
  },
  {
    bug: 'a view whose line counts what came meanwhile',
    rule: 'untold',
    planted: {
      commit: async (command, store) => {
        const { view } = command.changes
        const head = (await loadConversation(store, command.id))?.head ?? 0
        if (view === undefined || view.view === null) return command
        const moved: View = { ...view.view, line: head }
        return { ...command, changes: { ...command.changes, view: { ...view, view: moved } } }
      },
    },
  },
  {
    bug: 'a store that forgets what was spent',
    rule: 'spending',
    planted: onCommit(async (command) => {
      const { summarized } = command.changes
      if (summarized === undefined) return command
      const asking = { ...summarized.asking, spent: summarized.asking.spent.slice(-1) }
      return { ...command, changes: { ...command.changes, summarized: { ...summarized, asking } } }
    }),
  },
  {
    bug: 'a store that does not find the summaries that it has',
    rule: 'covered-twice',
    planted: onTenant((store) =>
      loading(store, 'summary', (rows, { boundTo }) => (boundTo === undefined ? rows : [])),
    ),
  },
  {
    bug: 'an append that is sent again and added again',
    rule: 'doubled',
    planted: onTenant((store) => ({
      append: (command) =>
        store.append({
          ...command,
          messages: command.messages.map((message) => ({ ...message, key: null })),
        }),
    })),
  },
]

/** Commands of a store, replaced. */
function onTenant(replaced: (store: TenantStore) => Partial<TenantStore>): Planted {
  return {
    store: (store) => ({
      close: () => store.close(),
      tenant: (id) => {
        const sound = store.tenant(id)
        const bugs = replaced(sound)
        return new Proxy(sound, {
          get: (target, name) => Reflect.get(bugs, name) ?? Reflect.get(target, name).bind(target),
        })
      },
    }),
  }
}

function onCommit(change: ChangeCommit): Planted {
  return onTenant((store) => ({
    commit: async (command) => commitChanges(store, await change(commandIn(command), store)),
  }))
}
