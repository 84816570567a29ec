/** Removes a conversation or a message for good. */
import type { PurgeOutcome } from '../../index.ts'
import { loadConversation } from '../../stores/index.ts'
import type { Arguments, Run } from '../command.ts'
import { notDone, type Outcome, type Reply, WrongUsage } from '../ending.ts'
import { type Asked, askedSpan, type FoundHandle, isId, onHandle } from '../find-conversation.ts'
import type { OpenEngine } from '../open-engine.ts'
import { counted } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import type { World } from '../world.ts'

export const purge: Run = (args, world) =>
  onHandle(args, world, { unless }, (found) => removed(found, args, world))

/** Purging again erases what an interrupted purge left of a conversation that is no longer found. */
async function unless({ tl, store }: OpenEngine, { name, rest }: Asked): Promise<Reply | null> {
  if (name === null || !isId(name) || rest.length > 0) return null
  if ((await loadConversation(store, name)) !== null) return null
  const outcome = await tl.conversation(name).history.purge()
  return outcome.kind === 'already-purged' ? report(outcome, safeLine(name), null) : null
}

async function removed(
  { chat, conversation, rest }: FoundHandle,
  args: Arguments,
  world: World,
): Promise<Outcome> {
  const { id, head } = conversation
  const span = askedSpan(rest)
  if (span !== null && span.to !== span.from + 1)
    throw new WrongUsage('purge takes one place, as 12, or none for all of it')
  // With --yes no person confirms the match, so the id must be exact.
  const [name] = args.positionals
  if (args.has('yes') && !args.has('last') && name !== id)
    return notDone('REFUSED', `with --yes purge takes the whole id: ${safeLine(id)}`, { id })
  const what =
    span === null
      ? `${safeLine(id)} with ${counted(head, 'message')}`
      : `message #${span.from} of ${safeLine(id)}`
  if (!args.has('yes') && !(await isWanted(what, world)))
    return notDone('REFUSED', 'nothing was removed')
  const options = { forks: args.has('forks') ? 'purge' : 'refuse' } as const
  const outcome =
    span === null
      ? await chat.history.purge(options)
      : await chat.history.purgeMessage(span, options)
  if (outcome.kind === 'not-found')
    return notDone('NOT_FOUND', `${safeLine(id)} has no message #${span?.from}`)
  if (outcome.kind === 'has-forks') {
    const { forks } = outcome
    const shared = `it is shared by ${forks.map(safeLine).join(', ')}; --forks removes it there too`
    return notDone('REFUSED', shared, { forks })
  }
  return report(outcome, what, span?.from ?? null)
}

async function isWanted(what: string, world: World): Promise<boolean> {
  if (world.ask === null) throw new WrongUsage(`purge asks before, and nobody is here: say --yes`)
  const answer = await world.ask(`Remove ${what} for good? Nothing brings it back. [yes/no] `)
  return /^y(?:es)?$/i.test(answer.trim())
}

type Purged = Extract<PurgeOutcome, { readonly kind: 'purged' | 'already-purged' }>

function report(outcome: Purged, what: string, place: number | null): Reply {
  const { kind, erased, remains } = outcome
  const purged = kind === 'purged' ? outcome.conversations : []
  const inAll = purged.length > 1 ? `, in ${counted(purged.length, 'conversation')}` : ''
  const gone = erased ? '; nothing of it is left in the files' : ''
  const files = remains.map((file) => file.replaceAll('-', ' ')).join(' and the ')
  const left = `Old bytes remain in the ${files}: another process reads them, or the disk is full. Run the same purge again to erase them.`
  return {
    json: { kind, purged, place, erased, remains },
    lines: () => [
      kind === 'purged' ? `Removed ${what}${inAll}.` : `${what} was already purged${gone}.`,
      ...(erased ? [] : [left]),
    ],
  }
}
