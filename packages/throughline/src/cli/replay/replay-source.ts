/** Finds the conversation to replay: in a file, in stdin, or in the store. */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isThroughlineError } from '../../errors.ts'
import type { MessageInput } from '../../index.ts'
import { exportLines, redactSecrets } from '../../toolkit/index.ts'
import { readTranscript, type TranscriptItem } from '../../transcripts/index.ts'
import { type Arguments, typedCommand } from '../command.ts'
import { type ExitResult, failWith, UnreadableTranscript, UsageError } from '../exit-result.ts'
import { findConversation, severalMatch } from '../find-conversation.ts'
import { refuseNamedPipe, unreadableText } from '../import/transcript-sources.ts'
import { storeExists, withStore } from '../open-store.ts'
import { counted } from '../screen/numbers.ts'
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
): Promise<Replayed> {
  const [name, part = null, extra] = args.positionals
  if (args.has('last')) return loadStored(args, world, null)
  if (name === undefined)
    throw new UsageError('which conversation? Give a file, a name, --last, or - for standard input')
  if (extra !== undefined)
    throw new UsageError(`unexpected word "${extra}"; replay one conversation at a time`)
  const keep = async (piped: AsyncIterable<Uint8Array>, label: string) => {
    // It is read twice.
    const file = join(folder, 'piped-in')
    await pipeline(piped, createWriteStream(file, { mode: 0o600 }), { signal: world.signal })
    return replayedConversation(itemsOf(file, label, world), part)
  }
  if (name === '-') return keep(world.stdin, 'stdin')
  const path = resolve(world.cwd, name)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found?.isDirectory()) throw new UsageError(`"${name}" is a folder; name a file in it`)
  if (found !== undefined) refuseNamedPipe(name, path, found)
  if (found?.isFIFO()) return keep(createReadStream(path), basename(path))
  if (found !== undefined) return replayedConversation(itemsOf(path, basename(path), world), part)
  if (part !== null) return failWith('NOT_FOUND', `no such file: "${name}"`)
  return loadStored(args, world, name)
}

function itemsOf(path: string, name: string, world: World): ReadItems {
  return async function* () {
    try {
      yield* readTranscript(createReadStream(path, { signal: world.signal }), { name })
    } catch (error) {
      if (!isThroughlineError(error) || error.code !== 'TRANSCRIPT_UNREADABLE') throw error
      const hint = `${typedCommand('import FILE --format NAME', world)} sets the format`
      throw new UnreadableTranscript(unreadableText(error.message, { name, label: name }, hint))
    }
  }
}

async function loadStored(args: Arguments, world: World, name: string | null): Promise<Replayed> {
  const { values } = readSettings(args, world)
  // Does not create a store.
  if (!storeExists(values.store)) return notFound(name, world)
  return withStore(args, world, async ({ store }) => {
    const found = await findConversation(store, name, world)
    if ('exitCode' in found)
      return found.problem?.code === 'NOT_FOUND' ? notFound(name, world) : found
    const read = () => readTranscript(exportLines(store, found), { format: 'throughline' })
    return replayedConversation(read, null)
  })
}

function notFound(name: string | null, world: World): ExitResult {
  const none = `the store has no conversations yet; ${typedCommand('import FILE', world)} imports one`
  return failWith('NOT_FOUND', name === null ? none : `no file and no conversation named "${name}"`)
}

/** The named conversation, or the longest. The transcript is read twice, so only this is in memory. */
export interface ReplayedConversation extends RecordedConversation {
  readonly title: string | null
  /** Paths are relative to it. */
  readonly workingFolder: string
  /** Leading messages that are its system prompt. */
  readonly prompts: number
  readonly others: number
}

type Replayed = ReplayedConversation | ExitResult
type ReadItems = () => AsyncIterable<TranscriptItem>

async function replayedConversation(read: ReadItems, name: string | null): Promise<Replayed> {
  const all = await countConversations(read())
  const [longest] = all.toSorted((left, right) => right.messages - left.messages)
  const found = name === null ? longest : findByName(all, name)
  if (found === undefined) return failWith('NOT_FOUND', 'the transcript has no messages')
  if ('exitCode' in found) return found
  const messages: MessageInput[] = []
  for await (const item of read())
    if (item.kind === 'message' && item.conversationId === found.id) messages.push(item.message)
  const folder = found.header?.meta?.['cwd']
  const recorded = recordedConversation(found.id, messages, found.header)
  return {
    ...recorded,
    prompts: messages.length - recorded.messages.length,
    title: found.header?.title ? redactSecrets(found.header.title).text : null,
    workingFolder: typeof folder === 'string' ? folder : '',
    others: all.length - 1,
  }
}

interface CountedConversation {
  readonly id: string
  header: Extract<TranscriptItem, { kind: 'conversation' }> | null
  messages: number
}

async function countConversations(items: AsyncIterable<TranscriptItem>) {
  const found = new Map<string, CountedConversation>()
  for await (const item of items) {
    if (item.kind !== 'conversation' && item.kind !== 'message') continue
    const id = item.kind === 'message' ? item.conversationId : item.id
    const known = found.get(id) ?? { id, header: null, messages: 0 }
    found.set(id, known)
    if (item.kind === 'message') known.messages += 1
    else known.header = item
  }
  return [...found.values()].filter(({ messages }) => messages > 0)
}

function findByName(
  all: readonly CountedConversation[],
  name: string,
): CountedConversation | ExitResult {
  const exact = all.find(({ id }) => id === name)
  if (exact !== undefined) return exact
  const wanted = name.toLowerCase()
  const candidates = all.filter(({ id, header }) =>
    `${id}\n${header?.title ?? ''}`.toLowerCase().includes(wanted),
  )
  const [only] = candidates
  const count = counted(all.length, 'conversation')
  if (only === undefined) return failWith('NOT_FOUND', `none of ${count} matches "${name}"`)
  if (candidates.length === 1) return only
  const titled = candidates.map(({ id, header }) => ({ id, title: header?.title ?? null }))
  return severalMatch(name, titled)
}
