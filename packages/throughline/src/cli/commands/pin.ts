/** Pins or unpins a message and lists what is pinned. */
import type { Arguments, Run } from '../command.ts'
import { failWith, type Outcome, type Reply, UsageError } from '../exit-result.ts'
import { parseSpan, withConversation, withHandle } from '../find-conversation.ts'
import { safeLine } from '../screen/safe-text.ts'
import type { World } from '../world.ts'

export const pin: Run = (args, world) => changePins(args, world, 'pin')
export const unpin: Run = (args, world) => changePins(args, world, 'unpin')

function changePins(args: Arguments, world: World, how: 'pin' | 'unpin'): Promise<Outcome> {
  const places = args.has('last') ? args.positionals.length : args.positionals.length - 1
  if (how === 'pin' && places === 0)
    return withConversation(args, world, async ({ conversation: { id, pins } }) =>
      pinsReply(id, pins),
    )
  return withHandle(args, world, {}, async ({ chat, conversation, rest }) => {
    const span = parseSpan(rest)
    if (span === null || span.to !== span.from + 1)
      throw new UsageError(`${how} needs one message number such as 12`)
    const changed = await chat[how](span)
    const { id } = conversation
    if (changed.ok) return pinsReply(id, changed.value)
    const why = changed.failure.kind
    return failWith('NOT_FOUND', `cannot ${how} #${span.from} of ${safeLine(id)} (${why})`)
  })
}

function pinsReply(id: string, pins: readonly number[]): Reply {
  const places = pins.map((seq) => `#${seq}`).join(', ')
  return {
    json: { conversation: id, pins },
    lines: () => [pins.length === 0 ? 'No messages are pinned.' : `Pinned: ${places}`],
  }
}
