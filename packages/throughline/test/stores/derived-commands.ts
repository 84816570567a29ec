/** Random commands on derived rows: pins, views, facts, receipts, requests, calibrations, reads. */

import fc from 'fast-check'
import type { ConversationId, Store, TenantId } from 'throughline'
import type { CommitOutcome } from 'throughline/stores'
import type { ConversationChanges } from '../../src/derived/changes.ts'
import { commitChanges } from '../../src/derived/commit.ts'
import {
  completeReceipt,
  loadReceipts,
  loadVersionedView,
  loadVersions,
  loadWaitingReceipt,
} from '../../src/derived/receipts.ts'
import { nextTurn, sampleStep } from '../../src/derived/remembered-turns.test-support.ts'
import {
  loadDigests,
  loadFacts,
  loadRequests,
  loadSteps,
  loadSummaries,
  loadSummaryBefore,
  loadTurns,
} from '../../src/derived/rows.ts'
import {
  sampleCalibration,
  sampleDigest,
  sampleDigested,
  sampleFacts,
  sampleFollowUp,
  sampleLedger,
  sampleReceipt,
  sampleRequest,
  sampleSummarized,
  sampleSummary,
  sampleView,
} from '../../src/derived/samples.test-support.ts'
import { loadConversation, loadState, recordRequest } from '../../src/derived/state.ts'
import { newAskState } from '../../src/domain/model-calls.ts'

export type StoreCommand = (store: Store) => Promise<unknown>

// Two names that a careless store confuses.
export const models = ['m', 'n', 'o', '\ud83d', '\ufffd']

const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const anyModel = fc.constantFrom(...models)
const anyNumber = fc.integer({ min: 0, max: 9 })
const anyPlaces = fc
  .uniqueArray(fc.integer({ min: 0, max: 6 }), { maxLength: 4 })
  .map((places) => places.toSorted((left, right) => left - right))
const anyView = fc.oneof(
  fc.record({ epoch: anyNumber, keeps: anyPlaces }).map((changes) => sampleView(changes)),
  fc.constant(null),
)
const anyFacts = fc.record({ places: anyPlaces, uses: anyNumber }).map(({ places, uses }) => ({
  rows: places.map((seq) =>
    sampleFacts({ seq, facts: [{ kind: 'name', key: 'k', label: 'l', value: '\ud83d', uses }] }),
  ),
  ledger: sampleLedger({ to: uses }),
}))
const anyReceipt = fc.record({ epoch: anyNumber, due: anyNumber }).map(({ epoch, due }) => ({
  receipt: sampleReceipt({ epoch }),
  left: { text: '\ud83d', stubs: [epoch] },
  due,
}))
const anySummarized = fc.record({ to: anyNumber, usd: anyNumber }).map(({ to, usd }) =>
  sampleSummarized({
    record: to === 0 ? null : sampleSummary({ id: `s${usd}`, covers: { from: 0, to } }),
    asking: { ...newAskState, spent: [{ at: to, usd }] },
  }),
)
const anyDigested = fc.record({ seq: anyNumber, usd: anyNumber }).map(({ seq, usd }) =>
  sampleDigested({
    seq,
    record: usd === 0 ? null : sampleDigest({ seq, text: `d${usd}` }),
    asking: { ...newAskState, spent: [{ at: seq, usd }] },
  }),
)
const anyIds = fc.uniqueArray(
  anyNumber.map((usd) => `s${usd}`),
  { maxLength: 3 },
)
const anyRestored = fc.record({
  of: fc.option(anyNumber),
  withdrawn: anyIds,
  returned: anyIds.map((names) => names.map((name) => name.toUpperCase())),
})
const anyEdited = fc.record({ to: anyNumber, usd: anyNumber }).map(({ to, usd }) => ({
  model: 'm',
  record: sampleSummary({ id: `S${usd}`, covers: { from: 0, to } }),
}))
const anyChanges: fc.Arbitrary<ConversationChanges> = fc.record(
  {
    title: fc.constantFrom('T', null),
    pins: anyPlaces,
    pinnedTo: fc.nat(9),
    view: fc.record({ model: anyModel, view: anyView }),
    facts: anyFacts,
    receipt: anyReceipt,
    summarized: anySummarized,
    digested: anyDigested,
    restored: anyRestored,
    edited: anyEdited,
  },
  { requiredKeys: [] },
)
// A commit has at most one summary.
const anyValidChanges = anyChanges.map(({ edited, ...changes }): ConversationChanges => {
  return changes.summarized === undefined && edited !== undefined ? { ...changes, edited } : changes
})

/** Commands on the conversations of these ids. */
export function derivedCommands(ids: readonly string[]): fc.Arbitrary<StoreCommand> {
  const anyId = fc.constantFrom(...(ids as ConversationId[]))
  return fc.oneof(
    {
      weight: 3,
      arbitrary: fc
        .tuple(anyId, fc.array(anyValidChanges, { maxLength: 5 }), fc.nat(7))
        .map(commitsOf),
    },
    { weight: 2, arbitrary: fc.tuple(anyId, anyModel, anyNumber).map(recordOf) },
    { weight: 1, arbitrary: fc.tuple(anyId, anyNumber, anyNumber).map(completeOf) },
    { weight: 3, arbitrary: fc.tuple(anyId, fc.nat(3), fc.nat(19)).map(rememberOf) },
    {
      weight: 1,
      arbitrary: fc.tuple(anyId, anyNumber, anyNumber, anyPlaces).map(readOf),
    },
  )
}

/**
 * Several in a row, because views replace one another. One in eight has a wrong version, and one in
 * eight may have facts of missing messages.
 */
function commitsOf([id, all, chance]: [
  ConversationId,
  readonly ConversationChanges[],
  number,
]): StoreCommand {
  return async (store) => {
    const outcomes: CommitOutcome[] = []
    for (const changes of all) {
      const { version = 0, head = 0 } = (await loadConversation(tenantOf(store), id)) ?? {}
      const expectedVersion = version + (chance === 0 ? 1 : 0)
      const made = chance === 1 ? changes : withinLog(changes, head)
      outcomes.push(
        await commitChanges(tenantOf(store), { id, expectedVersion, changes: made, at: chance }),
      )
    }
    return outcomes
  }
}

/** Some turns in a row. One in twenty has a wrong number, one in twenty missing messages. */
function rememberOf([id, messages, chance]: [ConversationId, number, number]): StoreCommand {
  return async (store) => {
    const tenant = tenantOf(store)
    const outcomes: CommitOutcome[] = []
    for (let times = 0; times <= chance % 3; times += 1) {
      const { version = 0, head = 0 } = (await loadConversation(tenant, id)) ?? {}
      const [newest = null] = (await loadTurns(tenant, { id, before: null, limit: 1 })) ?? []
      const from = Math.min(head, newest?.messages.to ?? 0)
      const to = chance === 0 ? head + 1 : Math.min(head, from + messages)
      const record = nextTurn(newest, id, { from, to })
      const turn = record.turn + (chance === 1 ? 1 : 0)
      const steps = [0, 1].map((step) => sampleStep({ turn, step, result: `${turn}.${step}` }))
      const asking = chance % 2 === 0 ? null : { ...newAskState, spent: [{ at: 1, usd: turn }] }
      const remembered = { record: { ...record, turn }, steps, asking }
      const changes = { remembered }
      outcomes.push(
        await commitChanges(tenant, { id, expectedVersion: version, changes, at: chance }),
      )
    }
    return outcomes
  }
}

function withinLog(changes: ConversationChanges, head: number): ConversationChanges {
  const { facts, ...others } = changes
  if (facts === undefined) return others
  return { ...others, facts: { ...facts, rows: facts.rows.filter(({ seq }) => seq < head) } }
}

function recordOf([id, model, observed]: [ConversationId, string, number]): StoreCommand {
  const request = sampleRequest({ model, at: observed })
  const calibration = { model, calibration: sampleCalibration({ observed }) }
  return (store) =>
    recordRequest(tenantOf(store), {
      id,
      ...(observed !== 0 && { request }),
      ...(observed % 2 === 0 && { calibration }),
      ...(observed % 3 === 0 && { expanded: { from: observed, to: observed + 1 } }),
    })
}

/** Loads a waiting receipt, and completes it or one that may be missing. */
function completeOf([id, recorded, chance]: [ConversationId, number, number]): StoreCommand {
  return async (store) => {
    const tenant = tenantOf(store)
    const waiting = await loadWaitingReceipt(tenant, { id, recorded })
    const serial = (await loadState(tenant, { id, model: 'm' }))?.serial ?? 0
    const version = chance < 5 ? (waiting?.receipt.version ?? chance) : chance
    const followUp = sampleFollowUp({ recalls: chance })
    const outcome = await completeReceipt(tenant, {
      id,
      serial,
      version,
      rewrites: waiting?.rewrites ?? 0,
      followUp,
      at: chance,
    })
    // Serials differ between stores.
    return [waiting && { ...waiting, serial: 0 }, outcome]
  }
}

function readOf([id, from, length, except]: [
  ConversationId,
  number,
  number,
  readonly number[],
]): StoreCommand {
  return async (store) => [
    await tenantOf(store).read({ id, span: { from, to: from + length }, except }),
    await tenantOf(store).read({ id, before: from, limit: length }),
    await loadRequests(tenantOf(store), { id, limit: length }),
    await loadSummaries(tenantOf(store), { id, skip: from % 3, limit: length }),
    await loadSummaryBefore(tenantOf(store), { id, place: from }),
    await loadVersions(tenantOf(store), {
      id,
      model: except.length === 0 ? null : 'm',
      limit: length,
    }),
    await loadVersionedView(tenantOf(store), { id, version: from }),
    await loadDigests(tenantOf(store), { id, span: { from, to: from + length } }),
    await loadTurns(tenantOf(store), {
      id,
      before: except.length === 0 ? null : from,
      limit: length,
    }),
    await loadSteps(tenantOf(store), {
      id,
      turn: from === 0 ? null : from,
      step: except.length === 0 ? null : length,
      limit: length,
    }),
    (await loadState(tenantOf(store), { id, model: 'm' }))?.asking ?? null,
    await loadReceipts(tenantOf(store), {
      id,
      limit: length,
      before: except.length === 0 ? null : from,
    }),
    await loadFacts(tenantOf(store), {
      id,
      span: { from, to: from + length },
      limit: except.length,
    }),
    await loadFacts(tenantOf(store), {
      id,
      span: { from: 0, to: from },
      newestFirst: true,
      limit: 2,
    }),
  ]
}
