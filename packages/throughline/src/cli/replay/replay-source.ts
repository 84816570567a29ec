/** What somebody wants replayed: a file, what is piped in, or a conversation of the store. */
import { createReadStream, createWriteStream, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { isThroughlineError } from '../../errors.ts'
import { readTranscript, type TranscriptItem } from '../../transcripts/index.ts'
import type { Arguments } from '../command.ts'
import { notDone, Unreadable, WrongUsage } from '../ending.ts'
import { exportLines } from '../export-lines.ts'
import { findConversation } from '../find-conversation.ts'
import { unreadableText } from '../import/unreadable-text.ts'
import { isStoreThere, withStore } from '../open-store.ts'
import { refuseNamedPipe } from '../refuse-named-pipe.ts'
import { readSettings } from '../settings/read-settings.ts'
import { typedCommand } from '../typed-command.ts'
import type { World } from '../world.ts'
import {
  type FoundConversation,
  type ReadItems,
  replayedConversation,
} from './replayed-conversation.ts'

/** `folder` is for what has to be written down meanwhile. */
export async function findReplayed(
  args: Arguments,
  world: World,
  folder: string,
): Promise<FoundConversation> {
  const [name, part = null, extra] = args.positionals
  if (args.has('last')) return stored(args, world, null)
  if (name === undefined)
    throw new WrongUsage('name a file or a conversation, or say --last; - is what is piped in')
  if (extra !== undefined) throw new WrongUsage(`one conversation at a time, not also "${extra}"`)
  const keep = async (piped: AsyncIterable<Uint8Array>, label: string) => {
    // It is read twice, and can only be piped in once.
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
  if (part !== null)
    return { kind: 'ended', ending: notDone('NOT_FOUND', `there is no file "${name}"`) }
  return stored(args, world, name)
}

function itemsOf(path: string, name: string, world: World): ReadItems {
  return () => readOrTold(createReadStream(path, { signal: world.signal }), name, world)
}

/** What cannot be read here can be imported, where its format is said. */
async function* readOrTold(
  bytes: AsyncIterable<Uint8Array>,
  name: string,
  world: World,
): AsyncGenerator<TranscriptItem> {
  try {
    yield* readTranscript(bytes, { name })
  } catch (error) {
    if (!isThroughlineError(error) || error.code !== 'TRANSCRIPT_UNREADABLE') throw error
    const named = `${typedCommand('import FILE --format NAME', world)} says which it is`
    throw new Unreadable(unreadableText(error.message, { name, label: name }, named))
  }
}

async function stored(
  args: Arguments,
  world: World,
  name: string | null,
): Promise<FoundConversation> {
  const { values } = readSettings(args, world)
  // Where no conversation was ever kept, none is there; a store is not made for that.
  if (!isStoreThere(values.store)) return missing(name, world)
  return withStore(args, world, async ({ store }) => {
    const found = await findConversation(store, { name, rest: [] }, world)
    if (!found.ok) {
      const { ending } = found.failure
      return ending.problem?.code === 'NOT_FOUND' ? missing(name, world) : { kind: 'ended', ending }
    }
    return replayedConversation(
      () => readTranscript(exportLines(store, found.value), { format: 'throughline' }),
      null,
    )
  })
}

function missing(name: string | null, world: World): FoundConversation {
  const what =
    name === null
      ? `there is no conversation yet; ${typedCommand('import FILE', world)} brings some`
      : `there is no file and no conversation "${name}"`
  return { kind: 'ended', ending: notDone('NOT_FOUND', what) }
}
