/** Shows the messages of a conversation. */
import type { Span } from '../../index.ts'
import { storedMessages } from '../../toolkit/index.ts'
import type { Run } from '../command.ts'
import { done, failWith } from '../exit-result.ts'
import { parseSpan, withConversation } from '../find-conversation.ts'
import { heading } from '../screen/labelled.ts'
import { messageLines } from '../screen/message-lines.ts'
import { counted } from '../screen/numbers.ts'
import { jsonText, safeLine } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { Output } from '../world.ts'

export const show: Run = (args, world) =>
  withConversation(args, world, async ({ store, conversation, rest }) => {
    const { head, id, pins } = conversation
    const first = args.has('all') ? 0 : Math.max(0, head - newestShown)
    const span = parseSpan(rest) ?? { from: first, to: head }
    const last = `the last message of ${safeLine(id)} is #${head - 1}`
    if (span.from >= head && head > 0)
      return failWith('NOT_FOUND', `no message #${span.from}; ${last}`)
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
  })

const newestShown = 10
const linesShown = 6

function shownOf(head: number, { from, to }: Span, output: Output): string {
  const shown = from === 0 && to >= head ? '' : `, #${from} to #${Math.min(to, head) - 1} shown`
  return styleOf(output).dim(`${counted(head, 'message')}${shown}`)
}
