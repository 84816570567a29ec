import { setTimeout as wait } from 'node:timers/promises'
import type { LineEditor, LineEditorOptions } from './line-editor.ts'
import type { User } from './ownership.ts'

/**
 * All that a command has of the world outside: handed in, so that it runs the same in a terminal,
 * in a pipe and in a test.
 */
export interface World {
  readonly stdin: AsyncIterable<Uint8Array>
  readonly stdout: Output
  readonly stderr: Output
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cwd: string
  /** Always a whole path; the root where the user has none. */
  readonly home: string
  /** Who runs the command; null where the system has no users by number, as on Windows. */
  readonly user: User | null
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Aborted with Ctrl-C: commands stop at the next sound point, and close what they have opened. */
  readonly signal: AbortSignal
  /** Asks a person and waits for a line; null where nobody is there to answer. */
  readonly ask: ((question: string) => Promise<string>) | null
  /** Lines that a person types, edited and remembered; null where nobody types or looks. */
  readonly lines: ((options: LineEditorOptions) => Promise<LineEditor>) | null
  /** Says something beside the output, and each thing once in a run. */
  notice(notice: Notice): void
}

/** What a run is given; how it says things once is its own matter. */
export type OuterWorld = Omit<World, 'notice'>

interface Notice {
  readonly code: 'SETTINGS_IGNORED' | 'STORE'
  readonly message: string
  /** The file that it is about. */
  readonly file: string
}

export interface Output {
  /** Resolves when there is room for more. */
  write(text: string): Promise<void>
  readonly isTerminal: boolean
  /** Whether what was drawn can be drawn over: on a terminal that is not dumb. */
  readonly redraws: boolean
  /** In columns; 80 where it is no terminal. */
  readonly width: number
  /** In lines; 24 where it is no terminal. */
  readonly height: number
  readonly colours: boolean
  /** Whether signs beyond ASCII are shown as what they are. */
  readonly unicode: boolean
}

/** Waits, unless it is stopped meanwhile. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await wait(milliseconds, undefined, { signal }).catch(() => {})
}

/** A signal from outside ends also what waits for a person or for input. */
export function unlessStopped<Value>(waited: Promise<Value>, signal: AbortSignal): Promise<Value> {
  const { promise: stopped, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  if (signal.aborted) stop()
  return Promise.race([waited, stopped]).finally(() => signal.removeEventListener('abort', stop))
}
