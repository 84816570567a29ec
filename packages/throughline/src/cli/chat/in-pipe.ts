/**
 * A chat without a terminal: sends each line, or the message of `-m`, and writes only the answers. A line
 * is a message to the letter, never a command.
 */
import { type Arguments, typedCommand } from '../command.ts'
import { done, type Ending, notDone } from '../ending.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { liveText } from '../screen/progress.ts'
import { jsonText, safeLine, shellWord } from '../screen/safe-text.ts'
import { unlessStopped, type World } from '../world.ts'
import { answer } from './answer.ts'
import { answerFigures, failureExitCode, failureText } from './answer-figures.ts'
import { chooseConversation, openTalk, say, type Talk } from './talk.ts'

export function inPipe(
  args: Arguments,
  world: World,
  { settings, system }: Pick<Talk, 'settings' | 'system'>,
): Promise<Ending> {
  const talkOn = async (open: OpenEngine): Promise<Ending> => {
    const chosen = await chooseConversation(args, open.store, world)
    if ('exitCode' in chosen) return chosen
    const { id } = chosen
    // An abbreviated name may match another conversation, so say which.
    const [name = id] = args.positionals
    if (name !== id) await note(`goes on with ${id}; --new begins "${name}"`, { args, world })
    const talk = await openTalk(open, { id, system, args, world })
    let isSaid = false
    for await (const message of messagesOf(args, world)) {
      world.signal.throwIfAborted()
      if (message.trim() === '') continue
      isSaid = true
      const ending = await exchange(talk, message)
      if (ending !== done) return ending
    }
    return isSaid ? done : notDone('REFUSED', 'nothing was said: -m TEXT, or lines on stdin')
  }
  return withEngine(args, world, talkOn, { begins: true, change: () => settings })
}

async function exchange(talk: Talk, message: string): Promise<Ending> {
  const { args, world, provider, chat } = talk
  const { stdout } = world
  const tellJson = (event: object) => stdout.write(`${jsonText(event)}\n`)
  const live = stdout.isTerminal ? liveText(stdout) : null
  const seq = await say(talk, message)
  if (args.json) await tellJson({ type: 'said', conversation: chat.id, seq })
  const got = await answer(talk, {
    onText: async (text) => {
      if (args.json) await tellJson({ type: 'text', text })
      else await stdout.write(live === null ? text : live.add(text))
    },
    onAgain: async (why) => {
      if (args.json) await tellJson({ type: 'again', why })
    },
  })
  const { kind, text, finish, model, usage, failure } = got
  if (args.json) {
    const given = { kind, conversation: chat.id, seq: got.seq, text, finish, model, usage }
    await tellJson({ type: 'answer', ...given, ...(await answerFigures(got, talk)) })
  } else if (text !== '')
    await stdout.write(`${live?.end() ?? ''}${text.endsWith('\n') ? '' : '\n'}`)
  if (kind === 'stopped') world.signal.throwIfAborted()
  if (finish === 'length') await note('the answer was cut off at the limit of the reply', talk)
  if (failure === null) return done
  const cut =
    text === ''
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

/** On stderr; JSON events have it as a field. */
async function note(text: string, { args, world }: Pick<Talk, 'args' | 'world'>): Promise<void> {
  if (!args.json) await world.stderr.write(`throughline: ${safeLine(text)}\n`)
}

async function* messagesOf(args: Arguments, { stdin, signal }: World): AsyncGenerator<string> {
  const message = args.text('message')
  if (message === null) yield* linesIn(stdin, signal)
  else if (message !== '-') yield message
  else yield (await Array.fromAsync(textsIn(stdin, signal))).join('')
}

type Input = World['stdin']

async function* linesIn(input: Input, signal: AbortSignal): AsyncGenerator<string> {
  let rest = ''
  for await (const text of textsIn(input, signal)) {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  if (rest !== '') yield rest
}

/** Can be stopped while waiting for input. */
async function* textsIn(input: Input, signal: AbortSignal): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  const source = input[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await unlessStopped(source.next(), signal)
    if (done === true) break
    yield decoder.decode(value, { stream: true })
  }
  yield decoder.decode()
}
