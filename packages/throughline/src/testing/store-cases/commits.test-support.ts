/** Fields and events of a conversation: committed with a version check, all or nothing. */
import { type CompactionControl, noControl } from '../../domain/conversation.ts'
import type { EventBody } from '../../domain/event.ts'
import { build } from '../build.ts'
import { given, refuses, same } from '../contract.ts'
import {
  append,
  commit,
  hardText,
  id,
  put,
  row,
  rowsOf,
  type StoreCases,
} from './case.test-support.ts'

export const commitCases: StoreCases = {
  'keeps pins, and gives a fork those before its point': async ({ tl, tenant, chat }) => {
    await chat.append([...build().user('a').says('b').user('c').says('d')])
    same((await chat.info())?.pins, [], 'pins at the start')
    const mine = [0, 1, 3]
    const outcome = await commit(tenant, { fields: { pins: mine } })
    same(outcome.kind === 'committed' && outcome.conversation.pins, [0, 1, 3], 'the outcome')
    for (const pins of [mine, (await tenant.load({ id }))?.conversation.pins])
      Object.assign(pins ?? [], { 0: 99 })
    await append(tl, 'c', 1)
    await commit(tenant, { fields: { title: 'T' } })
    same((await chat.info())?.pins, [0, 1, 3], 'pins after other changes')
    same((await tl.list())[0]?.pins, [0, 1, 3], 'pins in a list')
    const fork = given(await chat.history.fork(3, 'f'))
    const { pins, version } = (await fork.info()) ?? {}
    same([pins, version], [[0, 1], 0], "the fork's pins and version")
    await commit(tenant, { fields: { pins: [1] } }, fork.id)
    // This fork refers to the source, because `fork` has no message of its own before its point.
    const early = given(await fork.history.fork(2, 'early'))
    same((await early.info())?.pins, [1], 'pins of a fork of the fork')
    same((await chat.info())?.pins, [0, 1, 3], "the source's pins")
    await commit(tenant, { fields: { pins: [] } })
    same((await chat.info())?.pins, [], 'removed pins')
  },
  'keeps the end of the search for pins, and gives a fork the part that it shares': async (
    bench,
  ) => {
    const { tl, tenant, chat } = bench
    await append(tl, 'c', 4)
    same((await chat.info())?.pinnedTo, 0, 'at the start')
    const outcome = await commit(tenant, { fields: { pins: [0], pinnedTo: 3 } })
    same(outcome.kind === 'committed' && outcome.conversation.pinnedTo, 3, 'the outcome')
    await commit(tenant, { fields: { pins: [] } })
    same((await chat.info())?.pinnedTo, 3, 'after other changes')
    for (const at of [2, 4]) {
      const fork = given(await chat.history.fork(at, `fork ${at}`))
      same((await fork.info())?.pinnedTo, Math.min(at, 3), `of a fork at ${at}`)
    }
  },
  'keeps the control of compaction, and gives a fork only its mode': async (bench) => {
    const { tl, tenant, chat } = bench
    await append(tl, 'c', 2)
    same((await chat.info())?.compaction, noControl, 'at the start')
    const asked = { reason: 'provider-overflow', model: hardText, of: 'f1' } as const
    const suspended = [{ model: hardText, version: 3 }]
    const control: CompactionControl = { mode: 'shadow', asked, suspended }
    for (const compaction of [control, noControl, { ...noControl, suspended }, control]) {
      const outcome = await commit(tenant, { fields: { compaction } })
      same(outcome.kind === 'committed' && outcome.conversation.compaction, compaction, 'outcome')
      await commit(tenant, { fields: { title: 'T' } })
      same((await chat.info())?.compaction, compaction, 'after other changes')
    }
    const fork = given(await chat.history.fork(1, 'f'))
    same((await fork.info())?.compaction, { ...noControl, mode: 'shadow' }, "the fork's")
  },
  'writes the events of a commit in order, and moves the version by one': async ({
    tl,
    tenant,
  }) => {
    await append(tl, 'c', 2)
    const figures = { tokensBefore: null, tokensAfter: 350.5 }
    const finished = { model: 'm', epoch: 3, line: 1, reason: 'manual', ...figures } as const
    const events: readonly EventBody[] = [
      { kind: 'pins-changed', pins: [0] },
      { kind: 'epoch-began', model: hardText, epoch: 3, cause: 'trigger' },
      { kind: 'facts-extracted', to: 2 },
      { kind: 'message-digested', seq: 1, degraded: null, calls: 4, costUsd: 0.25 },
      { kind: 'turn-remembered', turn: 1, messages: { from: 0, to: 2 } },
      { kind: 'compaction-finished', receipt: 1, ...finished },
    ]
    const outcome = await commit(tenant, { put: [row()], events })
    same(outcome.kind === 'committed' && outcome.conversation.version, 1, 'the version')
    const expected = events.map((event, at) => ({ ...event, number: 3 + at, at: 9 }))
    same(await tenant.events({ id, after: 2, limit: 99 }), expected, 'the events')
  },
  'writes nothing with an old version, nor for another tenant': async (bench) => {
    const { tl, store, tenant } = bench
    await append(tl, 'c', 2)
    await put(tenant, [row({ kind: 'summary', key: 's', label: 'x' })])
    const command = {
      expectedVersion: 0,
      fields: { pins: [0], title: 'T' },
      put: [row()],
      relabel: [{ kind: 'summary', key: 's', label: null }],
      drop: [{ kind: 'summary', key: 's' }],
    } as const
    const seen = async () => [
      await tenant.load({ id, rows: [{ kind: 'summary' }, { kind: 'asking' }] }),
      await tenant.events({ id, after: 0, limit: 9 }),
    ]
    const before = await seen()
    const moved = { kind: 'version-moved', version: 1 }
    same(await commit(tenant, command), moved, 'a version that moved')
    const other = store.tenant('other' as never)
    same(await commit(other, command), { kind: 'not-found' }, "another tenant's")
    same(await seen(), before, 'what is there')
  },
  'gives every conversation a serial that no other has or had': async ({ tl, tenant }) => {
    const serial = async (of = id) => (await tenant.load({ id: of }))?.serial
    await append(tl, 'c', 2)
    const first = await serial()
    given(await tl.conversation('c').history.fork(1, 'f'))
    const ofFork = await serial('f' as typeof id)
    await tl.conversation('c').history.purge({ forks: 'purge' })
    await append(tl, 'c', 2)
    same(new Set([first, ofFork, await serial()]).size, 3, 'serials')
  },
  'refuses every command after it was closed': async ({ tl, store, tenant, chat }) => {
    await append(tl, 'c', 1)
    await store.close()
    await refuses('STORE_CLOSED', 'append', () => chat.append({ role: 'user', content: 'y' }))
    await refuses('STORE_CLOSED', 'load', () => rowsOf(tenant, { kind: 'view' }))
    const events = [{ kind: 'conversation-updated', fields: [] }] as const
    const command = { id, expectedVersion: 0, events, at: 9 }
    await refuses('STORE_CLOSED', 'commit', () => tenant.commit(command))
    await refuses('STORE_CLOSED', 'record', () => tenant.record({ id, put: [row()] }))
    await refuses('STORE_CLOSED', 'read', () => tenant.read({ id, before: 1, limit: 1 }))
  },
}
