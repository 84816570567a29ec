/**
 * The process that is killed: appends turns to a SQLite file and reports each on
 * its standard output once it was acknowledged. Each turn has a key, and the first
 * one after a start is the one that may have been cut off, sent again.
 *
 * With --plant it has a bug, so that the harness can show that it finds bugs:
 *   ack-first   reports a turn before it is written
 *   no-key      sends the turn in doubt again without its key
 *   torn        writes the messages of a turn in a commit each
 * What has to be hit between two steps takes its time there, as on a busy machine.
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

// Who is killed leaves nothing behind: the next writer would compile everything again.
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
