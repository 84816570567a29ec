/** Runs the background jobs of servers on the same PostgreSQL, without a port. */
import { createThroughline, ThroughlineError } from 'throughline'
import { engineOptions } from './engine-settings.ts'
import { postgresParts } from './postgres-parts.ts'
import type { ServerSettings } from './settings.ts'

/** A worker that runs. */
export interface StartedWorker {
  /** Jobs that wait, run and were given up. */
  figures(): Promise<{
    readonly waiting: number
    readonly running: number
    readonly dead: number
    readonly oldestMs: number
  }>
  /** Tries jobs again that were given up; returns how many. */
  retryDead(): Promise<number>
  /** Waits for running jobs for 10 s, aborts them after that, and closes the connections. */
  stop(): Promise<void>
}

/**
 * Starts a worker. `env` has the API keys that the settings name.
 *
 * @example
 * const settings = readServerSettings({ database: 'postgres://app@localhost/chats' }, { env: {} })
 * const worker = await startWorker(settings)
 */
export async function startWorker(
  settings: ServerSettings,
  env: Readonly<Record<string, string | undefined>> = process.env,
): Promise<StartedWorker> {
  const parts = await postgresParts(settings, true)
  if (parts === null)
    throw new ThroughlineError(
      'CONFIG_INVALID',
      'a worker needs the setting database: the URL of the PostgreSQL of its servers',
    )
  const throughline = createThroughline({ ...engineOptions(settings.engine, env), ...parts })
  try {
    // Opens the engine, which starts the queue.
    await throughline.list({ limit: 1 })
  } catch (error) {
    await throughline.close()
    throw error
  }
  const { queue } = parts
  return {
    figures: () => queue.figures(),
    retryDead: () => queue.retryDead(),
    stop: () => throughline.close(),
  }
}
