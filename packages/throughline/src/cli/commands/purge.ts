/** Removes a conversation or a message for good. */
import { askedSpan } from '../asked-span.ts'
import type { Command } from '../command.ts'
import { done, notDone, WrongUsage } from '../ending.ts'
import { lastOption } from '../find-conversation.ts'
import { onHandle } from '../on-conversation.ts'
import { counted } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { tell } from '../screen/tell.ts'

export const purge: Command = {
  name: 'purge',
  summary: 'removes a conversation or a message for good',
  usage: ['purge CONVERSATION', 'purge CONVERSATION PLACE'],
  about: [
    'The only command that loses anything: the messages, their files, and all that was derived from them are overwritten. With a conversation go the children that it has started. Asks before, unless --yes is said; then a part of a name will not do.',
  ],
  options: {
    ...lastOption,
    yes: { short: 'y', says: 'do not ask' },
    forks: { says: 'also from conversations that share the messages; otherwise refused' },
  },
  settings: ['store', 'tenant'],
  examples: [
    { command: 'purge invoice-7', shows: 'asks, and then removes all of it' },
    { command: 'purge invoice-7 12 --yes', shows: 'one message, without asking' },
  ],
  run: (args, world) =>
    onHandle(args, world, async ({ chat, conversation, rest }) => {
      const { id, head } = conversation
      const span = askedSpan(rest)
      if (span !== null && span.to !== span.from + 1)
        throw new WrongUsage('purge takes one place, as 12, or none for all of it')
      // Nobody is asked whether the right one was found, so there is nothing to be found.
      const [name] = args.positionals
      if (args.has('yes') && !args.has('last') && name !== id)
        return notDone('REFUSED', `with --yes purge takes the whole id: ${safeLine(id)}`, { id })
      const what =
        span === null
          ? `${safeLine(id)} with ${counted(head, 'message')}`
          : `message #${span.from} of ${safeLine(id)}`
      if (!args.has('yes')) {
        if (world.ask === null)
          throw new WrongUsage(`purge asks before, and nobody is here: say --yes`)
        const answer = await world.ask(`Remove ${what} for good? Nothing brings it back. [yes/no] `)
        if (!/^y(?:es)?$/i.test(answer.trim())) return notDone('REFUSED', 'nothing was removed')
      }
      const options = { forks: args.has('forks') ? 'purge' : 'refuse' } as const
      const outcome =
        span === null
          ? await chat.history.purge(options)
          : await chat.history.purgeMessage(span, options)
      if (outcome.kind === 'not-found')
        return notDone('NOT_FOUND', `${safeLine(id)} has no message #${span?.from}`)
      if (outcome.kind === 'has-forks')
        return notDone(
          'REFUSED',
          `it is shared by ${outcome.forks.map(safeLine).join(', ')}; --forks removes it there too`,
          { forks: outcome.forks },
        )
      const { conversations, erased } = outcome
      await tell(args, world, {
        json: { purged: conversations, place: span?.from ?? null, erased },
        lines: () => [
          `Removed ${what}${conversations.length > 1 ? `, in ${counted(conversations.length, 'conversation')}` : ''}.`,
          ...(erased
            ? []
            : [
                'Another process keeps old pages of the file alive: the next purge overwrites them.',
              ]),
        ],
      })
      return done
    }),
}
