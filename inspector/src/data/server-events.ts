/** Reads the server-sent events of an answer: those that arrived together, together. */

export interface ServerEvent {
  readonly event: string
  readonly id: string
  readonly data: string
}

export async function* serverEvents({ body }: Response): AsyncGenerator<readonly ServerEvent[]> {
  const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  while (reader !== undefined) {
    const { done, value } = await reader.read()
    if (done) return
    text += value
    const frames = text.split('\n\n')
    text = frames.pop() ?? ''
    yield frames.map((frame) => eventIn(frame.split('\n')))
  }
}

function eventIn(lines: readonly string[]): ServerEvent {
  const field = (name: string) =>
    lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2) ?? ''
  return { event: field('event'), id: field('id'), data: field('data') }
}
