/** The source of a replay: a file, stdin, or a conversation of the store. */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isThroughlineError } from '../../errors.ts'
import type { MessageInput } from '../../index.ts'
import { redactSecrets } from '../../toolkit/index.ts'
import {
  readTranscript,
  type TranscriptConversation,
  type TranscriptItem,
} from '../../transcripts/index.ts'
import { type Arguments, typedCommand } from '../command.ts'
import { type Ending, notDone, Unreadable, WrongUsage } from '../ending.ts'
import { exportLines } from '../export-formats.ts'
import { findConversation } from '../find-conversation.ts'
import { refuseNamedPipe, unreadableText } from '../import/transcript-sources.ts'
import { isStoreThere, withStore } from '../open-store.ts'
import { counted } from '../screen/numbers.ts'
import { safeLine } from '../screen/safe-text.ts'
import { readSettings } from '../settings/read-settings.ts'
import {
  type RecordedConversation,
  recordedConversation,
} from '../simulation/recorded-conversation.ts'
import type { World } from '../world.ts'

/** `folder` is for temporary files. */
export async function findReplayed(
  args: Arguments,
  world: World,
  folder: string,
): Promise<ReplayedConversation | Ending> {
  const [name, part = null, extra] = args.positionals
  if (args.has('last')) return stored(args, world, null)
  if (name === undefined)
    throw new WrongUsage('name a file or a conversation, or say --last; - is what is piped in')
  if (extra !== undefined) throw new WrongUsage(`one conversation at a time, not also "${extra}"`)
  const keep = async (piped: AsyncIterable<Uint8Array>, label: string) => {
    // It is read twice.
    const file = join(folder, 'piped-in')
    await pipeline(piped, createWriteStream(file, { mode: 0o600 }), { signal: world.signal })
    return replayedConversation(itemsOf(file, label, world), part)
  }
  if (name === '-') return keep(world.stdin, 'stdin')
  const path = resolve(world.cwd, name)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new WrongUsage(`"${name}" is a folder: name a file in it`)
  if (found !== undefined) refuseNamedPipe(name, path, found)
  if (found?.isFIFO()) return keep(createReadStream(path), basename(path))
  if (found !== undefined) return replayedConversation(itemsOf(path, basename(path), world), part)
  if (part !== null) return notDone('NOT_FOUND', `there is no file "${name}"`)
  return stored(args, world, name)
}

function itemsOf(path: string, name: string, world: World): ReadItems {
  return async function* () {
    try {
      yield* readTranscript(createReadStream(path, { signal: world.signal }), { name })
    } catch (error) {
      if (!isThroughlineError(error) || error.code !== 'TRANSCRIPT_UNREADABLE') throw error
      const named = `${typedCommand('import FILE --format NAME', world)} says which it is`
      throw new Unreadable(unreadableText(error.message, { name, label: name }, named))
    }
  }
}

async function stored(
  args: Arguments,
  world: World,
  name: string | null,
): Promise<ReplayedConversation | Ending> {
  const { values } = readSettings(args, world)
  // Does not create a store.
  if (!isStoreThere(values.store)) return missing(name, world)
  return withStore(args, world, async ({ store }) => {
    const found = await findConversation(store, name, world)
    if ('exitCode' in found)
      return found.problem?.code === 'NOT_FOUND' ? missing(name, world) : found
    const read = () => readTranscript(exportLines(store, found), { format: 'throughline' })
    return replayedConversation(read, null)
  })
}

function missing(name: string | null, world: World): Ending {
  const none = `there is no conversation yet; ${typedCommand('import FILE', world)} brings some`
  return notDone(
    'NOT_FOUND',
    name === null ? none : `there is no file and no conversation "${name}"`,
  )
}

/**
 * The conversation that is named, or the longest. Only that one is in memory, so the transcript is read
 * twice.
 */
export interface ReplayedConversation extends RecordedConversation {
  readonly title: string | null
  /** Paths are relative to it. */
  readonly workingFolder: string
  /** Leading messages that are its system prompt. */
  readonly prompts: number
  readonly others: number
}

type ReadItems = () => AsyncIterable<TranscriptItem>

async function replayedConversation(
  read: ReadItems,
  name: string | null,
): Promise<ReplayedConversation | Ending> {
  const all = await countedIn(read())
  const [longest] = all.toSorted((left, right) => right.messages - left.messages)
  const found = name === null ? longest : named(all, name)
  if (found === undefined) return notDone('NOT_FOUND', 'there is no message in it')
  if ('exitCode' in found) return found
  const messages: MessageInput[] = []
  for await (const item of read())
    if (item.kind === 'message' && item.conversationId === found.id) messages.push(item.message)
  const folder = found.begun?.meta?.['cwd']
  const recorded = recordedConversation(found.id, messages, found.begun)
  return {
    ...recorded,
    prompts: messages.length - recorded.messages.length,
    title: found.begun?.title ? redactSecrets(found.begun.title).text : null,
    workingFolder: typeof folder === 'string' ? folder : '',
    others: all.length - 1,
  }
}

interface Counted {
  readonly id: string
  begun: TranscriptConversation | null
  messages: number
}

async function countedIn(items: AsyncIterable<TranscriptItem>): Promise<readonly Counted[]> {
  const found = new Map<string, Counted>()
  for await (const item of items) {
    if (item.kind !== 'conversation' && item.kind !== 'message') continue
    const id = item.kind === 'message' ? item.conversationId : item.id
    const known = found.get(id) ?? { id, begun: null, messages: 0 }
    found.set(id, known)
    if (item.kind === 'message') known.messages += 1
    else known.begun = item
  }
  return [...found.values()].filter(({ messages }) => messages > 0)
}

function named(all: readonly Counted[], name: string): Counted | Ending {
  const exact = all.find(({ id }) => id === name)
  if (exact !== undefined) return exact
  const wanted = name.toLowerCase()
  const candidates = all.filter(({ id, begun }) =>
    `${id}\n${begun?.title ?? ''}`.toLowerCase().includes(wanted),
  )
  const [only] = candidates
  const count = counted(all.length, 'conversation')
  if (only === undefined) return notDone('NOT_FOUND', `none of ${count} is called "${name}"`)
  if (candidates.length === 1) return only
  const shown = candidates.slice(0, candidatesShown).map(({ id }) => `  ${safeLine(id)}`)
  return notDone('AMBIGUOUS', `"${name}" may be one of ${candidates.length}:\n${shown.join('\n')}`)
}

const candidatesShown = 10
