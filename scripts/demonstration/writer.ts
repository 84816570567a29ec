/** Appends turns until it is killed, and reports each one that was acknowledged. */
import { writeSync } from 'node:fs'
import { createThroughline } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import { turnOf } from './session.ts'

const chat = createThroughline({ store: sqlite(process.argv[2] ?? '') }).conversation('killed')
for (let turn = 0; ; turn += 1) {
  const { head } = await chat.append(turnOf(turn), { key: `turn-${turn}` })
  writeSync(1, `${head}\n`)
}
