/**
 * The conversation of a transcript that is replayed: the one that is named, or the longest. Only
 * that one is held in memory, so the transcript is read twice: to count, and to read.
 */

import type { MessageInput } from '../../domain/message-input.ts'
import { redactSecrets } from '../../extract/redact-secrets.ts'
import type { TranscriptConversation, TranscriptItem } from '../../transcripts/index.ts'
import { type Ending, notDone } from '../ending.ts'
import { counted } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import {
  type RecordedConversation,
  recordedConversation,
} from '../simulation/recorded-conversation.ts'

export interface ReplayedConversation extends RecordedConversation {
  readonly title: string | null
  /** Where work was done; paths are told relative to it. */
  readonly workingFolder: string
  /** Messages before the first, which are its system prompt. */
  readonly prompts: number
  /** Other conversations of the transcript. */
  readonly others: number
}

/** Reads the transcript from its beginning. */
export type ReadItems = () => AsyncIterable<TranscriptItem>

export type FoundConversation =
  | { readonly kind: 'found'; readonly conversation: ReplayedConversation }
  | { readonly kind: 'ended'; readonly ending: Ending }

export async function replayedConversation(
  read: ReadItems,
  name: string | null,
): Promise<FoundConversation> {
  const all = await countedIn(read())
  const found = name === null ? longest(all) : named(all, name)
  if ('exitCode' in found) return { kind: 'ended', ending: found }
  const messages: MessageInput[] = []
  for await (const item of read())
    if (item.kind === 'message' && item.conversationId === found.id) messages.push(item.message)
  const folder = found.begun?.meta?.['cwd']
  const recorded = recordedConversation(found.id, messages, found.begun)
  return {
    kind: 'found',
    conversation: {
      ...recorded,
      prompts: messages.length - recorded.messages.length,
      title: found.begun?.title ? redactSecrets(found.begun.title).text : null,
      workingFolder: typeof folder === 'string' ? folder : '',
      others: all.length - 1,
    },
  }
}

interface Counted {
  readonly id: string
  begun: TranscriptConversation | null
  messages: number
}

async function countedIn(items: AsyncIterable<TranscriptItem>): Promise<readonly Counted[]> {
  const found = new Map<string, Counted>()
  const of = (id: string): Counted => {
    const known = found.get(id) ?? { id, begun: null, messages: 0 }
    found.set(id, known)
    return known
  }
  for await (const item of items) {
    if (item.kind === 'conversation') of(item.id).begun = item
    if (item.kind === 'message') of(item.conversationId).messages += 1
  }
  return [...found.values()].filter(({ messages }) => messages > 0)
}

function longest(all: readonly Counted[]): Counted | Ending {
  const [most] = all.toSorted((left, right) => right.messages - left.messages)
  return most ?? notDone('NOT_FOUND', 'there is no message in it')
}

function named(all: readonly Counted[], name: string): Counted | Ending {
  const exact = all.find(({ id }) => id === name)
  if (exact !== undefined) return exact
  const wanted = name.toLowerCase()
  const candidates = all.filter(({ id, begun }) =>
    `${id}\n${begun?.title ?? ''}`.toLowerCase().includes(wanted),
  )
  const [only] = candidates
  if (only === undefined)
    return notDone(
      'NOT_FOUND',
      `none of ${counted(all.length, 'conversation')} is called "${name}"`,
    )
  if (candidates.length === 1) return only
  const shown = candidates.slice(0, candidatesShown).map(({ id }) => `  ${safeLine(id)}`)
  return notDone('AMBIGUOUS', `"${name}" may be one of ${candidates.length}:\n${shown.join('\n')}`)
}

const candidatesShown = 10
