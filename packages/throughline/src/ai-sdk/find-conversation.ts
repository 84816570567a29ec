/**
 * The conversation that a prompt goes on from: the one that was named, or one of its
 * forks. A prompt that goes on from none gets a fork of its own, forked where it
 * parts from the nearest; nothing that was said is ever mixed with something else.
 *
 * Forks are found by their ids (`invoice-7~2`), so a new process finds them too.
 */

import type { ConversationHandle } from '../conversation/handle.ts'
import { defaults } from '../defaults.ts'
import type { Seq } from '../domain/ids.ts'
import { ThroughlineError } from '../errors.ts'
import type { Atom } from './atoms.ts'
import type { KnownLogs } from './known-logs.ts'
import { type Match, matchRecent, matchWhole } from './match.ts'
import type { Settings } from './options.ts'
import type { Stamp } from './stamps.ts'

export interface Found {
  readonly chat: ConversationHandle
  /** The first atom of the prompt that is new. */
  readonly newFrom: number
  /** The place that it will take. */
  readonly head: Seq
}

interface Candidate extends Found {
  readonly match: Match
}

export interface Finder {
  find(id: string, prompt: readonly Atom[]): Promise<Found>
  /** For a prompt whose beginning was made from a conversation: what came behind it. */
  behind(stamp: Stamp, prompt: readonly Atom[]): Promise<Found>
}

const rememberedMax = 1_000
export function createFinder(
  { engine, history, changed }: Pick<Settings<never>, 'engine' | 'history' | 'changed'>,
  logs: KnownLogs,
): Finder {
  // Which fork a conversation was on last. Forgotten, it is found again by looking.
  const forks = new Map<string, string>()

  const candidate = async (id: string, prompt: readonly Atom[]): Promise<Candidate> => {
    const chat = engine.conversation(id)
    const { head, atoms } =
      history === 'whole' ? await logs.whole(chat) : await logs.end(chat, prompt.length)
    const match = history === 'whole' ? matchWhole(atoms, prompt) : matchRecent(atoms, prompt)
    return { chat, head, match, newFrom: match.newFrom }
  }

  const remember = (id: string, { chat, newFrom, head }: Found): Found => {
    forks.delete(id)
    forks.set(id, chat.id)
    if (forks.size > rememberedMax) forks.delete(forks.keys().next().value ?? id)
    return { chat, newFrom, head }
  }

  const numbered = async (parting: Candidate, id: string, numbers: readonly number[]) => {
    if (changed === 'refuse') throw historyChanged(id, parting)
    return forkFrom(parting, id, Math.max(1, ...numbers) + 1)
  }

  return {
    async find(id, prompt) {
      const first = await candidate(forks.get(id) ?? id, prompt)
      if (first.match.kind === 'goes-on') return remember(id, first)
      const numbers = await forkNumbers(engine, id)
      const others = [id, ...numbers.map((number) => forkId(id, number))]
      const candidates: Candidate[] = [first]
      for (const other of others)
        if (other !== first.chat.id) candidates.push(await candidate(other, prompt))
      const going = candidates.filter(({ match }) => match.kind === 'goes-on')
      const found = nearest(going)
      if (found !== null) return remember(id, found)
      const parting = nearest(candidates) ?? first
      return remember(id, await numbered(parting, id, numbers))
    },
    async behind({ conversation, head: from }, prompt) {
      const chat = engine.conversation(conversation)
      const { head, atoms } = await logs.since(chat, from)
      const match = matchWhole(atoms, prompt)
      if (match.kind === 'goes-on') return { chat, head, newFrom: match.newFrom }
      const parting = { chat, head, match, newFrom: match.newFrom }
      return numbered(parting, conversation, await forkNumbers(engine, conversation))
    },
  }
}

function nearest(candidates: readonly Candidate[]): Candidate | null {
  return candidates.reduce<Candidate | null>(
    (best, next) => (best === null || next.newFrom > best.newFrom ? next : best),
    null,
  )
}

function forkId(id: string, number: number): string {
  return `${id}~${number}`
}

const pageSize = 100

/** Of the forks that there are. */
async function forkNumbers(
  engine: Settings<never>['engine'],
  id: string,
): Promise<readonly number[]> {
  const numbers: number[] = []
  const prefix = forkId(id, 0).slice(0, -1)
  for (let after = prefix; ; ) {
    const page = await engine.list({ after, limit: pageSize })
    const ours = page.filter((conversation) => conversation.id.startsWith(prefix))
    for (const conversation of ours) {
      const number = Number(conversation.id.slice(prefix.length))
      if (Number.isSafeInteger(number) && number > 1) numbers.push(number)
    }
    const last = page.at(-1)
    if (last === undefined || ours.length < page.length || page.length < pageSize) return numbers
    after = last.id
  }
}

async function forkFrom(
  { chat, head, match, newFrom }: Candidate,
  id: string,
  number: number,
): Promise<Found> {
  if (match.kind === 'goes-on') return { chat, head, newFrom }
  for (let attempt = 0; attempt < defaults.commitAttempts.value; attempt += 1) {
    const fork = await chat.history.fork(match.at, forkId(id, number + attempt))
    if (fork.ok) return { chat: fork.value, head: match.at, newFrom }
    // Somebody else may have taken the number meanwhile.
    if (fork.failure.kind !== 'exists') break
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" cannot be forked now`)
}

function historyChanged(id: string, { chat, match }: Candidate): ThroughlineError {
  const at = match.kind === 'parts' ? match.at : 0
  return new ThroughlineError(
    'HISTORY_CHANGED',
    `the prompt does not go on from conversation "${id}": it is another one from message #${at} on`,
    { details: { conversation: chat.id, at } },
  )
}
