/** Shows a message always. */
import type { Command } from '../command.ts'
import { lastOption } from '../find-conversation.ts'
import { runPin } from '../run-pin.ts'

export const pin: Command = {
  name: 'pin',
  summary: 'shows a message in every context, word for word',
  usage: ['pin CONVERSATION PLACE', 'pin CONVERSATION'],
  about: ['Without a place, the pins that there are. What is pinned is never shortened.'],
  options: lastOption,
  settings: ['store', 'tenant'],
  examples: [
    { command: 'pin invoice-7 12', shows: 'message #12 stays in sight from now on' },
    { command: 'pin --last', shows: 'what is pinned' },
  ],
  run: (args, world) => runPin(args, world, 'pin'),
}
