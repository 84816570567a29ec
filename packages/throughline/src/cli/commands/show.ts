/** The messages of a conversation, as they stand in the log. */
import type { Span } from '../../index.ts'
import { storedMessages } from '../../toolkit/index.ts'
import type { Command } from '../command.ts'
import { done, notDone } from '../ending.ts'
import { askedSpan, lastOption, onStored } from '../find-conversation.ts'
import { heading } from '../screen/labelled.ts'
import { messageLines } from '../screen/message-lines.ts'
import { counted } from '../screen/numbers.ts'
import { jsonText, safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { Output } from '../world.ts'

export const show: Command = {
  usage: ['show CONVERSATION [PLACE | FROM-TO] [--full]', 'show --last'],
  about: [
    'Without a place, the newest ten. Long messages are shortened; --full shows them whole. With --json there is a line for each message.',
  ],
  options: {
    ...lastOption,
    all: { says: 'every message' },
    full: { says: 'messages whole, however long' },
    lines: { value: 'N', says: 'lines of each message at most; 6 unless set' },
  },
  examples: [
    ['show --last', 'the end of the conversation that was talked in last'],
    ['show invoice-7 12', 'message #12 of the conversation whose name fits'],
    ['show invoice-7 0-20 --full', 'the first twenty-one, whole'],
  ],
  run: (args, world) =>
    onStored(args, world, async ({ store, conversation, rest }) => {
      const { head, id, pins } = conversation
      const first = args.has('all') ? 0 : Math.max(0, head - newestShown)
      const span = askedSpan(rest) ?? { from: first, to: head }
      if (span.from >= head && head > 0)
        return notDone('NOT_FOUND', `${safeLine(id)} ends with #${head - 1}`)
      const most = args.has('full') ? null : (args.number('lines') ?? linesShown)
      const { stdout, signal } = world
      if (!args.json)
        await stdout.write(`${heading(conversation, stdout)}\n${shownOf(head, span, stdout)}\n`)
      for await (const message of storedMessages(store, conversation, span)) {
        signal.throwIfAborted()
        const pinned = pins.includes(message.seq)
        await stdout.write(
          args.json
            ? `${jsonText(message)}\n`
            : `\n${messageLines(message, { most, pinned }, stdout).join('\n')}\n`,
        )
      }
      return done
    }),
}

const newestShown = 10
const linesShown = 6

function shownOf(head: number, { from, to }: Span, output: Output): string {
  const shown = from === 0 && to >= head ? '' : `, #${from} to #${Math.min(to, head) - 1} shown`
  return styleOf(output).dim(`${counted(head, 'message')}${shown}`)
}
