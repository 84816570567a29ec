/** Lets other requests run during long work; throws if that was aborted. */
export function nextTurn(signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  return new Promise((resolve) => setImmediate(resolve))
}
