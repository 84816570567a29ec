/** Who goes on next: everything that waits is in one list, and chance draws from it. */
import type { Chance } from '../kernel/chance.ts'

export interface Schedule {
  /** Resolves when it is drawn. */
  wait(label: string): Promise<void>
  /** Lets one of those that wait go on; its label, or null where nobody waits. */
  draw(): string | null
}

export function drawnSchedule(chance: Chance): Schedule {
  const waiting: { readonly label: string; readonly goOn: () => void }[] = []
  return {
    wait: (label) =>
      new Promise((goOn) => {
        waiting.push({ label, goOn })
      }),
    draw: () => {
      if (waiting.length === 0) return null
      const [next] = waiting.splice(chance.below(waiting.length), 1)
      next?.goOn()
      return next?.label ?? null
    },
  }
}
