/** The inputs and results of one turn, for the screen. */
import type { Context } from 'throughline'
import type { AfterReply } from 'throughline/turns'
import type { Planned, Routed } from './script.ts'
import type { Done } from './tools.ts'

export interface PlayedTurn {
  readonly user: string
  readonly route: Routed
  readonly plan: Planned
  readonly done: readonly Done[]
  readonly reply: string
  readonly remembered: AfterReply
  /** The context of the planner before the next turn. */
  readonly forPlanner: Context
}
