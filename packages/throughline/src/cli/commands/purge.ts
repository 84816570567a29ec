/** Deletes a conversation or a message permanently. */
import type { PurgeOutcome } from '../../index.ts'
import { loadConversation } from '../../stores/index.ts'
import type { Run } from '../command.ts'
import { failWith, type Reply, UsageError } from '../exit-result.ts'
import { type ConversationWords, isId, parseSpan, withHandle } from '../find-conversation.ts'
import type { OpenEngine } from '../open-engine.ts'
import { counted } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import type { World } from '../world.ts'

export const purge: Run = (args, world) =>
  withHandle(args, world, { unless }, async ({ chat, conversation, rest }) => {
    const { id, head } = conversation
    const span = parseSpan(rest)
    const usage = 'purge needs one message number such as 12, or none for the whole conversation'
    if (span !== null && span.to !== span.from + 1) throw new UsageError(usage)
    // With --yes no one confirms which conversation is meant, so the id must be exact.
    const [name] = args.positionals
    if (args.has('yes') && !args.has('last') && name !== id)
      return failWith('REFUSED', `purge --yes needs the whole id: ${safeLine(id)}`, { id })
    const what =
      span === null
        ? `${safeLine(id)} with ${counted(head, 'message')}`
        : `message #${span.from} of ${safeLine(id)}`
    if (!args.has('yes') && !(await isConfirmed(what, world)))
      return failWith('REFUSED', 'nothing was deleted')
    const options = { forks: args.has('forks') ? 'purge' : 'refuse' } as const
    const outcome =
      span === null
        ? await chat.history.purge(options)
        : await chat.history.purgeMessage(span, options)
    if (outcome.kind === 'not-found')
      return failWith('NOT_FOUND', `${safeLine(id)} has no message #${span?.from}`)
    if (outcome.kind === 'has-forks') {
      const { forks } = outcome
      const shared = `forks share these messages: ${forks.map(safeLine).join(', ')}; --forks deletes them there too`
      return failWith('REFUSED', shared, { forks })
    }
    return report(outcome, what, span?.from ?? null)
  })

/** Erases the rest of an interrupted purge, whose conversation is no longer in the list. */
async function unless({ tl, store }: OpenEngine, { name, rest }: ConversationWords) {
  if (name === null || !isId(name) || rest.length > 0) return null
  if ((await loadConversation(store, name)) !== null) return null
  const outcome = await tl.conversation(name).history.purge()
  return outcome.kind === 'already-purged' ? report(outcome, safeLine(name), null) : null
}

async function isConfirmed(what: string, world: World): Promise<boolean> {
  if (world.ask === null)
    throw new UsageError('purge asks for confirmation, and this is not a terminal; add --yes')
  const answer = await world.ask(`Delete ${what} permanently? This cannot be undone. [yes/no] `)
  return /^y(?:es)?$/i.test(answer.trim())
}

type Purged = Extract<PurgeOutcome, { readonly kind: 'purged' | 'already-purged' }>

function report(outcome: Purged, what: string, place: number | null): Reply {
  const { kind, erased, remains } = outcome
  const purged = kind === 'purged' ? outcome.conversations : []
  const inAll = purged.length > 1 ? `, in ${counted(purged.length, 'conversation')}` : ''
  const gone = erased ? '; no bytes of it are left in the files' : ''
  const files = remains.map((file) => file.replaceAll('-', ' ')).join(' and the ')
  const left = `Old bytes remain in the ${files}: another process is reading them, or the disk is full. Run the same purge again to erase them.`
  return {
    json: { kind, purged, place, erased, remains },
    lines: () => [
      kind === 'purged' ? `Deleted ${what}${inAll}.` : `${what} was already purged${gone}.`,
      ...(erased ? [] : [left]),
    ],
  }
}
