/**
 * The fault sweep: fail the 1st, 2nd, … call of a command until none is left to
 * fail. After each failure the file holds the state before or after the command,
 * never one between, and running the command again reaches the state after it.
 */

import { DatabaseSync } from 'node:sqlite'
import {
  type ConversationId,
  createThroughline,
  isThroughlineError,
  type Store,
  type TenantId,
  type Throughline,
} from 'throughline'
import { type SqliteDriver, sqlite } from 'throughline/stores/sqlite'
import { build, fakeClock } from 'throughline/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { commitChanges } from '../../src/derived/commit.ts'
import { completeReceipt, loadWaitingReceipt } from '../../src/derived/receipts.ts'
import {
  sampleRemembered,
  sampleStep,
  sampleTurn,
} from '../../src/derived/remembered-turns.test-support.ts'
import {
  sampleCalibration,
  sampleFacts,
  sampleFollowUp,
  sampleLedger,
  sampleReceipt,
  sampleRequest,
  sampleView,
} from '../../src/derived/samples.test-support.ts'
import { recordRequest } from '../../src/derived/state.ts'
import { type Fault, faultyDriver } from '../../src/testing/faulty-driver.test-support.ts'
import {
  indexUpTo,
  samplePiece,
} from '../../src/testing/store-cases/indexed-pieces.test-support.ts'
import { copyDatabase, dump, integrity, testFolder } from '../stores/sqlite-file.ts'

const folder = testFolder()
afterAll(() => folder.remove())

type Command = (tl: Throughline, store: Store) => Promise<unknown>

const id = 'c' as ConversationId
const tenantOf = (store: Store) => store.tenant('default' as TenantId)
const view = (model: string) => ({ model, view: sampleView() })

const receipt = { receipt: sampleReceipt(), left: { text: 'left', stubs: [1] }, due: 100 }

const prepare: Command = async (tl, store) => {
  await tl.conversation('c').append([...build().user('go').callsAtOnce('read', 'list')])
  await tl.conversation('source').append([...build().user('a').says('b')])
  const remembered = sampleRemembered()
  const source = 'source' as ConversationId
  await commitChanges(tenantOf(store), {
    id: source,
    expectedVersion: 0,
    changes: { remembered },
    at: 0,
  })
  await tl.conversation('source').history.fork(2, 'sharer')
  await tl.conversation('doomed').append([...build().user('a').calls('x')])
  // Fills every kind of row up to its limit, so that the next row must make room.
  for (const [expectedVersion, model] of ['m', 'n', 'o', 'p'].entries())
    await commitChanges(tenantOf(store), {
      id,
      expectedVersion,
      changes: {
        view: view(model),
        facts: { rows: [sampleFacts()], ledger: sampleLedger() },
        ...(model === 'm' && { receipt, remembered }),
      },
      at: 0,
    })
  await indexUpTo(tenantOf(store), 1, [samplePiece(0, 'a', { names: ['name'] })])
  for (let at = 0; at < 100; at += 1) {
    const calibration = { model: `m${at}`, calibration: sampleCalibration() }
    await recordRequest(tenantOf(store), { id, request: sampleRequest({ at }), calibration })
  }
}

const image = { type: 'file', mediaType: 'image/png', data: Uint8Array.from([1, 2, 3]) } as const

const commands: Readonly<Record<string, Command>> = {
  'append of a turn': (tl) =>
    tl
      .conversation('c')
      .append(
        [
          ...build().result('one').result('two').messages.slice(0, 2),
          { role: 'user', content: [image], raw: '{"exact": 12345678901234567890}' },
          ...build().calls('read'),
        ],
        { key: 'turn-2' },
      ),
  'append that begins a conversation': (tl) =>
    tl.conversation('new').append([...build().user('hello').says('hi')], { key: 'k' }),
  fork: (tl) => tl.conversation('source').history.fork(1, 'fork'),
  update: (tl) => tl.conversation('c').update({ title: 'changed', meta: { a: 1 } }),
  'commit of a view': (_tl, store) =>
    commitChanges(tenantOf(store), {
      id,
      expectedVersion: 4,
      changes: { title: 'T', pins: [0, 1], view: view('new') },
      at: 0,
    }),
  'commit of facts': (_tl, store) =>
    commitChanges(tenantOf(store), {
      id,
      expectedVersion: 4,
      changes: {
        view: view('m'),
        // One that replaces a row, and one that is new.
        facts: {
          rows: [sampleFacts({ facts: [] }), sampleFacts({ seq: 1 })],
          ledger: sampleLedger({ to: 2 }),
        },
      },
      at: 0,
    }),
  'commit of a turn': (_tl, store) => {
    const record = sampleTurn({ turn: 2, messages: { from: 1, to: 2 } })
    const steps = [0, 1].map((step) => sampleStep({ turn: 2, step }))
    const changes = { title: 'T', remembered: sampleRemembered({ record, steps }) }
    return commitChanges(tenantOf(store), { id, expectedVersion: 4, changes, at: 0 })
  },
  'commit of a receipt': (_tl, store) =>
    commitChanges(tenantOf(store), {
      id,
      expectedVersion: 4,
      changes: { view: view('m'), receipt },
      at: 0,
    }),
  'completion of a receipt': async (_tl, store) => {
    const waiting = await loadWaitingReceipt(tenantOf(store), { id, recorded: 100 })
    const { serial = -1 } = waiting ?? {}
    return completeReceipt(tenantOf(store), {
      id,
      serial,
      rewrites: 0,
      version: 1,
      followUp: sampleFollowUp(),
      at: 0,
    })
  },
  'record of an expansion': (_tl, store) =>
    recordRequest(tenantOf(store), { id, expanded: { from: 0, to: 1 } }),
  'record of a request': (_tl, store) =>
    recordRequest(tenantOf(store), {
      id,
      request: sampleRequest(),
      calibration: { model: 'new', calibration: sampleCalibration() },
    }),
  index: (_tl, store) =>
    indexUpTo(tenantOf(store), 2, [samplePiece(1, 'a b', { names: ['name'] })]),
  'purge of what is derived': (tl) => tl.conversation('c').history.purge(),
  purge: (tl) => tl.conversation('doomed').history.purge(),
}

/** Commands with many statements: one fault before and one after each is enough. */
const longCommands: Readonly<Record<string, Command>> = {
  'edit of a message that a fork shares': (tl) =>
    tl.conversation('source').history.edit(0, { role: 'user', content: [image] }),
  'removal of what was derived from': (tl) => tl.conversation('c').history.remove(0),
  'purge of a message': (tl) => tl.conversation('c').history.purgeMessage(1),
}

const isOfDisk = ({ resultCode }: Omit<Fault, 'at'>) => resultCode === 10

const faults: readonly Omit<Fault, 'at'>[] = [
  { when: 'before', resultCode: 5 },
  { when: 'before', resultCode: 10 },
  { when: 'before', resultCode: 13 },
  { when: 'before', resultCode: 13, rollbackToo: true },
  { when: 'after', resultCode: 10 },
]

// Fails each call with `--mode whole`; otherwise the first eight and every third after them.
const isWhole = process.env['MODE'] === 'whole'
const eachOfFirst = 8
const step = 3

let sweptPoints = 0
// For people who run only the sweep.
afterAll(() => console.log(`${sweptPoints} calls failed, one at a time`))

describe('the fault sweep over SQLite', () => {
  for (const [name, command] of Object.entries({ ...commands, ...longCommands }))
    it(`leaves ${name} done or not done, whichever call fails`, async () => {
      for (const fault of name in longCommands ? faults.filter(isOfDisk) : faults) {
        const points = await sweep(name, command, fault)
        sweptPoints += points
        // A sweep without failed calls has checked nothing.
        expect(points).toBeGreaterThanOrEqual(4)
      }
    })

  it('finds a store that writes without a transaction', async () => {
    const [name, command] = Object.entries(commands)[0] ?? ['', prepare]
    const fault = { when: 'before', resultCode: 10 } as const
    const open: Open = (file) => withoutTransactions(new DatabaseSync(file))
    await expect(sweep(`planted ${name}`, command, fault, open)).rejects.toThrow(
      'left a state between',
    )
  })
})

/** A driver without transactions, which the sweep must find. */
function withoutTransactions(driver: SqliteDriver): SqliteDriver {
  const isBorder = (sql: string) => /^(?:BEGIN|COMMIT|ROLLBACK)/.test(sql)
  return {
    close: () => driver.close(),
    exec: (sql) => (isBorder(sql) ? null : driver.exec(sql)),
    prepare: (sql) => driver.prepare(isBorder(sql) ? 'SELECT 1' : sql),
  }
}

type Open = (file: string) => SqliteDriver
const openFile: Open = (file) => new DatabaseSync(file)

async function sweep(
  name: string,
  command: Command,
  fault: Omit<Fault, 'at'>,
  open: Open = openFile,
): Promise<number> {
  const base = folder.file(`${name}-${fault.when}-${fault.resultCode}-${fault.rollbackToo}.db`)
  copyDatabase(await preparedFile(), base)
  const before = dump(base)
  copyDatabase(base, `${base}-after`)
  const after = await stateAfter(`${base}-after`, command)
  expect(after).not.toBe(before)

  for (let at = 1; ; at += isWhole || at < eachOfFirst ? 1 : step) {
    const file = `${base}-${at}`
    copyDatabase(base, file)
    const driver = faultyDriver(open(file))
    const store = sqlite(driver)
    const tl = createThroughline({ store, clock: fakeClock() })
    // Statements are prepared once; what they need is read before the fault is armed.
    await tl.conversation('c').info()
    driver.arm({ ...fault, at })
    const error = await command(tl, store).then(
      () => null,
      (cause: unknown) => cause,
    )
    const { fired } = driver
    driver.arm(null)
    const found = dump(file)
    // A purge is done when its rows are gone. The file records whether old pages are overwritten,
    // and both answers are valid.
    const isErased = unerased(found) !== unerased(after) || found === after
    const answered = error === null && (found === after || !isErased)
    if (fired) expect(isThroughlineError(error) || answered, `call ${at} of ${name}`).toBe(true)
    const isWhole = [before, after].includes(found) || !isErased
    expect(isWhole, `call ${at} of ${name} left a state between`).toBe(true)
    // The same engine continues: the failed command has left nothing stuck in it.
    if (found === before || !isErased) {
      await command(tl, store)
      expect(dump(file), `call ${at} of ${name}, done again`).toBe(after)
    } else await tl.conversation('c').info()
    await tl.close()
    expect(integrity(file)).toBe('ok')
    if (!fired) return at - 1
  }
}

/** Without the inner tables of FTS5, which an erasure rewrites, and the records of it. */
function unerased(state: string): string {
  const lines = state.split('\n').filter((line) => !line.startsWith('["recall_'))
  return lines.join('\n').replaceAll('"erased":0', '"erased":1')
}

let prepared: Promise<string> | null = null

/** Made once: every sweep begins with a copy of it. */
function preparedFile(): Promise<string> {
  const file = folder.file('prepared.db')
  prepared ??= stateAfter(file, prepare).then(() => file)
  return prepared
}

async function stateAfter(file: string, command: Command): Promise<string> {
  const store = sqlite(file)
  const tl = createThroughline({ store, clock: fakeClock() })
  await command(tl, store)
  await tl.close()
  return dump(file)
}
