/** Planted races, and the rule that must find each. */

import type { View } from 'throughline'
import { loadConversation, loadState } from '../../packages/throughline/src/derived/state.ts'
import { loading } from '../../packages/throughline/src/testing/typed-commits.test-support.ts'
import {
  type ChangeCommit,
  commitBug,
  type PlantedBug,
  type StoreBug,
  storeWithBug,
} from '../kernel/planted.ts'
import type { Planted } from './play.ts'
import { runRaces } from './run-races.ts'

interface PlantedRace {
  readonly bug: string
  readonly rule: string
  readonly planted: Planted
}

const races: readonly PlantedRace[] = [
  {
    bug: 'a store that ignores the expected version',
    rule: 'version',
    planted: onCommit(async (command, store) => {
      const now = await loadConversation(store, command.id)
      return { ...command, expectedVersion: now?.version ?? 0 }
    }),
  },
  {
    bug: 'a summary lock that does not lock',
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
    bug: 'a summary that claims to cover later messages',
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
          added: { ...record.added, to },
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
    bug: 'a view whose line includes later messages',
    rule: 'uncovered',
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
    bug: 'a store that forgets model calls',
    rule: 'spending',
    planted: onCommit(async (command) => {
      const { summarized } = command.changes
      if (summarized === undefined) return command
      const asking = { ...summarized.asking, spent: summarized.asking.spent.slice(-1) }
      return { ...command, changes: { ...command.changes, summarized: { ...summarized, asking } } }
    }),
  },
  {
    bug: 'a store that does not find its summaries',
    rule: 'covered-twice',
    planted: onTenant((store) =>
      loading(store, 'summary', (rows, { boundTo }) => (boundTo === undefined ? rows : [])),
    ),
  },
  {
    bug: 'a retried append that is added twice',
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

export const plantedRaces: readonly PlantedBug[] = races.map(({ bug, rule, planted }) => ({
  bug,
  rule,
  find: async () => (await runRaces({ seed: 1, runs: 40, planted, until: rule })).findings,
}))

function onTenant(bug: StoreBug): Planted {
  return { store: storeWithBug(bug) }
}

function onCommit(change: ChangeCommit): Planted {
  return onTenant(commitBug(change))
}
