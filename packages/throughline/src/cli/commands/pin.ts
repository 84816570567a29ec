/** Pins or unpins a message and lists what is pinned. */
import type { Arguments, Run } from '../command.ts'
import { notDone, type Outcome, type Reply, WrongUsage } from '../ending.ts'
import { askedSpan, onHandle, onStored } from '../find-conversation.ts'
import { safeLine } from '../screen/safe-text.ts'
import type { World } from '../world.ts'

export const pin: Run = (args, world) => changePins(args, world, 'pin')
export const unpin: Run = (args, world) => changePins(args, world, 'unpin')

function changePins(args: Arguments, world: World, how: 'pin' | 'unpin'): Promise<Outcome> {
  const places = args.has('last') ? args.positionals.length : args.positionals.length - 1
  if (how === 'pin' && places === 0)
    return onStored(args, world, async ({ conversation: { id, pins } }) => pinsReply(id, pins))
  return onHandle(args, world, {}, async ({ chat, conversation, rest }) => {
    const span = askedSpan(rest)
    if (span === null || span.to !== span.from + 1)
      throw new WrongUsage(`${how} takes one place, as 12`)
    const changed = await chat[how](span)
    if (!changed.ok)
      return notDone(
        'NOT_FOUND',
        `${safeLine(conversation.id)} has no message #${span.from} that can be pinned (${changed.failure.kind})`,
      )
    return pinsReply(conversation.id, changed.value)
  })
}

function pinsReply(id: string, pins: readonly number[]): Reply {
  const places = pins.map((seq) => `#${seq}`).join(', ')
  return {
    json: { conversation: id, pins },
    lines: () => [pins.length === 0 ? 'Nothing is pinned.' : `Pinned: ${places}`],
  }
}
