/** Work that nobody waits for: one after the other, when what was asked for has been answered. */
export interface Background {
  /** What fails here is not told: nothing that was asked for depends on it. */
  run(work: (pause: Pause) => Promise<void>): void
  /** All of it is done, also what came while it was waited for. */
  settled(): Promise<void>
}

/** Lets others come between; asked for now and then by work that takes long. */
export type Pause = () => Promise<void>

export function createBackground(later: (begin: () => void) => void): Background {
  const waiting: ((pause: Pause) => Promise<void>)[] = []
  let running = Promise.resolve()
  let awaited = 0
  let goOn = () => {}
  const begin = () => {
    for (const work of waiting.splice(0)) running = running.then(() => work(pause)).catch(() => {})
  }
  const pause = () =>
    new Promise<void>((resolve) => {
      goOn = resolve
      // Whoever waits for all of it wants no pauses.
      if (awaited > 0) resolve()
      else later(resolve)
    })
  return {
    run: (work) => {
      waiting.push(work)
      if (waiting.length === 1) later(begin)
    },
    settled: async () => {
      awaited += 1
      goOn()
      do {
        begin()
        await running
      } while (waiting.length > 0)
      awaited -= 1
    },
  }
}
