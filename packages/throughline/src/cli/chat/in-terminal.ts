/**
 * A chat in a terminal. Changed settings need a new engine, so the chat runs in rounds, each with its own
 * engine on the same conversation.
 */
import { loadConversation, type TenantStore } from '../../stores/index.ts'
import { messageText } from '../../toolkit/index.ts'
import { type Arguments, typedCommand } from '../command.ts'
import { done, type ExitResult, exitResultOf, Interrupted } from '../exit-result.ts'
import type { Entered, LineEditor } from '../line-editor.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { wrap } from '../screen/cells.ts'
import { heading } from '../screen/labelled.ts'
import { counted } from '../screen/numbers.ts'
import { liveText } from '../screen/progress.ts'
import { safeLine, safeText, shellWord } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import { unlessStopped, type World } from '../world.ts'
import { answer, answerFigures, failureText, statusLine } from './answer.ts'
import {
  appendMessage,
  type ChatSession,
  type ChosenConversation,
  chooseConversation,
  openSession,
} from './chat-session.ts'
import { completeSlash, type SlashOutcome, slashIn } from './slash-commands.ts'

interface TerminalChat {
  readonly settings: CliSettings
  readonly system: string | null
  readonly lines: NonNullable<World['lines']>
}

export async function inTerminal(args: Arguments, world: World, typed: TerminalChat) {
  const { system, lines } = typed
  let { settings } = typed
  let opened: { editor: LineEditor; chosen: ChosenConversation } | undefined
  const round = async (open: OpenEngine): Promise<ExitResult | CliSettings> => {
    const isFirst = opened === undefined
    const chosen = opened?.chosen ?? (await chooseConversation(args, open.store, world))
    if ('exitCode' in chosen) return chosen
    if (opened === undefined) {
      const history = await userTextsBefore(open.store, chosen)
      opened = { chosen, editor: await lines({ history, complete: completeSlash }) }
    }
    const { editor } = opened
    const session = await openSession(open, { id: chosen.id, system, args, world })
    if (isFirst) await writeGreeting(session, chosen)
    const changed = await runRound(session, editor)
    if (changed !== null) return changed
    await writeFarewell(session)
    return done
  }
  try {
    for (;;) {
      const options = { createsStore: true, change: () => settings }
      const ended: ExitResult | CliSettings = await withEngine(args, world, round, options)
      if ('exitCode' in ended) return ended
      settings = ended
    }
  } finally {
    opened?.editor.close()
  }
}

async function writeGreeting(session: ChatSession, { isNew }: ChosenConversation) {
  const { chat, settings, provider } = session
  const { stdout } = session.world
  const { dim } = styleOf(stdout)
  const info = await chat.info()
  const name = heading({ id: chat.id, title: info?.title ?? null }, stdout)
  const length = isNew ? 'a new conversation' : counted(info?.head ?? 0, 'message')
  const about = `${length}, with ${safeLine(settings.model)} at ${new URL(provider.baseUrl).host}; /help lists the commands`
  const lines = wrap(about, stdout.width).map((line) => dim(line))
  await stdout.write(`${[name, ...lines].join('\n')}\n\n`)
}

async function writeFarewell({ chat, world }: ChatSession): Promise<void> {
  const { dim } = styleOf(world.stdout)
  const info = await chat.info()
  if (info === null) return
  const again = typedCommand(`chat ${shellWord(info.id)}`, world)
  const text = `${counted(info.head, 'message')} stored. Continue with ${again}`
  await world.stdout.write(`${dim(text)}\n`)
}

const historyMessages = 200

/** The user's messages for the arrow up, newest first. */
async function userTextsBefore(store: TenantStore, { id }: ChosenConversation) {
  const head = (await loadConversation(store, id))?.head ?? 0
  const messages = (await store.read({ id, before: head, limit: historyMessages })) ?? []
  return messages
    .toSorted((left, right) => right.seq - left.seq)
    .filter(({ role }) => role === 'user')
    .map((message) => messageText(message).trim())
    .filter((text) => text !== '' && text.length <= longestEntry && safeLine(text) === text)
}

const longestEntry = 500

/** Returns changed settings, or null when the chat ends. */
async function runRound(session: ChatSession, editor: LineEditor): Promise<CliSettings | null> {
  const { stdout, signal } = session.world
  const { dim } = styleOf(stdout)
  let isLeaving = false
  for (;;) {
    const entered = await unlessStopped(readEntry(editor, session.world), signal)
    if (entered.kind === 'ended') {
      await stdout.write('\n')
      return null
    }
    if (entered.kind === 'interrupted') {
      if (isLeaving && !entered.dropped) return null
      isLeaving = !entered.dropped
      if (isLeaving)
        await stdout.write(dim('Press Ctrl-C again, Ctrl-D or type /quit to end the chat.\n'))
      continue
    }
    isLeaving = false
    if (entered.text.trim() === '') continue
    const outcome = await withInterrupt(editor, session.world, (world) =>
      handleEntry({ ...session, world }, entered.text),
    )
    await stdout.write('\n')
    if (outcome === 'quit') return null
    if (typeof outcome === 'object') return outcome
  }
}

async function handleEntry(session: ChatSession, entry: string): Promise<SlashOutcome> {
  try {
    const slash = slashIn(entry)
    if (slash === null) {
      await appendMessage(session, entry.startsWith('//') ? entry.slice(1) : entry)
      await answerAndWrite(session)
      return 'done'
    }
    const outcome = await slash(session)
    if (outcome === 'retry') await retryAnswer(session)
    return outcome
  } catch (error) {
    // The chat continues; the user's message is already in the log.
    const { problem } = exitResultOf(error, session.world)
    await writeProblem(problem?.message ?? 'stopped', session.world)
    return 'done'
  }
}

async function retryAnswer(session: ChatSession): Promise<void> {
  const head = (await session.chat.info())?.head ?? 0
  const span = { from: Math.max(0, head - 1), to: head }
  const [last] = await Array.fromAsync(session.chat.messages(span))
  if (last?.role === 'user') await answerAndWrite(session)
  else await writeProblem('nothing to retry: your last message has an answer', session.world)
}

async function answerAndWrite(session: ChatSession): Promise<void> {
  const { world, provider } = session
  const { stdout } = world
  const { dim, more } = styleOf(stdout)
  const live = liveText(stdout)
  let isWaiting = false
  const showWaiting = async (waits: boolean) => {
    if (waits !== isWaiting) await stdout.write(waits ? dim(more) : '\r\u001b[2K')
    isWaiting = waits
  }
  await showWaiting(true)
  const got = await answer(session, {
    onText: async (text) => {
      const shown = live.add(text)
      if (shown === '') return
      await showWaiting(false)
      await stdout.write(shown)
    },
    onRetry: async (why) => {
      await showWaiting(false)
      await stdout.write(`${dim(safeText(why))}\n`)
      await showWaiting(true)
    },
  })
  await showWaiting(false)
  if (got.text.trim() !== '')
    await stdout.write(`${live.end()}${got.text.endsWith('\n') ? '' : '\n'}`)
  const line = statusLine(got, await answerFigures(got, session), stdout)
  if (got.seq !== null) await stdout.write(`${dim(line)}\n`)
  else if (got.kind === 'stopped') await stdout.write(dim('stopped before the answer started\n'))
  if (got.failure !== null) {
    const cut = got.seq === null ? '; /retry sends it again' : '; the partial answer is kept'
    await writeProblem(`${failureText(got.failure, provider, world)}${cut}`, world)
  }
}

async function writeProblem(message: string, { stdout }: World): Promise<void> {
  const { red, no } = styleOf(stdout)
  await stdout.write(`${red(no)} ${safeText(message)}\n`)
}

/** Ctrl-C stops the current work, not the chat. */
async function withInterrupt<Value>(
  editor: LineEditor,
  world: World,
  use: (world: World) => Promise<Value>,
): Promise<Value> {
  const stop = new AbortController()
  const undo = editor.onInterrupt(() => stop.abort(new Interrupted(130)))
  try {
    const value = await use({ ...world, signal: AbortSignal.any([world.signal, stop.signal]) })
    world.signal.throwIfAborted()
    return value
  } finally {
    undo()
  }
}

/** Reads an entry, over several lines with `"""` or a backslash at the end. */
async function readEntry(editor: LineEditor, { stdout }: World): Promise<Entered> {
  const { bold, cyan, dim } = styleOf(stdout)
  const opening = await editor.read(bold(cyan('> ')))
  if (opening.kind !== 'line') return opening
  const isFenced = opening.text.trimStart().startsWith(fence)
  const lines: string[] = []
  let line = isFenced ? opening.text.trimStart().slice(fence.length) : opening.text
  for (;;) {
    const isLast = isFenced ? line.trimEnd().endsWith(fence) : !line.endsWith('\\')
    lines.push(withoutMark(line, isFenced, isLast))
    if (isLast) return { kind: 'line', text: isFenced ? lines.join('\n').trim() : lines.join('\n') }
    const entered = await editor.read(dim('. '))
    if (entered.kind !== 'line') return entered
    line = entered.text
  }
}

const fence = '"""'

function withoutMark(line: string, isFenced: boolean, isLast: boolean): string {
  if (isFenced) return isLast ? line.trimEnd().slice(0, -fence.length) : line
  return isLast ? line : line.slice(0, -1)
}
