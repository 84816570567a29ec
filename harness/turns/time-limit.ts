/**
 * The time limit of the questions of a session. It ends by an event, when a model hangs and no other
 * call goes on, and not by the time of this machine: a busy one would cut answers off that come, and
 * whoever hangs is not waited for.
 */

/** Nobody else waits for just so long. */
export const limitMs = 77_777_777

const realTimeout = globalThis.setTimeout
const limits = new Set<() => void>()
let [calls, hanging] = [0, false]

globalThis.setTimeout = Object.assign(
  (run: (...given: unknown[]) => void, milliseconds?: number, ...given: unknown[]) => {
    if (milliseconds !== limitMs) return realTimeout(() => run(...given), milliseconds)
    limits.add(run)
    // Whoever clears the limit has something to clear.
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

/** A refused answer is asked for again at once, so what follows on an answer is waited for. */
function endWhenQuiet(): void {
  if (!hanging || calls > 0) return
  realTimeout(() => {
    if (!hanging || calls > 0) return
    hanging = false
    for (const end of limits) end()
    limits.clear()
  }, 5)
}
