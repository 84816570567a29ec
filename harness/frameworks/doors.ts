/** The integrations under test: each plays turns of a conversation, and may continue those of another process. */
import { agentDoors } from './agents-door.ts'

import { clientDoors } from './client-doors.ts'
import { uiDoors } from './ui-door.ts'

export interface DoorOptions {
  /** The model server, with `/v1`. */
  readonly url: string
  /** The SQLite file with the conversation `talk`. */
  readonly database: string
  /** A file for what the application itself keeps between processes. */
  readonly memory: string
  readonly from: number
  readonly to: number
}

export type Door = (options: DoorOptions) => Promise<void>

export type DoorTable = Readonly<Record<string, Door>>

export const doors: DoorTable = { ...clientDoors, ...agentDoors, ...uiDoors }
