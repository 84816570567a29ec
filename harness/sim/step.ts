/** A step of a run: what is done to a conversation through one of the engines. */
import type { ExpectedLog } from './expected.ts'
import type { Slot, World } from './world.ts'

export interface Scene {
  readonly world: World
  readonly log: ExpectedLog
  readonly slot: Slot
  /** Whether nothing else is done at the same time. */
  readonly alone: boolean
}

export interface Step {
  readonly name: string
  /** How often it is drawn, beside others. */
  readonly weight: number
  /** Whether it may happen at the same time as others of its conversation. */
  readonly together: boolean
  run(scene: Scene): Promise<void>
}

/** Told, where the engine refused what it should have done. */
export function unexpected({ world, log }: Scene, what: string, answer: unknown): void {
  const { error } = answer as {
    readonly error?: { readonly code: string; readonly message: string }
  }
  const detail = error === undefined ? JSON.stringify(answer) : `${error.code} ${error.message}`
  world.findings.push({ rule: 'refused', detail: `${what} in "${log.id}": ${detail}` })
}
