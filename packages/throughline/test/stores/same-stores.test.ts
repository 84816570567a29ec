/** All stores behave the same: equal commands give equal answers and equal states. */

import { createRequire } from 'node:module'
import fc from 'fast-check'
import {
  type ConversationHandle,
  type ConversationId,
  createThroughline,
  type MessageInput,
  type Result,
  type Store,
  type TenantId,
  type Throughline,
} from 'throughline'
import { memory } from 'throughline/stores/memory'
import { type SqliteDriver, sqlite } from 'throughline/stores/sqlite'
import { fakeClock } from 'throughline/testing'
import { expect, it } from 'vitest'
import { loadFacts, loadLedger, loadSteps, loadTurns } from '../../src/derived/rows.ts'
import { loadState } from '../../src/derived/state.ts'
import { derivedCommands, models } from './derived-commands.ts'
import { indexCommands } from './index-commands.ts'

const Database = createRequire(import.meta.url)('better-sqlite3') as new (
  file: string,
) => SqliteDriver
const ids = ['a', 'b', 'c']
const runs = Number(process.env['SEQUENCES'] ?? 150)

type Command = (tl: Throughline, store: Store) => Promise<unknown>

const shown = (result: Result<ConversationHandle, { readonly kind: string }>) =>
  result.ok ? result.value.info() : result.failure

const anyId = fc.constantFrom(...ids)
const anyTenant = fc.constantFrom('default', 'other')
const anyCall = fc.constantFrom('1', '2')
const anyMessage: fc.Arbitrary<MessageInput> = fc.record(
  {
    role: fc.constantFrom('user' as const, 'assistant' as const),
    content: fc.oneof(
      fc.constantFrom('x', 'y'),
      anyCall.map((callId) => [{ type: 'tool-call' as const, callId, name: 'n', input: '{}' }]),
      anyCall.map((callId) => [{ type: 'tool-result' as const, callId, output: 'o' }]),
      fc.constant([{ type: 'file' as const, mediaType: 'text/plain', data: 'aGk=' }]),
    ),
    key: fc.constantFrom('k', 'l', 'm'),
  },
  { requiredKeys: ['role', 'content'] },
)
const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  ...[
    { weight: 5, commands: derivedCommands(ids) },
    { weight: 3, commands: indexCommands(ids) },
  ].map(({ weight, commands }) => ({
    weight,
    arbitrary: commands.map(
      (command): Command =>
        (_tl, store) =>
          command(store),
    ),
  })),
  {
    weight: 6,
    arbitrary: fc.tuple(anyTenant, anyId, fc.array(anyMessage, { maxLength: 4 })).map(
      ([tenant, id, messages]): Command =>
        (tl) =>
          tl.tenant(tenant).conversation(id).append(messages),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyId, fc.array(anyMessage, { maxLength: 3 })).map(
      ([id, messages]): Command =>
        (tl) =>
          tl.conversation(id).append(
            messages.map(({ key, ...rest }) => rest),
            { key: 'batch' },
          ),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anyId, anyId, fc.integer({ min: 0, max: 6 })).map(
      ([from, to, at]): Command =>
        async (tl) =>
          shown(await tl.conversation(from).history.fork(at, to)),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyId, anyId).map(
      ([id, parent]): Command =>
        async (tl) =>
          shown(await tl.begin(id, { title: id, parent: { conversationId: parent } })),
    ),
  },
  {
    weight: 1,
    arbitrary: anyId.map(
      (id): Command =>
        (tl) =>
          tl.conversation(id).update({ title: 'T', meta: { id } }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(anyId, fc.constantFrom('refuse' as const, 'purge' as const)).map(
      ([id, forks]): Command =>
        (tl) =>
          tl.conversation(id).history.purge({ forks }),
    ),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(anyId, fc.integer({ min: 0, max: 8 }), anyMessage).map(
      ([id, seq, { key, ...message }]): Command =>
        (tl) =>
          tl.conversation(id).history.edit(seq, message),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(anyId, fc.integer({ min: 0, max: 8 }), fc.integer({ min: 1, max: 3 })).map(
      ([id, from, length]): Command =>
        (tl) =>
          tl.conversation(id).history.remove({ from, to: from + length }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyId, fc.integer({ min: 0, max: 8 }), fc.constantFrom('refuse', 'purge'))
      .map(
        ([id, seq, forks]): Command =>
          (tl) =>
            tl.conversation(id).history.purgeMessage(seq, { forks: forks as 'refuse' | 'purge' }),
      ),
  },
)

it('answers any sequence of commands the same in memory, on node:sqlite and on better-sqlite3', {
  timeout: 600_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyCommand, { minLength: 5, maxLength: 30 }), async (commands) => {
      const engines = [memory(), sqlite(':memory:'), sqlite(new Database(':memory:'))].map(
        (store) => ({ store, tl: createThroughline({ store, clock: fakeClock() }) }),
      )
      for (const command of commands) {
        const answers = await Promise.all(engines.map((engine) => answerOf(engine, command)))
        expect(answers[1]).toEqual(answers[0])
        expect(answers[2]).toEqual(answers[0])
      }
      const states = await Promise.all(engines.map(stateOf))
      expect(states[1]).toEqual(states[0])
      expect(states[2]).toEqual(states[0])
      await Promise.all(engines.map(({ tl }) => tl.close()))
    }),
    { numRuns: runs },
  )
})

interface Engine {
  readonly tl: Throughline
  readonly store: Store
}

async function answerOf({ tl, store }: Engine, command: Command): Promise<unknown> {
  try {
    return await command(tl, store)
  } catch (error) {
    return (error as { code?: unknown }).code ?? error
  }
}

async function stateOf({ tl, store }: Engine): Promise<unknown> {
  const tenants = [tl, tl.tenant('other')]
  return Promise.all(
    tenants.map(async (tenant) => ({
      list: await tenant.list(),
      purges: await tenant.purges(),
      logs: await Promise.all(
        ids.map(async (id) => ({
          messages: await Array.fromAsync(tenant.conversation(id).messages()),
          events: await tenant.conversation(id).events(),
          original: await tenant.conversation(id).original(0),
          facts: await loadFacts(store.tenant('default' as TenantId), {
            id: id as ConversationId,
            span: { from: 0, to: 99 },
          }),
          turns: await loadTurns(store.tenant('default' as TenantId), {
            id: id as ConversationId,
            before: null,
            limit: 99,
          }),
          steps: await loadSteps(store.tenant('default' as TenantId), {
            id: id as ConversationId,
            turn: null,
            step: null,
            limit: 99,
          }),
          receipts: await tenant.conversation(id).receipts({ limit: 99 }),
          ledger: await loadLedger(store.tenant('default' as TenantId), {
            id: id as ConversationId,
          }),
          derived: await Promise.all(
            models.map(async (model) => {
              const tenant = store.tenant('default' as TenantId)
              const state = await loadState(tenant, { id: id as ConversationId, model })
              // Serials differ between stores.
              return state && { ...state, serial: 0 }
            }),
          ),
        })),
      ),
    })),
  )
}
