/** Work that nobody waits for: one after the other, when what was asked for has been answered. */
export interface Background {
  /** What fails here is not told: nothing that was asked for depends on it. */
  run(work: () => Promise<void>): void
  /** All of it is done, also what came while it was waited for. */
  settled(): Promise<void>
}

export function createBackground(later: (begin: () => void) => void): Background {
  const waiting: (() => Promise<void>)[] = []
  let running = Promise.resolve()
  const begin = () => {
    for (const work of waiting.splice(0)) running = running.then(work).catch(() => {})
  }
  return {
    run: (work) => {
      waiting.push(work)
      if (waiting.length === 1) later(begin)
    },
    settled: async () => {
      do {
        begin()
        await running
      } while (waiting.length > 0)
    },
  }
}
