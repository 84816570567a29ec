/** The store of a run: in memory, or a file that a kill leaves behind and that is opened anew. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { type Context, type Store, ThroughlineError } from 'throughline'
import type { TenantStore } from 'throughline/stores'
import { memory } from 'throughline/stores/memory'
import { type SqliteDriver, type SqliteStatement, sqlite } from 'throughline/stores/sqlite'
import { type Fault, type FaultyDriver, faultyDriver } from 'throughline/testing'
import { copyDatabase, testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { bytesIn } from '../history/purge-canaries.ts'
import type { Chance } from '../kernel/chance.ts'
import { type StoreBug, storeWithBug } from '../kernel/planted.ts'
import type { Schedule } from './stage.ts'

/** A bug that is put in, to see that seeds find it. */
export interface Planted {
  /** Commands of the store, replaced: for engines and for whoever looks. */
  readonly store?: StoreBug
  /** An engine that hands out another context than it has made. */
  readonly context?: (context: Context) => Context
  /** A kill takes along what is in the log beside the file. */
  readonly losesLog?: boolean
}

const sound: StoreBug = () => ({})

export interface SimStore {
  /** For an engine of its own connection. */
  open(): Store
  /** For whoever looks from outside. */
  looking(): Store
  /** The process is to be killed in the so many-th call of the database from now; null: not any more. */
  killIn(calls: number | null, killed: () => void): void
  /** One of the next calls of the database fails; null: none does any more. Nothing in memory. */
  failWith(fault: Fault | null): void
  /** Whether one has failed since. */
  hasFailed(): boolean
  /** The process is gone: what follows is opened from what it left. */
  kill(): void
  /** Every byte of the file and of those beside it; null in memory. */
  bytes(): Buffer | null
  close(): Promise<void>
}

export function simStore(kind: 'memory' | 'sqlite', planted: Planted): SimStore {
  return kind === 'memory' ? inMemory(planted) : inFile(planted)
}

function inMemory(planted: Planted): SimStore {
  const one = storeWithBug(planted.store ?? sound)(memory())
  return {
    open: () => one,
    looking: () => one,
    killIn: () => {},
    failWith: () => {},
    hasFailed: () => false,
    kill: () => {},
    bytes: () => null,
    close: () => one.close(),
  }
}

function inFile(planted: Planted): SimStore {
  const folder = testFolder()
  const plant = storeWithBug(planted.store ?? sound)
  let generation = 0
  const opened: Store[] = []
  let looks: Store | null = null
  let drivers: FaultyDriver[] = []
  let killed = () => {}
  const fileOf = (number: number) => folder.file(`sim-${number}.db`)
  /** As a kill leaves it: what was written is there, and nobody has tidied up. */
  const leave = () => {
    copyDatabase(fileOf(generation), fileOf(generation + 1))
    if (planted.losesLog === true) rmSync(`${fileOf(generation + 1)}-wal`, { force: true })
    // The shared index is of a process that is gone.
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
    // Nobody is killed while a file is opened: there is nobody yet.
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

/** A store whose every command waits to be drawn, and may fail before it is done or behind it. */
interface Staging {
  /** Named in the schedule. */
  readonly name: string
  readonly schedule: Schedule
  readonly chance: Chance
  /** Once in so many commands one fails; 0 for never. */
  readonly failsInTimes: number
  /** Whether the engine of it is gone: from then on nothing of it goes on. */
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
  const { name: engine, schedule, chance, failsInTimes, isGone, failed } = staging
  const drawn = async (label: string) => {
    await schedule.wait(`${engine} ${label}`)
    if (isGone()) await never
  }
  const unlessGone = async (work: () => Promise<unknown>): Promise<unknown> => {
    try {
      return await work()
    } finally {
      // Killed within it: nobody hears how it ended.
      if (isGone()) await never
    }
  }
  // All commands of a store are functions that promise something.
  return new Proxy(store, {
    get: (target, name) => {
      const label = String(name)
      const command = Reflect.get(target, name) as (...given: readonly unknown[]) => unknown
      return async (...given: readonly unknown[]) => {
        await drawn(label)
        const fails = failsInTimes > 0 && chance.once(failsInTimes)
        const isBefore = fails && chance.once(2)
        if (isBefore) throw broken(`before ${label}`, failed)
        const outcome = await unlessGone(async () => command.apply(target, [...given]))
        if (fails) throw broken(`behind ${label}`, failed)
        return outcome
      }
    },
  })
}

function broken(what: string, failed: (what: string) => void): ThroughlineError {
  failed(what)
  return new ThroughlineError('STORE_FAILED', `put in: ${what}`)
}

/** A SQLite driver during whose calls a process may be killed: in the middle of a transaction too. */
interface Kill {
  /** How many calls of any connection are left; null where nobody is killed. */
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
  const statement = (sound: SqliteStatement): SqliteStatement => ({
    run: (...values) => call(() => sound.run(...values)),
    get: (...values) => call(() => sound.get(...values)),
    all: (...values) => call(() => sound.all(...values)),
  })
  return {
    exec: (sql) => call(() => driver.exec(sql)),
    prepare: (sql) => statement(driver.prepare(sql)),
    close: () => driver.close(),
  }
}
