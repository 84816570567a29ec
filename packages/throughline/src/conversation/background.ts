/** Work that nobody waits for: one after the other, when what was asked for has been answered. */
import type { Timer } from '../ports/timer.ts'

export interface Background {
  /** What fails here is not told: nothing that was asked for depends on it. */
  run(work: (pause: Pause) => Promise<void>): void
  /** All of it is done, also what came while it was waited for. */
  settled(): Promise<void>
  /** Takes no more work, lets the rest run for `drainMs`, then ends it at its next pause. */
  close(drainMs: number): Promise<void>
}

/** Lets other work run; called now and then by work that takes long. Rejects when it must end. */
export type Pause = () => Promise<void>

/** Calls back in a later turn of the event loop. */
export type Later = (begin: () => void) => void

/** `laterAwaited` is for while somebody waits for the work; it may keep a process alive for it. */
export function createBackground({
  later,
  laterAwaited,
  timer,
}: Record<'later' | 'laterAwaited', Later> & { readonly timer: Timer }): Background {
  const waiting: ((pause: Pause) => Promise<void>)[] = []
  const ending = new AbortController()
  let running = Promise.resolve()
  let awaited = 0
  let isClosed = false
  let goOn = () => {}
  const begin = () => {
    for (const work of waiting.splice(0))
      running = running
        .then(() => (ending.signal.aborted ? undefined : work(pause)))
        .catch(() => {})
  }
  // Also where somebody waits: a program that waits for an index still answers others meanwhile.
  const pause = async () => {
    await new Promise<void>((resolve) => {
      goOn = resolve
      if (awaited > 0) laterAwaited(resolve)
      else later(resolve)
    })
    ending.signal.throwIfAborted()
  }
  const settled = async () => {
    awaited += 1
    goOn()
    do {
      begin()
      await running
    } while (waiting.length > 0)
    awaited -= 1
  }
  return {
    run: (work) => {
      if (isClosed) return
      waiting.push(work)
      if (waiting.length === 1) later(begin)
    },
    settled,
    close: async (drainMs) => {
      isClosed = true
      const drained = new AbortController()
      const end = () => {
        if (!drained.signal.aborted) ending.abort(new Error('the engine is closed'))
      }
      if (drainMs > 0) void timer.wait(drainMs, drained.signal).then(end)
      else end()
      await settled()
      drained.abort()
    },
  }
}
