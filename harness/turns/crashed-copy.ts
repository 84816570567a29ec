/** A database as a crash may leave it: the file and its log as they are now, or the log cut off. */
import { existsSync, readFileSync, rmSync, statSync, truncateSync } from 'node:fs'
import { copyDatabase } from '../../packages/throughline/test/stores/sqlite-file.ts'
import type { Chance } from '../kernel/chance.ts'

export function crashedCopy(file: string, copy: string, chance: Chance): string {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${copy}${suffix}`, { force: true })
  copyDatabase(file, copy)
  const log = `${copy}-wal`
  if (existsSync(log) && chance.once(2)) {
    const { size } = statSync(log)
    const least = Math.max(Math.floor(size / 2), syncedBytes(log, `${copy}-shm`))
    if (least < size) truncateSync(log, chance.between(least, size))
  }
  // The shared index is of a process that is gone.
  rmSync(`${copy}-shm`, { force: true })
  return copy
}

const logHeader = 32
const frameHeader = 24
/** Where the index says how many frames of the log were written into the file. */
const backfilledAt = 96

/** What was written into the file had reached the disk in the log before: no crash takes it away. */
function syncedBytes(log: string, index: string): number {
  const header = readFileSync(log).subarray(0, logHeader)
  if (header.length < logHeader || !existsSync(index)) return 0
  const frames = readFileSync(index).readUInt32LE(backfilledAt)
  return logHeader + frames * (frameHeader + header.readUInt32BE(8))
}
