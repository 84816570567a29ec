/** The process that is killed while it purges; it prints its number of calls if it survives. */
import { writeSync } from 'node:fs'
import { type KilledPurge, killedPurge } from './killed-purge.ts'

const asked = JSON.parse(process.argv[2] ?? '') as KilledPurge
writeSync(1, `${await killedPurge(asked)} calls`)
