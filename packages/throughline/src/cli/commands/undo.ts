/** Takes compactions back. */
import { type Command, typedCommand } from '../command.ts'
import { notDone } from '../ending.ts'
import { lastOption, nothingBehind } from '../find-conversation.ts'
import { onHandle } from '../on-conversation.ts'
import { counted } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'

export const undo: Command = {
  usage: ['undo CONVERSATION [--compactions N]'],
  about: [
    'Nothing is lost by a compaction, so nothing has to be brought back: the context shows what it showed before. None comes by itself afterwards, until throughline compact asks for one or a request would not fit.',
  ],
  options: {
    ...lastOption,
    compactions: { value: 'N', says: 'so many at once; 1 unless set' },
    of: { value: 'MODEL', says: 'of this model; else of the one that was compacted last' },
  },
  settings: ['store', 'tenant'],
  examples: [
    ['undo --last', 'the last compaction of the newest conversation'],
    ['undo invoice-7 --compactions 2', 'the last two at once'],
  ],
  run: (args, world) =>
    onHandle(args, world, async ({ chat, conversation, rest }) => {
      nothingBehind(rest)
      const [compactions, model] = [args.number('compactions') ?? 1, args.text('of')]
      const undone = await chat.history.undo({ compactions, ...(model !== null && { model }) })
      if (!undone.ok) {
        const has = undone.failure.kind === 'fewer' ? undone.failure.compactions : 0
        const which = has === 0 ? 'no compaction' : counted(has, 'compaction')
        return notDone('NOT_FOUND', `${safeLine(conversation.id)} has ${which} that can be undone`)
      }
      const { line, model: of } = undone.value
      return {
        json: { conversation: conversation.id, ...undone.value },
        lines: () => [
          line === 0
            ? `Contexts of ${of} show everything again, as far as it fits.`
            : `Contexts of ${of} show messages from #${line} on again.`,
          `None is compacted by itself until ${typedCommand('compact', world)} asks for it.`,
        ],
      }
    }),
}
