/** The store of a run: in memory, a file that is reopened after a kill, or a schema of PostgreSQL. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { postgres } from '@throughline/postgres'
import { type Context, type Store, ThroughlineError } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { memory } from 'throughline/stores/memory'
import { type SqliteDriver, type SqliteStatement, sqlite } from 'throughline/stores/sqlite'
import { erasedAsInMemory } from '../../packages/postgres/test/erased-as-in-memory.ts'
import {
  type Fault,
  type FaultyDriver,
  faultyDriver,
} from '../../packages/throughline/src/testing/faulty-driver.test-support.ts'
import { copyDatabase, testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { bytesIn } from '../history/purge-canaries.ts'
import type { Chance } from '../kernel/chance.ts'
import { type StoreBug, storeWithBug } from '../kernel/planted.ts'
import type { Schedule } from './stage.ts'

/** A planted bug, which seeds must find. */
export interface Planted {
  /** Replaces store commands, for engines and for checks. */
  readonly store?: StoreBug
  /** Replaces the context that an engine returns. */
  readonly context?: (context: Context) => Context
  /** Whether a kill also loses the write-ahead log. */
  readonly losesLog?: boolean
}

const original: StoreBug = () => ({})

export interface SimStore {
  /** For an engine with its own connection. */
  open(): Store
  /** For checks from outside. */
  looking(): Store
  /** Whether its calls leave the process. */
  readonly isRemote: boolean
  /** Kills the process in the N-th database call from now; null cancels. */
  killIn(calls: number | null, killed: () => void): void
  /** Lets one of the next database calls fail; null cancels. No effect in memory and in PostgreSQL. */
  failWith(fault: Fault | null): void
  /** Whether a call has failed since. */
  hasFailed(): boolean
  /** The process is gone: the next store opens what it left. */
  kill(): void
  /** Every byte of the file and its side files; null for others. */
  bytes(): Buffer | null
  close(): Promise<void>
}

/** A schema of its own for each run. */
export interface SimDatabase {
  readonly url: string
  readonly schema: string
}

export function simStore(kind: 'memory' | 'sqlite' | SimDatabase, planted: Planted): SimStore {
  if (kind === 'memory') return inMemory(planted)
  return kind === 'sqlite' ? inFile(planted) : inPostgres(kind, planted)
}

// What only a file has.
const noFile = {
  killIn: () => {},
  failWith: () => {},
  hasFailed: () => false,
  kill: () => {},
  bytes: () => null,
}

function inMemory(planted: Planted): SimStore {
  const one = storeWithBug(planted.store ?? original)(memory())
  const open = () => one
  return { ...noFile, isRemote: false, open, looking: open, close: () => one.close() }
}

/** Each engine has connections of its own. */
function inPostgres(database: SimDatabase, planted: Planted): SimStore {
  const plant = storeWithBug(planted.store ?? original)
  const opened: Store[] = []
  const open = () => {
    // The time of a run jumps to the next timer, and a connection takes real time.
    const options = { ...database, maxConnections: 3, connectTimeoutMs: 3_600_000 }
    const store = plant(erasedAsInMemory(postgres(options)))
    opened.push(store)
    return store
  }
  let looks: Store | null = null
  return {
    ...noFile,
    isRemote: true,
    open,
    looking: () => {
      looks ??= open()
      return looks
    },
    close: async () => {
      for (const store of opened) await store.close()
    },
  }
}

function inFile(planted: Planted): SimStore {
  const folder = testFolder()
  const plant = storeWithBug(planted.store ?? original)
  let generation = 0
  const opened: Store[] = []
  let looks: Store | null = null
  let drivers: FaultyDriver[] = []
  let killed = () => {}
  const fileOf = (number: number) => folder.file(`sim-${number}.db`)
  /** The files as a kill leaves them: written data is there, and nothing was cleaned up. */
  const leave = () => {
    copyDatabase(fileOf(generation), fileOf(generation + 1))
    if (planted.losesLog === true) rmSync(`${fileOf(generation + 1)}-wal`, { force: true })
    // The shared index belongs to a process that is gone.
    rmSync(`${fileOf(generation + 1)}-shm`, { force: true })
    generation += 1
    looks = null
    drivers = []
    kill.left = null
  }
  const kill: Kill = {
    left: null,
    happen: () => {
      leave()
      killed()
    },
  }
  const openNow = (isWatched: boolean): Store => {
    const database = new DatabaseSync(fileOf(generation))
    // No kill while a file is opened.
    const { left } = kill
    kill.left = null
    const driver = isWatched ? faultyDriver(killDriver(database, kill)) : database
    if ('arm' in driver) drivers.push(driver)
    const store = plant(sqlite(driver, { durability: 'normal' }))
    kill.left = left
    opened.push(store)
    return store
  }
  return {
    isRemote: false,
    open: () => openNow(true),
    looking: () => {
      looks ??= openNow(false)
      return looks
    },
    killIn: (calls, then) => {
      kill.left = calls
      killed = then
    },
    failWith: (fault) => {
      for (const driver of drivers) driver.arm(fault)
    },
    hasFailed: () => drivers.some(({ fired }) => fired),
    kill: leave,
    bytes: () => bytesIn(fileOf(generation)),
    close: async () => {
      for (const store of opened) await store.close()
      folder.remove()
    },
  }
}

/** A store whose every command waits to be drawn, and may fail before or after it is done. */
interface Staging {
  /** Its name in the schedule. */
  readonly name: string
  readonly schedule: Schedule
  readonly chance: Chance
  /** One in this many commands fails; 0 for never. */
  readonly failsInTimes: number
  /** Whether the calls leave the process: the schedule waits for each. */
  readonly isRemote: boolean
  /** Whether its engine is gone: from then on its commands never return. */
  isGone(): boolean
  failed(what: string): void
}

const never = new Promise<never>(() => {})

export function stagedStore(store: Store, staging: Staging): Store {
  return {
    close: () => store.close(),
    tenant: (id) => stagedTenant(store.tenant(id), staging),
  }
}

function stagedTenant(store: TenantStore, staging: Staging): TenantStore {
  const { name: engine, schedule, chance, failsInTimes, isRemote, isGone, failed } = staging
  const drawn = async (label: string) => {
    await schedule.wait(`${engine} ${label}`)
    if (isGone()) await never
  }
  const unlessGone = async (work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work()
    } finally {
      // A kill within the command: its caller gets no answer.
      if (isGone()) await never
    }
  }
  // All commands of a store are async functions.
  return new Proxy(store, {
    get: (target, name) => {
      const label = String(name)
      const command = Reflect.get(target, name) as (...given: readonly unknown[]) => unknown
      return async (...given: readonly unknown[]) => {
        await drawn(label)
        const fails = failsInTimes > 0 && chance.once(failsInTimes)
        const isBefore = fails && chance.once(2)
        if (isBefore) throw broken(`before ${label}`, failed)
        const call = async () => command.apply(target, [...given])
        const outcome = await unlessGone(isRemote ? () => schedule.outside(call) : call)
        if (fails) throw broken(`after ${label}`, failed)
        return outcome
      }
    },
  })
}

function broken(what: string, failed: (what: string) => void): ThroughlineError {
  failed(what)
  return new ThroughlineError('STORE_FAILED', `planted failure: ${what}`)
}

/** A SQLite driver whose process may be killed during a call, even inside a transaction. */
interface Kill {
  /** How many calls of any connection are left; null for no kill. */
  left: number | null
  /** Called once, at that moment. */
  happen(): void
}

function killDriver(driver: SqliteDriver, kill: Kill): SqliteDriver {
  const call = <Value>(action: () => Value): Value => {
    if (kill.left === null) return action()
    kill.left -= 1
    if (kill.left > 0) return action()
    kill.left = null
    kill.happen()
    throw new Error('killed')
  }
  const statement = (original: SqliteStatement): SqliteStatement => ({
    run: (...values) => call(() => original.run(...values)),
    get: (...values) => call(() => original.get(...values)),
    all: (...values) => call(() => original.all(...values)),
  })
  return {
    exec: (sql) => call(() => driver.exec(sql)),
    prepare: (sql) => statement(driver.prepare(sql)),
    close: () => driver.close(),
  }
}
