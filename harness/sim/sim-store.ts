/** The store of a run: in memory, or a file that a kill leaves behind and that is opened anew. */
import { rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import type { Context, Store } from 'throughline'
import { memory } from 'throughline/stores/memory'
import { sqlite } from 'throughline/stores/sqlite'
import { type Fault, type FaultyDriver, faultyDriver } from 'throughline/testing'
import { copyDatabase, testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { bytesIn } from '../history/purge-canaries.ts'
import { type StoreBug, storeWithBug } from '../kernel/planted.ts'
import { type Kill, killDriver } from './kill-driver.ts'

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
