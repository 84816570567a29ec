/** Searches a conversation. */
import type { RecalledPiece } from '../../domain/recalled.ts'
import type { Command } from '../command.ts'
import { done, notDone, WrongUsage } from '../ending.ts'
import { lastOption } from '../find-conversation.ts'
import { onHandle } from '../on-conversation.ts'
import { wrap } from '../screen/cells.ts'
import { heading } from '../screen/heading.ts'
import { paintOf } from '../screen/paint.ts'
import { recalledLines } from '../screen/recalled-lines.ts'
import { safeLine, safeText } from '../screen/safe-text.ts'
import { signsOf } from '../screen/signs.ts'
import { tell } from '../screen/tell.ts'
import { momentOf } from '../screen/times.ts'
import type { World } from '../world.ts'

export const recall: Command = {
  name: 'recall',
  summary: 'finds what was said on something, and where',
  usage: ['recall CONVERSATION WORDS…', 'recall --last WORDS…'],
  about: ['Any text is a question. The best comes first, with its place: expand shows more of it.'],
  options: {
    ...lastOption,
    limit: { value: 'N', says: 'so many pieces at most; 5 unless set' },
    tokens: { value: 'N', says: 'so many tokens of them at most; 2000 unless set' },
    full: { says: 'pieces whole; otherwise the lines that matter' },
  },
  settings: ['store', 'tenant', 'tokenizer'],
  examples: [
    { command: 'recall --last which port did we choose', shows: 'what was said on it' },
    { command: 'recall invoice-7 "terms.pdf" --limit 3', shows: 'the three best pieces' },
  ],
  run: (args, world) =>
    onHandle(
      args,
      world,
      async ({ chat, conversation, rest }) => {
        const query = rest.join(' ')
        if (query.trim() === '') throw new WrongUsage('say what is to be found')
        const [limit, tokens] = [args.number('limit') ?? piecesShown, args.number('tokens')]
        const { pieces } = await chat.recall(query, {
          limit,
          ...(tokens !== null && { tokens }),
        })
        if (pieces.length === 0)
          return notDone('NOT_FOUND', `nothing in ${safeLine(conversation.id)} on "${query}"`)
        const { stdout } = world
        const shorten = args.has('full')
          ? null
          : (text: string) => recalledLines(text, query, stdout)
        await tell(args, world, {
          json: { conversation: conversation.id, query, pieces },
          lines: () => [
            heading(conversation, stdout),
            ...pieces.flatMap((piece) => ['', ...pieceLines(piece, shorten, world)]),
          ],
        })
        return done
      },
      { readsAnyway: true },
    ),
}

const piecesShown = 5

function pieceLines(
  { anchor, kind, at, text }: RecalledPiece,
  shorten: ((text: string) => readonly string[]) | null,
  { stdout }: World,
): readonly string[] {
  const { bold, dim } = paintOf(stdout)
  const { dot } = signsOf(stdout)
  const notes = [
    ...(kind === 'entry' ? ['ledger'] : kind === 'summary' ? ['summary'] : []),
    ...(at === null ? [] : [momentOf(at)]),
  ]
  const lines = shorten?.(text) ?? wrap(safeText(text).trimEnd(), stdout.width - 2)
  return [
    `${bold(anchor)} ${dim(notes.join(` ${dot} `))}`.trimEnd(),
    ...lines.map((line) => `  ${line}`.trimEnd()),
  ]
}
