/**
 * Replaces the time limit of model calls by an event: it fires when a model hangs and no other call
 * is running. On a busy machine, a real timer would cut off answers, and a hanging call would cost
 * time.
 */

/** A value that no other timer uses. */
export const limitMs = 77_777_777

const realTimeout = globalThis.setTimeout
const limits = new Set<() => void>()
let [calls, hanging] = [0, false]

globalThis.setTimeout = Object.assign(
  (run: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) => {
    if (milliseconds !== limitMs) return realTimeout(() => run(...given), milliseconds)
    limits.add(run)
    // Callers need a handle to clear.
    return realTimeout(() => {}, 0)
  },
  realTimeout,
)

export function hangs(): Promise<never> {
  hanging = true
  endWhenQuiet()
  return new Promise(() => {})
}

export async function answers<Value>(call: () => Promise<Value>): Promise<Value> {
  calls += 1
  try {
    return await call()
  } finally {
    calls -= 1
    endWhenQuiet()
  }
}

/** Waits a little, because a refused answer is retried at once. */
function endWhenQuiet(): void {
  if (!hanging || calls > 0) return
  realTimeout(() => {
    if (!hanging || calls > 0) return
    hanging = false
    for (const end of limits) end()
    limits.clear()
  }, 5)
}
