/** Bugs of what goes back, put between the engine and its store. */
import type { Store, View } from 'throughline'
import type { CommitCommand, ConversationChanges, TenantStore } from 'throughline/stores'

export interface PlantedUndo {
  readonly bug: string
  /** Of a chain that shows it soon; those behind it do too. */
  readonly seed: number
  readonly rule: string
  readonly planted: (store: Store) => Store
}

export const plantedUndo: readonly PlantedUndo[] = [
  {
    bug: 'a restored view says something else of the past',
    seed: 38,
    rule: 'bytes',
    planted: onRestore((view) => ({
      ...view,
      past: view.past && { ...view.past, summary: `${view.past.summary} And so on.` },
    })),
  },
  {
    bug: 'a restored view has its line elsewhere',
    seed: 38,
    rule: 'bytes',
    planted: onRestore((view) => (view.line === 0 ? view : { ...view, line: view.line - 1 })),
  },
  {
    bug: 'a restored view has the epoch that it had',
    seed: 7,
    rule: 'break',
    planted: onRestore((view) => ({ ...view, epoch: 1 })),
  },
  {
    bug: 'the next trigger does again what was undone',
    seed: 25,
    rule: 'suspended',
    planted: changing((changes) => ({
      ...changes,
      ...(changes.compaction && { compaction: { ...changes.compaction, suspended: [] } }),
    })),
  },
  {
    bug: 'nobody can lift what was suspended',
    seed: 25,
    rule: 'suspended',
    planted: (store) => {
      const kept = new Map<string, number>()
      return changing(({ compaction, ...changes }) => {
        if (compaction === undefined) return changes
        for (const { model, version } of compaction.suspended) kept.set(model, version)
        const suspended = [...kept].map(([model, version]) => ({ model, version }))
        return { ...changes, compaction: { ...compaction, suspended } }
      })(store)
    },
  },
  {
    bug: 'summaries stay that were undone',
    seed: 32,
    rule: 'undone',
    planted: changing(({ restored, ...changes }) => ({
      ...changes,
      ...(restored && { restored: { ...restored, withdrawn: [] } }),
    })),
  },
  {
    bug: 'no summary comes back',
    seed: 38,
    rule: 'withdrawn',
    planted: changing(({ restored, ...changes }) => ({
      ...changes,
      ...(restored && { restored: { ...restored, returned: [] } }),
    })),
  },
  {
    bug: 'undo passes over a view',
    seed: 25,
    rule: 'undo',
    planted: replacing((tenant) => ({
      versions: async (query) => {
        const versions = await tenant.versions(query)
        return query.model === null
          ? (versions?.filter((_, index) => index !== 1) ?? null)
          : versions
      },
    })),
  },
  {
    bug: 'an old version is the view that stands',
    seed: 38,
    rule: 'bytes',
    planted: replacing((tenant) => ({
      viewOf: async (query) => {
        const found = await tenant.viewOf(query)
        const { id } = query
        const state = found && (await tenant.state({ id, model: found.model }))
        return found && { ...found, view: state?.view ?? found.view }
      },
    })),
  },
  {
    bug: 'what a person has written is not kept',
    seed: 15,
    rule: 'summaries',
    planted: changing(({ edited, ...changes }) => changes),
  },
  {
    bug: 'what a person has written is not shown',
    seed: 3,
    rule: 'edit',
    planted: replacing((tenant) => ({
      commit: async ({ changes, ...command }) => {
        const { view, edited } = changes
        const standing = view && (await tenant.state({ id: command.id, model: view.model }))?.view
        const isEdit = edited !== undefined && view?.view && standing
        const shown = isEdit && { ...view, view: { ...view.view, past: standing.past } }
        return tenant.commit({ ...command, changes: shown ? { ...changes, view: shown } : changes })
      },
    })),
  },
  {
    bug: 'a look ahead is written',
    seed: 20,
    rule: 'preview',
    planted: replacing((tenant) => {
      let looks = 0
      return {
        // Twice in a row only a preview looks, which decides once more.
        state: async (query) => {
          looks += 1
          const expectedVersion = (await tenant.conversation(query.id))?.version ?? 0
          if (looks % 7 === 0)
            await tenant.commit({ id: query.id, expectedVersion, changes: { title: null }, at: 0 })
          return tenant.state(query)
        },
      }
    }),
  },
]

type Change = (changes: ConversationChanges) => ConversationChanges

function changing(change: Change): (store: Store) => Store {
  return replacing((tenant) => ({
    commit: (command: CommitCommand) =>
      tenant.commit({ ...command, changes: change(command.changes) }),
  }))
}

function onRestore(change: (view: View) => View): (store: Store) => Store {
  return changing((changes) => {
    const { restored, view } = changes
    if (restored === undefined || !view?.view) return changes
    return { ...changes, view: { ...view, view: change(view.view) } }
  })
}

function replacing(
  replace: (tenant: TenantStore) => Partial<TenantStore>,
): (store: Store) => Store {
  return (store) => {
    const tenants = new Map<string, TenantStore>()
    return {
      tenant: (id) => {
        const tenant = store.tenant(id)
        const planted = tenants.get(id) ?? { ...tenant, ...replace(tenant) }
        tenants.set(id, planted)
        return planted
      },
      close: () => store.close(),
    }
  }
}
