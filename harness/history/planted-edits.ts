/** Planted store bugs, and the rule that must find each. */

import type { Message } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { commitChanges, rowOf } from '../../packages/throughline/src/derived/commit.ts'
import { loadConversation } from '../../packages/throughline/src/derived/state.ts'
import { rewriteBugs } from '../../packages/throughline/src/testing/rewrite-bugs.test-support.ts'
import { loading } from '../../packages/throughline/src/testing/typed-commits.test-support.ts'
import { type PlantedBug, type StoreBug, storeWithBug } from '../kernel/planted.ts'
import { runEdits } from './run-edits.ts'

interface PlantedEdit {
  readonly bug: string
  readonly rule: string
  readonly store: StoreBug
  /** The seed of a run that finds the bug soon. */
  readonly seed: number
}

const known = (bug: keyof typeof rewriteBugs, rule: string, seed: number): PlantedEdit => ({
  bug,
  rule,
  seed,
  store: rewriteBugs[bug] ?? (() => ({})),
})

const edits: readonly PlantedEdit[] = [
  known('keeps the facts of a message that has changed', 'served', 2),
  known('keeps the ledger of a history that has changed', 'context', 1),
  known('keeps a summary of messages that have changed', 'served', 1),
  known('keeps a view of messages that have changed', 'served', 2),
  known('keeps the texts of a compaction for its follow-up', 'served', 2),
  known('keeps the words of a turn that has changed', 'served', 1),
  known('keeps the knowledge of a turn that has changed', 'served', 1),
  known('keeps the step results of a turn that has changed', 'served', 1),
  known('edits a shared message everywhere', 'others', 4),
  {
    bug: 'does not update the marks of later messages',
    rule: 'log',
    seed: 10,
    store: keepsMarks,
  },
  {
    bug: 'keeps the pins of removed messages',
    rule: 'log',
    seed: 4,
    store: (tenant) => ({
      rewrite: async (command) => {
        const pins = (await loadConversation(tenant, command.id))?.pins ?? []
        const outcome = await tenant.rewrite(command)
        if (outcome.kind !== 'rewritten') return outcome
        const { id, version: expectedVersion } = outcome.conversation
        await commitChanges(tenant, { id, expectedVersion, changes: { pins }, at: 0 })
        return outcome
      },
    }),
  },
  {
    bug: 'loses facts of unchanged messages',
    rule: 'context',
    seed: 4,
    store: (tenant) => {
      const some = loading(tenant, 'facts', (rows) => rows.filter((row) => row.position % 5 > 0))
      return loading({ ...tenant, ...some }, 'ledger', async (rows, _query, id) => {
        const { rewrites = 0 } = (await loadConversation(tenant, id)) ?? {}
        return rewrites > 0 ? [rowOf('ledger', { to: 4, entries: [] }, {})] : rows
      })
    },
  },
]

export const plantedEdits: readonly PlantedBug[] = edits.map(({ bug, rule, seed, store }) => ({
  bug,
  rule,
  find: async () => {
    const runs = { seed, runs: 20, planted: storeWithBug(store), until: rule }
    return (await runEdits(runs)).findings
  },
}))

function keepsMarks(tenant: TenantStore): Partial<TenantStore> {
  const marks = new Map<string, Message['marks']>()
  const asFirst = (message: Message): Message => {
    const seen = marks.get(message.id) ?? message.marks
    marks.set(message.id, seen)
    const isRemoved = message.marks.some(({ kind }) => kind === 'removed')
    return isRemoved ? message : { ...message, marks: seen }
  }
  return { read: async (query) => (await tenant.read(query))?.map(asFirst) ?? null }
}
