/**
 * Time that passes only where a test says so: with each step of a schedule a little, and
 * where nothing is left to do, up to the next moment that somebody waits for. The timers of
 * the process are ours as long as it runs, because the engine's come from there.
 */
export interface ScheduledTime {
  now(): number
  /** Ends the waits that are over by then. */
  pass(milliseconds: number): void
  /** To the next moment that somebody waits for; false where nobody waits, or for too long. */
  jump(): boolean
  /** Gives the process its own timers back. */
  end(): void
}

// Who waits for longer waits for something else, and as long as it takes.
const longestMs = 10 * 60_000

interface Waiting {
  readonly at: number
  readonly begin: () => void
}

export function scheduledTime(from: number): ScheduledTime {
  const { setTimeout, clearTimeout } = globalThis
  const waits = new Map<number, Waiting>()
  let now = from
  let handles = 0
  // What the engine's timers use of them, and no more.
  const begin = (callback: () => void, milliseconds = 0) => {
    handles += 1
    waits.set(handles, { at: now + Math.max(0, milliseconds), begin: callback })
    return handles
  }
  const stop = (handle: number) => waits.delete(handle)
  Object.assign(globalThis, { setTimeout: begin, clearTimeout: stop })
  const fire = () => {
    for (const [handle, { at, begin: callback }] of waits) {
      if (at > now || !waits.delete(handle)) continue
      callback()
    }
  }
  return {
    now: () => now,
    pass: (milliseconds) => {
      now += milliseconds
      fire()
    },
    jump: () => {
      const next = Math.min(...Array.from(waits.values(), ({ at }) => at))
      if (next > now + longestMs) return false
      now = Math.max(now, next)
      fire()
      return true
    },
    end: () => {
      Object.assign(globalThis, { setTimeout, clearTimeout })
    },
  }
}

/** Everything that can go on without time or a schedule has gone on. */
export function turnOfEvents(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
