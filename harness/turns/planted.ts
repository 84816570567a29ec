/** Planted bugs, each with the rule that must find it. */

import type { DerivedRow } from 'throughline/stores'
import type { Entity, StepRecord, TurnKnowledge, TurnRecord, TurnRules } from 'throughline/turns'
import type { ChangeCommand } from '../../packages/throughline/src/derived/changes.ts'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import { loadTurns } from '../../packages/throughline/src/derived/rows.ts'
import { loadConversation } from '../../packages/throughline/src/derived/state.ts'
import {
  loading,
  rowsFor,
  withBody,
} from '../../packages/throughline/src/testing/typed-commits.test-support.ts'
import type { PlantedBug, StoreBug } from '../kernel/planted.ts'
import { runSessions } from './run-sessions.ts'
import type { Planted } from './session-engine.ts'
import { boast } from './unreliable-model.ts'

interface SessionBug {
  readonly bug: string
  /** The requirement that the bug breaks. */
  readonly id: string
  readonly rule: string
  readonly planted: Planted
  /** The number of a session that finds it soon; default: the first. */
  readonly session?: number
}

const sessionBugs: readonly SessionBug[] = [
  // Limits of the design, each slightly wrong.
  figure('responseCharacters', 1, 'S0-024', 'digest', 2),
  figure('fullTurns', 1, 'S0-064', 'tiling', 0),
  figure('fullSteps', 1, 'S0-065', 'steps', 1),
  figure('pendingTurns', 1, 'S0-066', 'entities', 1),
  figure('activeTurns', -1, 'A-004', 'entities', 17),
  figure('inactiveTurns', 1, 'X0-3', 'entities', 5),
  figure('significantSteps', 1, 'X0-10', 'theme', 2),
  figure('entitiesPerType', 1, 'A-007', 'active', 3),
  figure('historyCharacters', 200, 'X0-6', 'history', 15),
  figure('proposalCharacters', 500, 'X0-8', 'pending', 2),
  figure('condensedTokens', 5_000, 'A-015', 'memory-budget', 3),
  figure('fullTokens', 50_000, 'A-015', 'memory-budget', 5),
  {
    ...{ bug: 'a draft is promoted without a write', id: 'S0-052', rule: 'entities', session: 1 },
    planted: onEntities((entity) => ({ ...entity, state: 'active', source: 'db_read' })),
  },
  {
    ...{ bug: 'a saved draft forgets its temporary id', id: 'X0-5', rule: 'entities' },
    planted: onEntities((entity) => ({ ...entity, aliases: [] })),
  },
  {
    ...{
      bug: 'the oldest history lines are dropped',
      id: 'X0-6',
      rule: 'tiling',
      session: 12,
    },
    planted: onKnows((knows) => ({ history: knows.history.slice(-2) })),
  },
  {
    ...{ bug: 'a decision stays pending after plan_direct', id: 'S0-055', rule: 'pending' },
    planted: {
      commit: async (command, store) => {
        const [newest] = (await loadTurns(store, { id: command.id, before: null, limit: 1 })) ?? []
        const before = newest?.knows.pending ?? null
        return withRecord(command, (record) => ({
          knows: { ...record.knows, pending: record.knows.pending ?? before },
        }))
      },
    },
  },
  {
    ...{ bug: 'the theme is updated after every turn', id: 'S0-042', rule: 'theme' },
    planted: onKnows(({ theme }, { turn, user }) => ({
      theme: { by: 'rules', turn, ...theme, text: user.slice(0, 40) },
    })),
  },
  {
    ...{ bug: 'a proposal is reported as done', id: 'S0-027', rule: 'proposal' },
    planted: onRecord(({ digest }) => ({ digest: digest && { by: digest.by, text: boast } })),
  },
  {
    ...{ bug: 'a model answer is not checked', id: 'B0-2', rule: 'lie' },
    planted: onRecord(({ digest }) => ({
      digest: digest && { ...digest, text: 'Saved 31337 recipes of Zorbax Quillmore.' },
    })),
  },
  {
    ...{ bug: 'steps are stored without their turn', id: 'B0-1', rule: 'steps' },
    planted: onStore((store) =>
      loading(store, 'step', (rows, { key }, id) =>
        key === undefined ? rows : rowsFor(store, id, { kind: 'step', key, limit: 1 }),
      ),
    ),
  },
  {
    ...{ bug: 'a result is cut', id: 'A-009', rule: 'steps' },
    planted: onSteps((step) => ({ ...step, result: String(step.result).slice(0, 50) })),
  },
  {
    ...{ bug: 'the outcome of a step contains a secret', id: 'S0-019', rule: 'secret', session: 3 },
    planted: onRecord(({ steps, user }) => ({
      steps: steps.map((step) => ({ ...step, outcome: user.toWellFormed() })),
    })),
  },
  {
    ...{ bug: 'a key is not stored', id: 'A-008', rule: 'record' },
    planted: onRecord(() => ({ key: null })),
  },
  {
    ...{ bug: 'an audit counts failed steps as done', id: 'A-003', rule: 'audit' },
    planted: onRecord(({ audit }) => ({ audit: { ...audit, stepsDone: audit.stepsTotal } })),
  },
  {
    ...{ bug: 'a turn is two commits', id: 'S0-001', rule: 'version' },
    planted: {
      commit: async (command, store) => {
        if (command.changes.remembered === undefined) return command
        const { id, expectedVersion, at } = command
        await commitChanges(store, { id, expectedVersion, at, changes: { pins: [] } })
        return { ...command, expectedVersion: expectedVersion + 1 }
      },
    },
  },
  {
    ...{ bug: 'a turn pins a message', id: 'S0-007', rule: 'log' },
    planted: {
      commit: async (command, store) => {
        const { head = 0 } = (await loadConversation(store, command.id)) ?? {}
        const isTurn = command.changes.remembered !== undefined && head > 0
        return isTurn ? { ...command, changes: { ...command.changes, pins: [0] } } : command
      },
    },
  },
  {
    ...{ bug: 'an older record changes', id: 'S0-015', rule: 'records', session: 1 },
    planted: onStore((store) =>
      loading(store, 'turn', async (rows, _query, id) => {
        const [newest] = await rowsFor(store, id, { kind: 'turn', order: 'last', limit: 1 })
        const isOld = ({ position }: DerivedRow) => position < (newest?.position ?? 0) - 2
        const older = (row: DerivedRow) => withBody('turn', row, (one) => ({ ...one, user: 'x' }))
        return rows.map((row) => (isOld(row) ? older(row) : row))
      }),
    ),
  },
  {
    ...{ bug: 'a retry is not recognised by its key', id: 'X0-9', rule: 'retry', session: 28 },
    planted: onStore((store) =>
      loading(store, 'turn', (rows, { limit = 0 }) =>
        limit > 1
          ? rows.map((row) => withBody('turn', row, (one) => ({ ...one, key: null })))
          : rows,
      ),
    ),
  },
  {
    ...{
      bug: 'a fork has turns after its point',
      id: 'S0-014',
      rule: 'fork',
      session: 2,
    },
    planted: onStore((store) =>
      loading(store, 'turn', (_rows, query, id) =>
        rowsFor(store, id.replace(/\.\d+$/, '') as typeof id, query),
      ),
    ),
  },
]

export const plantedBugs = sessionBugs.map(
  ({ bug, id, rule, planted, session: first = 0 }): PlantedBug & { readonly id: string } => ({
    ...{ bug, id, rule },
    find: async () => {
      const runs = { seed: 1, first, sessions: 40, turns: 20 }
      return (await runSessions({ ...runs, planted, until: rule })).findings
    },
  }),
)

function figure(
  name: keyof TurnRules,
  by: number,
  id: string,
  rule: string,
  session: number,
): SessionBug {
  const planted = {
    rules: (rules: TurnRules) => ({ ...rules, [name]: Math.max(1, rules[name] + by) }),
  }
  return { bug: `${name} is off by ${by}`, id, rule, planted, session }
}

type Change<Value> = (value: Value, record: TurnRecord) => Partial<Value>

function withRecord(command: ChangeCommand, change: Change<TurnRecord>): ChangeCommand {
  const { remembered } = command.changes
  if (remembered === undefined) return command
  const { record } = remembered
  const changed = { ...remembered, record: { ...record, ...change(record, record) } }
  return { ...command, changes: { ...command.changes, remembered: changed } }
}

function onRecord(change: Change<TurnRecord>): Planted {
  return { commit: async (command) => withRecord(command, change) }
}

function onKnows(change: Change<TurnKnowledge>): Planted {
  return onRecord((record) => ({
    knows: { ...record.knows, ...change(record.knows, record) },
  }))
}

function onEntities(change: (entity: Entity) => Entity): Planted {
  return onKnows(({ entities }) => ({ entities: entities.map(change) }))
}

function onSteps(change: (step: StepRecord) => StepRecord): Planted {
  return {
    commit: async (command) => {
      const { remembered } = command.changes
      if (remembered === undefined) return command
      const changed = { ...remembered, steps: remembered.steps.map(change) }
      return { ...command, changes: { ...command.changes, remembered: changed } }
    },
  }
}

function onStore(store: StoreBug): Planted {
  return { store }
}
