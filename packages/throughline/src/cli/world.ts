import { setTimeout as wait } from 'node:timers/promises'
import type { LineEditor, LineEditorOptions } from './line-editor.ts'
import type { User } from './ownership.ts'

/**
 * The environment of a command: streams, variables, clock and signals. It is passed in, so that a command
 * runs the same in a terminal, a pipe and a test.
 */
export interface World {
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** An absolute path; the root if the user has no home. */
  readonly home: string
  /** Null if the system has no numeric users, as on Windows. */
  readonly user: User | null
  /** Whether a slash command of a chat runs. */
  readonly isChat?: boolean
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Aborted by Ctrl-C: commands stop at the next safe point and close their store. */
  readonly signal: AbortSignal
  /** Asks the user for a line; null without a terminal. */
  readonly ask: ((question: string) => Promise<string>) | null
  /** Null without a terminal. */
  readonly lines: ((options: LineEditorOptions) => Promise<LineEditor>) | null
  /** Writes to stderr, each message once per run. */
  notice(notice: Notice): void
}

type Notice = Readonly<
  | { code: 'SETTINGS_IGNORED' | 'STORE'; message: string; file: string }
  | { code: 'MODEL_UNKNOWN'; message: string; suggestions: readonly string[] }
>

export type OuterWorld = Omit<World, 'notice'>

export interface Output {
  /** Resolves when there is room for more. */
  write(text: string): Promise<void>
  readonly isTerminal: boolean
  /** Whether lines can be redrawn: on a terminal that is not dumb. */
  readonly redraws: boolean
  /** In columns; 80 without a terminal. */
  readonly width: number
  /** In lines; 24 without a terminal. */
  readonly height: number
  readonly colours: boolean
  readonly unicode: boolean
}

/** Resolves early when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {})
}

/** Rejects when the signal aborts, even while waiting for the user or for input. */
export function unlessStopped<Value>(waited: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  return Promise.race([waited, stopped]).finally(() => signal.removeEventListener('abort', stop))
}
