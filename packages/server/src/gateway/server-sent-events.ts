/** Reads the events of a stream, whatever pieces its bytes arrive in. */
export interface ServerSentEvent {
  readonly event: string | null
  readonly data: string
}

/** Returns the events that are complete with these bytes. */
export function createEventReader(): (bytes: Uint8Array) => readonly ServerSentEvent[] {
  const decoder = new TextDecoder()
  let rest = ''
  let event: string | null = null
  let data: string[] = []
  return (bytes) => {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    const events: ServerSentEvent[] = []
    for (const line of lines) {
      if (line === '') {
        if (data.length > 0) events.push({ event, data: data.join('\n') })
        event = null
        data = []
      } else if (line.startsWith('data:')) data.push(line.slice(line[5] === ' ' ? 6 : 5))
      else if (line.startsWith('event:')) event = line.slice(6).trim()
    }
    return events
  }
}
