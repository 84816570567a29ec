/** Runs work in the background, one job after the other, after the request was answered. */
import type { Timer } from '../ports/timer.ts'

export interface Background {
  /** Failures are not reported: no request depends on this work. */
  run(work: (pause: Pause) => Promise<void>): void
  /** Also waits for work that is added meanwhile. */
  settled(): Promise<void>
  /** Accepts no more work, lets the rest run for `drainMs`, then ends it at its next pause. */
  close(drainMs: number): Promise<void>
}

/** Lets other work run; long work calls it now and then. Rejects when the work must end. */
export type Pause = () => Promise<void>

/** Calls back in a later turn of the event loop. */
export type Later = (begin: () => void) => void

/** `laterAwaited` is used while a caller waits for the work; it may keep a process alive for it. */
export function createBackground({
  later,
  laterAwaited,
  timer,
}: Record<'later' | 'laterAwaited', Later> & { readonly timer: Timer }): Background {
  const waitingWork: ((pause: Pause) => Promise<void>)[] = []
  const ending = new AbortController()
  let running = Promise.resolve()
  let awaited = 0
  let isClosed = false
  let resume = () => {}
  const begin = () => {
    for (const work of waitingWork.splice(0))
      running = running
        .then(() => (ending.signal.aborted ? undefined : work(pause)))
        .catch(() => {})
  }
  // Also where a caller waits: a program that waits for an index still answers others meanwhile.
  const pause = async () => {
    await new Promise<void>((resolve) => {
      resume = resolve
      if (awaited > 0) laterAwaited(resolve)
      else later(resolve)
    })
    ending.signal.throwIfAborted()
  }
  const settled = async () => {
    awaited += 1
    resume()
    do {
      begin()
      await running
    } while (waitingWork.length > 0)
    awaited -= 1
  }
  return {
    run: (work) => {
      if (isClosed) return
      waitingWork.push(work)
      if (waitingWork.length === 1) later(begin)
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
