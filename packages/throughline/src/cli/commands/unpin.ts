/** Shows a message only as long as there is room for it. */
import type { Command } from '../command.ts'
import { lastOption } from '../find-conversation.ts'
import { runPin } from '../run-pin.ts'

export const unpin: Command = {
  name: 'unpin',
  summary: 'lets a message go that was pinned',
  usage: ['unpin CONVERSATION PLACE'],
  options: lastOption,
  settings: ['store', 'tenant'],
  examples: [
    { command: 'unpin invoice-7 12', shows: 'message #12 is a message as others are' },
    { command: 'unpin --last 0', shows: 'the first message of the newest conversation' },
  ],
  run: (args, world) => runPin(args, world, 'unpin'),
}
