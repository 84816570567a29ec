/**
 * A chat without a person before it: each line, or the one message of `-m`, is said, and only what
 * is answered is written. A line is a message to the letter; none is a command.
 */
import { type Arguments, typedCommand } from '../command.ts'
import { done, type Ending, notDone } from '../ending.ts'
import { withEngine } from '../open-engine.ts'
import { liveText } from '../screen/live-text.ts'
import { jsonText, safeLine, shellWord } from '../screen/safe-text.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { World } from '../world.ts'
import type { Answer } from './answer.ts'
import { answerFigures, failureExitCode, failureText } from './answer-figures.ts'
import { answered, chooseConversation, openTalk, say, type Talk } from './talk.ts'

export interface Piped {
  readonly settings: CliSettings
  readonly system: string | null
  readonly messages: AsyncIterable<string>
}

export function inPipe(args: Arguments, world: World, piped: Piped): Promise<Ending> {
  const { settings, system, messages } = piped
  return withEngine(
    args,
    world,
    async (open) => {
      const chosen = await chooseConversation(args, open.store, world)
      if ('exitCode' in chosen) return chosen
      const { id } = chosen
      // A part of another's name is enough to be said there: nobody sees where, unless it is told.
      const [name = id] = args.positionals
      if (name !== id) await note(`goes on with ${id}; --new begins "${name}"`, { args, world })
      const talk = await openTalk(open, { id, given: system, args, world })
      let isSaid = false
      for await (const message of messages) {
        world.signal.throwIfAborted()
        if (message.trim() === '') continue
        isSaid = true
        const ending = await exchange(talk, message)
        if (ending !== done) return ending
      }
      return isSaid ? done : notDone('REFUSED', 'nothing was said: -m TEXT, or lines on stdin')
    },
    { begins: true, change: () => settings },
  )
}

async function exchange(talk: Talk, message: string): Promise<Ending> {
  const { args, world, provider, chat } = talk
  const { stdout } = world
  const tellJson = (event: object) => stdout.write(`${jsonText(event)}\n`)
  const live = stdout.isTerminal ? liveText(stdout) : null
  const seq = await say(talk, message)
  if (args.json) await tellJson({ type: 'said', conversation: chat.id, seq })
  const got = await answered(talk, {
    signal: world.signal,
    onPart: async (part) => {
      if (part.kind !== 'text') return
      if (args.json) await tellJson({ type: 'text', text: part.text })
      else await stdout.write(live === null ? part.text : live.add(part.text))
    },
    onAgain: async (why) => {
      if (args.json) await tellJson({ type: 'again', why })
    },
  })
  if (args.json) await tellJson({ type: 'answer', ...(await answerJson(got, talk)) })
  else if (got.text !== '')
    await stdout.write(`${live?.end() ?? ''}${got.text.endsWith('\n') ? '' : '\n'}`)
  if (got.kind === 'stopped') world.signal.throwIfAborted()
  if (got.finish === 'length') await note('the answer was cut off at the limit of the reply', talk)
  if (got.failure === null) return done
  const { failure } = got
  const cut =
    got.text === ''
      ? `; what was said is kept, and goes on with ${typedCommand(`chat ${shellWord(chat.id)}`, world)}`
      : '; what came is kept as cut off'
  return {
    exitCode: failureExitCode(failure),
    problem: {
      code: 'MODEL_FAILED',
      message: `${failureText(failure, provider, world)}${cut}`,
      details: { cause: failure.cause, status: failure.status },
    },
  }
}

/** Beside the answers, for people; events have it as a field. */
async function note(text: string, { args, world }: Pick<Talk, 'args' | 'world'>): Promise<void> {
  if (!args.json) await world.stderr.write(`throughline: ${safeLine(text)}\n`)
}

async function answerJson(got: Answer, talk: Talk): Promise<object> {
  const { kind, text, seq, finish, model, usage } = got
  return {
    kind,
    conversation: talk.chat.id,
    seq,
    text,
    finish,
    model,
    usage,
    ...(await answerFigures(got, talk)),
  }
}

/** Lines of a stream, as long as nobody stops it. */
export async function* linesIn(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of untilStopped(input, signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  const last = rest + decoder.decode()
  if (last !== '') yield last
}

export async function textIn(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of untilStopped(input, signal))
    text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/** Whoever waits for input can be stopped too. */
async function* untilStopped(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const source = input[Symbol.asyncIterator]()
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  // It is looked at with each chunk; where none is awaited it is no accident.
  stopped.catch(() => {})
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await Promise.race([source.next(), stopped])
      if (done === true) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
