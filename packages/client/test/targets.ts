/** One suite, two targets: conversations in this process, and the client against a real server on the loopback. */
import { join } from 'node:path'
import * as remoteTurns from '@throughline/client'
import { readServerSettings, startServer } from '@throughline/server'
import { createThroughline, type TenantHandle, type ThroughlineError } from 'throughline'
import { sqlite } from 'throughline/stores/sqlite'
import * as localTurns from 'throughline/turns'

export interface Target {
  readonly name: string
  readonly turns: Pick<typeof localTurns, keyof typeof remoteTurns & keyof typeof localTurns>
  open(folder: string): Promise<{ readonly tl: TenantHandle; close(): Promise<void> }>
}

export const targets: readonly Target[] = [
  {
    name: 'embedded',
    turns: localTurns,
    open: async (folder) => {
      const tl = createThroughline({ store: sqlite(join(folder, 'chat.db')) })
      return { tl, close: () => tl.close() }
    },
  },
  {
    name: 'client',
    turns: remoteTurns,
    open: async (folder) => {
      const given = { folder, port: 0, logLevel: 'silent' as const }
      const { url, firstKey, stop } = await startServer(readServerSettings(given, { env: {} }), {})
      const tl = remoteTurns.createClient({ url, key: firstKey ?? '' })
      return { tl, close: () => tl.close().then(stop) }
    },
  },
]

/** The code of what a call throws; fails if it does not throw. */
export async function codeOf(call: () => unknown): Promise<string> {
  try {
    await call()
  } catch (error) {
    return (error as ThroughlineError).code
  }
  throw new Error('it does not throw')
}
