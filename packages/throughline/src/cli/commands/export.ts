/** Writes conversations as JSON lines or as Markdown. */
import { open, unlink } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Conversation } from '../../index.ts'
import type { TenantStore } from '../../stores/index.ts'
import { exportLines } from '../../toolkit/index.ts'
import type { Arguments, Run } from '../command.ts'
import { done, failWith, UsageError } from '../exit-result.ts'
import { exportMarkdown } from '../export-markdown.ts'
import { allConversations, findConversation, noStore } from '../find-conversation.ts'
import { withStore } from '../open-store.ts'
import { counted } from '../screen/numbers.ts'
import { safeText, withEscapes } from '../screen/safe-text.ts'
import type { World } from '../world.ts'

export const exportCommand: Run = (args, world) =>
  withStore(args, world, async ({ store, settings, exists }) => {
    const { write, shown } = writerIn(args)
    if (!exists) return noStore(settings.store, world)
    const asked = await namedConversations(args, store, world)
    if ('exitCode' in asked) return asked
    const { stdout, signal } = world
    const pieces = async function* () {
      for (const conversation of asked)
        for await (const piece of write(store, conversation)) {
          signal.throwIfAborted()
          yield piece
        }
    }
    const file = args.text('output')
    if (file !== null) return toFile(resolve(world.cwd, file), asked, pieces())
    for await (const piece of pieces()) await stdout.write(stdout.isTerminal ? shown(piece) : piece)
    return done
  })

function writerIn(args: Arguments) {
  switch (args.text('format') ?? 'json') {
    case 'json':
    case 'jsonl':
      return { write: exportLines, shown: withEscapes }
    case 'markdown':
    case 'md':
      if (!args.json || args.text('output') !== null)
        return { write: exportMarkdown, shown: safeText }
      throw new UsageError('--json cannot be combined with --format markdown, except with --output')
  }
  throw new UsageError(`unknown format "${args.text('format')}"; use json or markdown`)
}

async function namedConversations(args: Arguments, store: TenantStore, world: World) {
  if (args.has('all')) return Array.fromAsync(allConversations(store))
  const names = args.has('last') ? [null] : args.positionals
  if (names.length === 0) throw new UsageError('which conversation? Give a name, --last or --all')
  const asked: Conversation[] = []
  for (const name of names) {
    const found = await findConversation(store, name, world)
    if ('exitCode' in found) return found
    asked.push(found)
  }
  return asked
}

async function toFile(file: string, asked: readonly Conversation[], pieces: AsyncIterable<string>) {
  const handle = await open(file, 'wx', 0o600).catch((error: NodeJS.ErrnoException) => error)
  if (handle instanceof Error) {
    const { code, message } = handle
    const exists = `${file} already exists; choose another file`
    return failWith('REFUSED', code === 'EEXIST' ? exists : message)
  }
  try {
    for await (const piece of pieces) await handle.writeFile(piece)
    await handle.sync()
  } catch (cause) {
    // A reader could take a partial file for a complete one.
    await unlink(file)
    throw cause
  } finally {
    await handle.close()
  }
  const messages = asked.reduce((sum, { head }) => sum + head, 0)
  const amounts = `${counted(asked.length, 'conversation')}, ${counted(messages, 'message')}`
  return {
    json: { file, conversations: asked.map(({ id }) => id), messages },
    lines: () => [`Exported ${amounts} to ${file}`],
  }
}
