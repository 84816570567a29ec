/**
 * The process that is killed: appends turns to a SQLite file and prints each turn once the store has
 * acknowledged it. Each turn has a key. The first turn after a start may have been cut off by the
 * kill, so the writer sends it again.
 *
 * With --plant it has a bug, which the harness must find:
 *   ack-first   reports a turn before it is written
 *   no-key      sends the unacknowledged turn again without its key
 *   torn        writes each message of a turn in a separate commit
 * Planted bugs pause between their two steps, as on a busy machine, so that a kill can hit them.
 */
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { setTimeout } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createThroughline, type MessageInput } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'

const { values } = parseArgs({
  options: {
    file: { type: 'string', default: '' },
    from: { type: 'string', default: '0' },
    plant: { type: 'string', default: '' },
  },
})

// A killed process saves no compile cache, so each writer would compile everything again.
flushCompileCache()

const busyMs = 5
const tl = createThroughline({ store: sqlite(values.file) })
const chats = ['left', 'right'].map((id) => tl.conversation(id))

for (let turn = Number(values.from); ; turn += 1) {
  const chat = chats[turn % chats.length] ?? tl.conversation('left')
  const batch = turnMessages(turn)
  const inDoubt = turn === Number(values.from)
  if (values.plant === 'ack-first') acknowledge(turn)
  if (values.plant === 'torn')
    for (const [index, message] of batch.entries()) {
      await chat.append(message, { key: index === 0 ? `turn-${turn}` : `turn-${turn} +${index}` })
      await setTimeout(busyMs)
    }
  else await chat.append(batch, values.plant === 'no-key' && inDoubt ? {} : { key: `turn-${turn}` })
  if (values.plant === 'no-key') await setTimeout(busyMs)
  if (values.plant !== 'ack-first') acknowledge(turn)
}

function acknowledge(turn: number): void {
  writeSync(1, `${turn}\n`)
}

function turnMessages(turn: number): readonly MessageInput[] {
  const callId = `call-${turn}`
  return [
    { role: 'user', content: `turn ${turn} asks` },
    {
      role: 'assistant',
      content: [
        {
          type: 'tool-call',
          callId,
          name: 'read',
          input: { turn, text: 'x'.repeat(turn % 3_000) },
        },
      ],
    },
    { role: 'tool', content: [{ type: 'tool-result', callId, output: `turn ${turn} answers` }] },
  ]
}
