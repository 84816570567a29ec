/** The real environment of a process: streams, variables, clock and signals. */
import { homedir } from 'node:os'
import { isAbsolute, resolve } from 'node:path'
import { Interrupted } from './exit-result.ts'
import { currentUser } from './ownership.ts'
import type { OuterWorld, Output } from './world.ts'

export function systemWorld(): OuterWorld {
  const { env, stdin, stdout, stderr } = process
  const { signal, readerIsGone } = interruption()
  const isAttended = stdin.isTTY === true && stderr.isTTY === true
  return {
    stdin,
    stdout: outputOf(stdout, readerIsGone),
    stderr: outputOf(stderr, () => process.exit(0)),
    env,
    cwd: process.cwd(),
    home: homeFolder(),
    user: currentUser(),
    now: () => Date.now(),
    signal,
    ask: isAttended ? (question) => askUser(question, signal) : null,
    lines:
      stdin.isTTY === true && stdout.isTTY === true && env['TERM'] !== 'dumb'
        ? async (options) => (await import('./line-editor.ts')).lineEditor(options)
        : null,
  }
}

/**
 * The user of a container may have no home, and HOME may be empty. A relative path would be in the working
 * folder, where other users may write.
 */
function homeFolder(): string {
  try {
    const home = homedir()
    if (isAbsolute(home)) return home
  } catch {
    // No HOME, and no passwd entry for the user.
  }
  return resolve('/')
}

function outputOf(stream: NodeJS.WriteStream, onGone: () => void): Output {
  const { env } = process
  const isTerminal = stream.isTTY === true
  let isGone = false
  // The reader may stop reading, as `head` does.
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') process.exit(74)
    isGone = true
    // Releases writers that wait for room.
    stream.emit('drain')
    onGone()
  })
  return {
    isTerminal,
    redraws: isTerminal && env['TERM'] !== 'dumb',
    colours: hasColours(isTerminal),
    unicode: hasUnicode(env),
    get width() {
      // A terminal without a known size says 0.
      return isTerminal ? stream.columns || 80 : 80
    },
    get height() {
      return isTerminal ? (stream.rows ?? 24) : 24
    },
    write: (text) =>
      new Promise((resolve) => {
        if (isGone || stream.write(text)) resolve()
        else stream.once('drain', resolve)
      }),
  }
}

function hasColours(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return isTerminal && TERM !== 'dumb'
}

function hasUnicode({ LC_ALL, LC_CTYPE, LANG }: NodeJS.ProcessEnv): boolean {
  const locale = [LC_ALL, LC_CTYPE, LANG].find((value) => value !== undefined && value !== '')
  return locale === undefined ? process.platform !== 'linux' : /utf-?8/i.test(locale)
}

/**
 * The first signal asks commands to stop, the second exits. One right after the first is the same signal,
 * passed on by the launcher: a terminal sends it to every process of a group.
 */
function interruption(): { readonly signal: AbortSignal; readonly readerIsGone: () => void } {
  const controller = new AbortController()
  let first = 0
  const interrupt = (signal: NodeJS.Signals) => {
    const [now, exitCode] = [performance.now(), signal === 'SIGTERM' ? 143 : 130]
    if (controller.signal.aborted && now - first > samePressMs) process.exit(exitCode)
    if (controller.signal.aborted) return
    first = now
    controller.abort(new Interrupted(exitCode))
  }
  process.on('SIGINT', interrupt)
  process.on('SIGTERM', interrupt)
  const readerIsGone = () => {
    // Running work stops cleanly and keeps a partial answer. If it does not stop, the process exits.
    controller.abort(new Interrupted(0))
    setTimeout(() => process.exit(0), graceMs).unref()
  }
  return { signal: controller.signal, readerIsGone }
}

const samePressMs = 300
const graceMs = 2_000

/** On stderr, since stdout may be piped. */
async function askUser(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises')
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  // While it reads, the terminal delivers keys and no signal.
  lines.on('SIGINT', () => process.kill(process.pid, 'SIGINT'))
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    const answer = await Promise.race([lines.question(question, { signal }), closed])
    if (answer === '') process.stderr.write('\n')
    return answer
  } finally {
    lines.close()
  }
}
