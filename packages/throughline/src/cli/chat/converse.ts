/** One entry after the other: said and answered, or done where it is a command. */
import { endingOf, Interrupted } from '../ending.ts'
import type { Entered, LineEditor } from '../line-editor.ts'
import { liveText } from '../screen/live-text.ts'
import { safeText } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { World } from '../world.ts'
import { answerFigures, failureText, statusLine } from './answer-figures.ts'
import { runSlash, type SlashOutcome, slashIn } from './slash-commands.ts'
import { answered, say, type Talk } from './talk.ts'

type Conversed =
  | { readonly kind: 'quit' }
  | { readonly kind: 'changed'; readonly settings: CliSettings }

export async function converse(talk: Talk, editor: LineEditor): Promise<Conversed> {
  const { stdout, signal } = talk.world
  const { bold, cyan, dim } = styleOf(stdout)
  const prompts = { first: bold(cyan('> ')), next: dim('. ') }
  let isLeaving = false
  for (;;) {
    const entered = await unlessStopped(readEntry(editor, prompts), signal)
    if (entered.kind === 'ended') {
      await stdout.write('\n')
      return { kind: 'quit' }
    }
    if (entered.kind === 'interrupted') {
      if (isLeaving && !entered.dropped) return { kind: 'quit' }
      isLeaving = !entered.dropped
      if (isLeaving) await stdout.write(dim('Ctrl-C again, Ctrl-D or /quit ends the chat.\n'))
      continue
    }
    isLeaving = false
    if (entered.text.trim() === '') continue
    const outcome = await withInterrupt(editor, talk.world, (world) =>
      handled({ ...talk, world }, entered.text),
    )
    // Whole paragraphs apart, so that what was said is found again.
    await stdout.write('\n')
    if (outcome.kind === 'quit' || outcome.kind === 'changed') return outcome
  }
}

async function handled(talk: Talk, entry: string): Promise<SlashOutcome> {
  const { world } = talk
  try {
    const slash = slashIn(entry)
    if (slash === null) {
      await say(talk, entry.startsWith('//') ? entry.slice(1) : entry)
      await replied(talk)
      return { kind: 'done' }
    }
    const outcome = await runSlash(slash.name, { words: slash.words, talk, world })
    if (outcome.kind === 'problem') await tellProblem(outcome.message, world)
    if (outcome.kind === 'retry') await retried(talk)
    return outcome
  } catch (error) {
    // A chat goes on: what cannot be done is told, and what was said is in the log.
    const { problem } = endingOf(error, world)
    await tellProblem(problem?.message ?? 'stopped', world)
    return { kind: 'done' }
  }
}

async function retried(talk: Talk): Promise<void> {
  const head = (await talk.chat.info())?.head ?? 0
  const [last] = await Array.fromAsync(
    talk.chat.messages({ from: Math.max(0, head - 1), to: head }),
  )
  if (last?.role === 'user') await replied(talk)
  else await tellProblem('what was said last is answered', talk.world)
}

async function replied(talk: Talk): Promise<void> {
  const { world, provider } = talk
  const { stdout, signal } = world
  const { dim } = styleOf(stdout)
  const live = liveText(stdout)
  const { more } = styleOf(stdout)
  const waits = waiting(dim(more), world)
  await waits.begin()
  const got = await answered(talk, {
    signal,
    onPart: async (part) => {
      if (part.kind !== 'text') return
      const shown = live.add(part.text)
      if (shown === '') return
      await waits.end()
      await stdout.write(shown)
    },
    onAgain: async (why) => {
      await waits.end()
      await stdout.write(`${dim(safeText(why))}\n`)
      await waits.begin()
    },
  })
  await waits.end()
  if (got.text.trim() !== '')
    await stdout.write(`${live.end()}${got.text.endsWith('\n') ? '' : '\n'}`)
  const figures = await answerFigures(got, talk)
  const line = statusLine(got, figures, stdout)
  if (got.seq !== null) await stdout.write(`${dim(line)}\n`)
  else if (got.kind === 'stopped') await stdout.write(dim('stopped before a word came\n'))
  if (got.failure !== null) {
    const cut = got.seq === null ? '; /retry asks again' : '; what came is kept as cut off'
    await tellProblem(`${failureText(got.failure, provider, world)}${cut}`, world)
  }
}

/** A sign that something is awaited, gone when it is there. */
function waiting(
  sign: string,
  { stdout }: World,
): { readonly begin: () => Promise<void>; readonly end: () => Promise<void> } {
  let isShown = false
  return {
    begin: async () => {
      isShown = true
      await stdout.write(sign)
    },
    end: async () => {
      if (isShown) await stdout.write('\r\u001b[2K')
      isShown = false
    },
  }
}

async function tellProblem(message: string, { stdout }: World): Promise<void> {
  const { red } = styleOf(stdout)
  await stdout.write(`${red(styleOf(stdout).no)} ${safeText(message)}\n`)
}

/** Ctrl-C stops what is being done, and not the chat. */
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

/** A signal from outside ends the chat, also while it waits for a person. */
function unlessStopped<Value>(waited: Promise<Value>, signal: AbortSignal): Promise<Value> {
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
    if (signal.aborted) stop()
  })
  return Promise.race([waited, stopped]).finally(() => signal.removeEventListener('abort', stop))
}

/** What a person says next, over several lines where it is asked for. */
interface Prompts {
  readonly first: string
  readonly next: string
}

async function readEntry(editor: LineEditor, { first, next }: Prompts): Promise<Entered> {
  const opening = await editor.read(first)
  if (opening.kind !== 'line') return opening
  const isFenced = opening.text.trimStart().startsWith(fence)
  const lines: string[] = []
  let line = isFenced ? opening.text.trimStart().slice(fence.length) : opening.text
  for (;;) {
    const isLast = isFenced ? line.trimEnd().endsWith(fence) : !line.endsWith('\\')
    lines.push(withoutMark(line, isFenced, isLast))
    if (isLast) return { kind: 'line', text: isFenced ? lines.join('\n').trim() : lines.join('\n') }
    const entered = await editor.read(next)
    if (entered.kind !== 'line') return entered
    line = entered.text
  }
}

const fence = '"""'

function withoutMark(line: string, isFenced: boolean, isLast: boolean): string {
  if (isFenced) return isLast ? line.trimEnd().slice(0, -fence.length) : line
  return isLast ? line : line.slice(0, -1)
}
