/** Pins a message or lets it go, and tells what is pinned then. */
import type { Arguments, Command } from '../command.ts'
import { notDone, type Outcome, type Reply, WrongUsage } from '../ending.ts'
import { askedSpan, lastOption, onHandle, onStored } from '../find-conversation.ts'
import { safeLine } from '../screen/safe-text.ts'
import type { World } from '../world.ts'

export function runPin(args: Arguments, world: World, how: 'pin' | 'unpin'): Promise<Outcome> {
  const places = args.has('last') ? args.positionals.length : args.positionals.length - 1
  if (how === 'pin' && places === 0)
    return onStored(args, world, async ({ conversation: { id, pins } }) => pinsReply(id, pins))
  return onHandle(args, world, async ({ chat, conversation, rest }) => {
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

/** Shows a message always. */
export const pin: Command = {
  usage: ['pin CONVERSATION PLACE', 'pin CONVERSATION'],
  about: ['Without a place, the pins that there are. What is pinned is never shortened.'],
  options: lastOption,
  examples: [
    ['pin invoice-7 12', 'message #12 stays in sight from now on'],
    ['pin --last', 'what is pinned'],
  ],
  run: (args, world) => runPin(args, world, 'pin'),
}

/** Shows a message only as long as there is room for it. */
export const unpin: Command = {
  usage: ['unpin CONVERSATION PLACE'],
  options: lastOption,
  examples: [
    ['unpin invoice-7 12', 'message #12 is a message as others are'],
    ['unpin --last 0', 'the first message of the newest conversation'],
  ],
  run: (args, world) => runPin(args, world, 'unpin'),
}
