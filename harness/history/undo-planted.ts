/** Planted undo bugs, between the engine and its store. */

import type { View } from 'throughline'
import type { ConversationChanges } from '../../packages/throughline/src/derived/changes.ts'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import { loadConversation, loadState } from '../../packages/throughline/src/derived/state.ts'
import {
  loading,
  rowsFor,
} from '../../packages/throughline/src/testing/typed-commits.test-support.ts'
import { commitBug, type PlantedBug, type StoreBug, storeWithBug } from '../kernel/planted.ts'
import { runUndo } from './run-undo.ts'

interface PlantedUndo {
  readonly bug: string
  /** The seed of a chain that shows the bug soon, as do the chains after it. */
  readonly seed: number
  readonly rule: string
  readonly store: StoreBug
}

const undoBugs: readonly PlantedUndo[] = [
  {
    bug: 'a restored view has a different history block',
    seed: 38,
    rule: 'bytes',
    store: onRestore((view) => ({
      ...view,
      history: view.history && { ...view.history, summary: `${view.history.summary} And so on.` },
    })),
  },
  {
    bug: 'a restored view has its line elsewhere',
    seed: 38,
    rule: 'bytes',
    store: onRestore((view) => (view.line === 0 ? view : { ...view, line: view.line - 1 })),
  },
  {
    bug: 'a restored view keeps its old epoch',
    seed: 7,
    rule: 'break',
    store: onRestore((view) => ({ ...view, epoch: 1 })),
  },
  {
    bug: 'the next trigger repeats the undone compaction',
    seed: 25,
    rule: 'suspended',
    store: changing((changes) => ({
      ...changes,
      ...(changes.compaction && { compaction: { ...changes.compaction, suspended: [] } }),
    })),
  },
  {
    bug: 'a suspension cannot be lifted',
    seed: 25,
    rule: 'suspended',
    store: (tenant, store) => {
      const kept = new Map<string, number>()
      return changing(({ compaction, ...changes }) => {
        if (compaction === undefined) return changes
        for (const { model, version } of compaction.suspended) kept.set(model, version)
        const suspended = [...kept].map(([model, version]) => ({ model, version }))
        return { ...changes, compaction: { ...compaction, suspended } }
      })(tenant, store)
    },
  },
  {
    bug: 'undone summaries stay in use',
    seed: 32,
    rule: 'undone',
    store: changing(({ restored, ...changes }) => ({
      ...changes,
      ...(restored && { restored: { ...restored, withdrawn: [] } }),
    })),
  },
  {
    bug: 'no summary is restored',
    seed: 38,
    rule: 'withdrawn',
    store: changing(({ restored, ...changes }) => ({
      ...changes,
      ...(restored && { restored: { ...restored, returned: [] } }),
    })),
  },
  {
    bug: 'undo skips a view',
    seed: 25,
    rule: 'undo',
    store: (tenant) =>
      loading(tenant, 'version', (rows, { key, bare }) =>
        bare && key === undefined ? rows.filter((_, index) => index !== 1) : rows,
      ),
  },
  {
    bug: 'an old version is the view in force',
    seed: 38,
    rule: 'bytes',
    store: (tenant) =>
      loading(tenant, 'version', async (rows, { bare }, id) => {
        const [row] = rows
        if (bare || row === undefined) return rows
        const [view] = await rowsFor(tenant, id, { kind: 'view', key: row.key })
        return view === undefined ? rows : [{ ...row, body: view.body }]
      }),
  },
  {
    bug: 'a user edit is not stored',
    seed: 16,
    rule: 'summaries',
    store: changing(({ edited, ...changes }) => changes),
  },
  {
    bug: 'a user edit is not shown',
    seed: 3,
    rule: 'edit',
    store: commitBug(async ({ changes, ...command }, tenant) => {
      const { view, edited } = changes
      const current = view && (await loadState(tenant, { id: command.id, model: view.model }))?.view
      const isEdit = edited !== undefined && view?.view && current
      const shown = isEdit && { ...view, view: { ...view.view, history: current.history } }
      return { ...command, changes: shown ? { ...changes, view: shown } : changes }
    }),
  },
  {
    bug: 'a preview is written',
    seed: 20,
    rule: 'preview',
    store: (tenant) => {
      let looks = 0
      return {
        // Only a preview loads twice in a row, because it decides once more.
        load: async (query) => {
          // The state, of everything that is loaded.
          if ((query.rows?.length ?? 0) < 3) return tenant.load(query)
          looks += 1
          const expectedVersion = (await loadConversation(tenant, query.id))?.version ?? 0
          if (looks % 7 === 0)
            await commitChanges(tenant, {
              id: query.id,
              expectedVersion,
              changes: { title: null },
              at: 0,
            })
          return tenant.load(query)
        },
      }
    },
  },
]

export const plantedUndo: readonly PlantedBug[] = undoBugs.map(({ bug, rule, seed, store }) => ({
  bug,
  rule,
  find: async () => {
    const runs = { seed, chains: 40, planted: storeWithBug(store), untilFound: true }
    return (await runUndo(runs)).findings
  },
}))

function changing(change: (changes: ConversationChanges) => ConversationChanges): StoreBug {
  return commitBug((command) => ({ ...command, changes: change(command.changes) }))
}

function onRestore(change: (view: View) => View): StoreBug {
  return changing((changes) => {
    const { restored, view } = changes
    if (restored === undefined || !view?.view) return changes
    return { ...changes, view: { ...view, view: change(view.view) } }
  })
}
