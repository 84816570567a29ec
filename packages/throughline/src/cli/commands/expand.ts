/** Opens what stands behind an anchor, word for word. */
import { isThroughlineError } from '../../errors.ts'
import type { ExpandedPiece, Message } from '../../index.ts'
import { type Command, typedCommand } from '../command.ts'
import { notDone, WrongUsage } from '../ending.ts'
import { lastOption, onHandle } from '../find-conversation.ts'
import { wrap } from '../screen/cells.ts'
import { messageHeading } from '../screen/message-lines.ts'
import { safeText, shellWord } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { Output } from '../world.ts'

export const expand: Command = {
  usage: ['expand CONVERSATION PLACES'],
  about: [
    'Places are as a context or a search shows them: 412, 3-17, or several, "3, 17-19". A shell takes # for a comment, so it may be left out. The id of a summary opens what it told.',
  ],
  options: {
    ...lastOption,
    limit: { value: 'N', says: 'so many messages at most; 20 unless set' },
    tokens: { value: 'N', says: 'so many tokens at most' },
  },
  settings: ['store', 'tenant', 'tokenizer'],
  examples: [
    ['expand --last 12', 'message #12, whole'],
    ['expand invoice-7 "3, 17-19"', 'four messages'],
    ['expand invoice-7 412+8000 --tokens 2000', 'message #412 from a character on'],
  ],
  run: (args, world) =>
    onHandle(
      args,
      world,
      async ({ chat, conversation, rest }) => {
        const anchor = anchorIn(rest)
        const [limit, tokens] = [args.number('limit'), args.number('tokens')]
        const options = { ...(limit !== null && { limit }), ...(tokens !== null && { tokens }) }
        const page = await chat.expand(anchor, options).catch((error: unknown) => {
          if (!isThroughlineError(error) || error.code !== 'SPAN_INVALID') throw error
          throw new WrongUsage(`"${anchor}" names no place; places are as 12, 3-17 or "3, 17-19"`)
        })
        if (page === null)
          return notDone(
            'NOT_FOUND',
            `nothing stands at ${anchor}; the last message is #${conversation.head - 1}`,
          )
        return {
          json: { conversation: conversation.id, ...page },
          lines: () => [
            ...page.pieces.flatMap((piece, index) => [
              ...(index === 0 ? [] : ['']),
              ...pieceLines(piece, page.messages, world.stdout),
            ]),
            ...(page.next === null
              ? []
              : [
                  '',
                  styleOf(world.stdout).dim(
                    `It goes on: ${typedCommand(`expand ${shellWord(conversation.id)} "${page.next}"`, world)}`,
                  ),
                ]),
          ],
        }
      },
      { readsAnyway: true },
    ),
}

function pieceLines(
  { seq, character, text }: ExpandedPiece,
  messages: readonly Message[],
  output: Output,
): readonly string[] {
  const message = messages.find((each) => each.seq === seq)
  const from = character === 0 ? '' : ` from character ${character} on`
  return [
    ...(message === undefined
      ? []
      : [`${messageHeading(message, { pinned: false }, output)}${from}`]),
    ...wrap(safeText(text).trimEnd(), output.width - 2).map((line) => `  ${line}`.trimEnd()),
  ]
}

/** `3, 17-19` means `#3, #17-#19`. */
function anchorIn(words: readonly string[]): string {
  const text = words.join(' ').trim()
  if (text === '') throw new WrongUsage('name a place, as 12 or 3-17')
  if (/^[0-9a-f]{32}$/.test(text)) return text
  return text.replace(/(^|[,;\s])(?=\d)/g, '$1#')
}
