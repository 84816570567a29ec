/** A step of a run: an operation on a conversation through one of the engines. */
import type { ExpectedLog } from './expected.ts'
import type { Slot, World } from './world.ts'

export interface Scene {
  readonly world: World
  readonly log: ExpectedLog
  readonly slot: Slot
  /** Whether no other step runs concurrently. */
  readonly alone: boolean
}

export interface Step {
  readonly name: string
  /** Its relative frequency. */
  readonly weight: number
  /** Whether it may run concurrently with other steps of its conversation. */
  readonly together: boolean
  run(scene: Scene): Promise<void>
}

/** Reports an operation that the engine refused but should have done. */
export function unexpected({ world, log }: Scene, what: string, answer: unknown): void {
  const { error } = answer as {
    readonly error?: { readonly code: string; readonly message: string }
  }
  const detail = error === undefined ? JSON.stringify(answer) : `${error.code} ${error.message}`
  world.findings.push({ rule: 'refused', detail: `${what} in "${log.id}": ${detail}` })
}
