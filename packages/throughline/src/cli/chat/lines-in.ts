/** Lines of a stream, as long as nobody stops it. */
export async function* linesIn(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of untilStopped(input, signal)) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) yield line.replace(/\r$/, '')
  }
  const last = rest + decoder.decode()
  if (last !== '') yield last
}

export async function textIn(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of untilStopped(input, signal))
    text += decoder.decode(chunk, { stream: true })
  return text + decoder.decode()
}

/** Whoever waits for input can be stopped too. */
async function* untilStopped(
  input: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const source = input[Symbol.asyncIterator]()
  let stop = () => {}
  const stopped = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop)
  })
  // It is looked at with each chunk; where none is awaited it is no accident.
  stopped.catch(() => {})
  try {
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await Promise.race([source.next(), stopped])
      if (done === true) return
      yield value
    }
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
