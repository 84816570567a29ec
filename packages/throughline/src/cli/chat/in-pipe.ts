/** Sends each line, or the message of `-m`, and writes only answers. No line is a slash command. */
import { type Arguments, typedCommand } from '../command.ts'
import { done, type ExitResult, failWith } from '../exit-result.ts'
import { type OpenEngine, withEngine } from '../open-engine.ts'
import { liveText } from '../screen/progress.ts'
import { jsonText, safeLine, shellWord } from '../screen/safe-text.ts'
import { unlessStopped, type World } from '../world.ts'
import { answer, answerFigures, failureExitCode, failureText } from './answer.ts'
import { appendMessage, type ChatSession, chooseConversation, openSession } from './chat-session.ts'

export function inPipe(
  args: Arguments,
  world: World,
  { settings, system }: Pick<ChatSession, 'settings' | 'system'>,
): Promise<ExitResult> {
  const chatWith = async (open: OpenEngine): Promise<ExitResult> => {
    const chosen = await chooseConversation(args, open.store, world)
    if ('exitCode' in chosen) return chosen
    const { id } = chosen
    // An abbreviated name may match another conversation, so say which.
    const [name = id] = args.positionals
    if (name !== id) await note(`continuing ${id}; use --new to create "${name}"`, { args, world })
    const session = await openSession(open, { id, system, args, world })
    let hasMessage = false
    for await (const message of messagesOf(args, world)) {
      world.signal.throwIfAborted()
      if (message.trim() === '') continue
      hasMessage = true
      const ending = await exchange(session, message)
      if (ending !== done) return ending
    }
    if (hasMessage) return done
    return failWith('REFUSED', 'no message; use -m TEXT or write lines to stdin')
  }
  return withEngine(args, world, chatWith, { createsStore: true, change: () => settings })
}

async function exchange(session: ChatSession, message: string): Promise<ExitResult> {
  const { args, world, provider, chat } = session
  const { stdout } = world
  const writeEvent = (event: object) => stdout.write(`${jsonText(event)}\n`)
  const live = stdout.isTerminal ? liveText(stdout) : null
  const seq = await appendMessage(session, message)
  if (args.json) await writeEvent({ type: 'message', conversation: chat.id, seq })
  const got = await answer(session, {
    onText: async (text) => {
      if (args.json) await writeEvent({ type: 'text', text })
      else await stdout.write(live === null ? text : live.add(text))
    },
    onRetry: async (why) => {
      if (args.json) await writeEvent({ type: 'retry', why })
    },
  })
  const { kind, text, finish, model, usage, failure } = got
  if (args.json) {
    const given = { kind, conversation: chat.id, seq: got.seq, text, finish, model, usage }
    await writeEvent({ type: 'answer', ...given, ...(await answerFigures(got, session)) })
  } else if (text !== '')
    await stdout.write(`${live?.end() ?? ''}${text.endsWith('\n') ? '' : '\n'}`)
  if (kind === 'stopped') world.signal.throwIfAborted()
  if (finish === 'length')
    await note('the answer was cut off at the output limit of the model', session)
  if (failure === null) return done
  const again = typedCommand(`chat ${shellWord(chat.id)}`, world)
  const stored = `your message is stored, continue with ${again}`
  const cut = `; ${text === '' ? stored : 'the partial answer is kept'}`
  return {
    exitCode: failureExitCode(failure),
    problem: {
      code: 'MODEL_FAILED',
      message: `${failureText(failure, provider, world)}${cut}`,
      details: { cause: failure.cause, status: failure.status },
    },
  }
}

/** On stderr; with --json an event field has the same information. */
async function note(text: string, { args, world }: Pick<ChatSession, 'args' | 'world'>) {
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
