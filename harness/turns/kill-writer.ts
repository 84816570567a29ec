/** The process to kill: it stores turns in a SQLite file and reports each after its commit. */
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { parseArgs } from 'node:util'
import { sqlite } from 'throughline/stores/sqlite'
import { killedPlay } from './killed-play.ts'

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    seed: { type: 'string', default: '1' },
    /** How many turns are known to be stored. */
    kept: { type: 'string', default: '0' },
    bug: { type: 'string', default: '' },
  },
})

// A killed process writes no compile cache, so the next writer would compile everything again.
flushCompileCache()

const kept = Number(values.kept)
const play = killedPlay(sqlite(values.file), Number(values.seed), values.bug)
for (let turn = 0; ; ) {
  if (values.bug === 'ack-first' && turn >= kept) writeSync(1, `${turn + 1}\n`)
  turn = await play.next(turn < kept)
  if (turn > kept && values.bug !== 'ack-first') writeSync(1, `${turn}\n`)
}
