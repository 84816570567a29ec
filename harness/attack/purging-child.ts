/** The process that is killed while it purges; it says so where it was not. */
import { writeSync } from 'node:fs'
import { type KilledPurge, killedPurge } from './killed-purge.ts'

const asked = JSON.parse(process.argv[2] ?? '') as KilledPurge
writeSync(1, `${await killedPurge(asked)} calls`)
