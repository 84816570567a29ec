/**
 * Time that passes only when a test says so: a little with each step of a schedule, and when nothing
 * is left to do, up to the next timer. It replaces the timers of the process while it runs, because
 * the engine uses those.
 */
export interface ScheduledTime {
  now(): number
  /** Fires the timers that are due by then. */
  pass(milliseconds: number): void
  /** Advances to the next timer; false if there is none, or only one too far away. */
  jump(): boolean
  /** Restores the timers of the process. */
  end(): void
}

// A longer timer waits for something else and never decides a run.
const longestMs = 10 * 60_000

interface Waiting {
  readonly at: number
  readonly begin: () => void
}

interface Handle {
  unref(): Handle
}

export function scheduledTime(from: number): ScheduledTime {
  const { setTimeout, clearTimeout } = globalThis
  const waits = new Map<Handle, Waiting>()
  let now = from
  // Only the parts of timers that the engine and its stores use.
  const begin = (callback: () => void, milliseconds = 0) => {
    const handle: Handle = { unref: () => handle }
    waits.set(handle, { at: now + Math.max(0, Math.ceil(milliseconds)), begin: callback })
    return handle
  }
  const stop = (handle: Handle) => waits.delete(handle)
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

/** Resolves after everything that needs neither time nor a schedule is done. */
export function nextEventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

/** After so many turns in which nothing waits for a schedule or a timer, nothing runs any more. */
export const maxIdleTurns = 20
