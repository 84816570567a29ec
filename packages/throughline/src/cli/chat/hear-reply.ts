/** One request to a provider, heard to its end: what came, and how it ended. */
import type { HttpEndpoint } from '../../models/http/endpoint.ts'
import type { ReplyPart } from '../../models/http/reply-part.ts'
import { streamReply } from '../../models/http/stream-reply.ts'

export interface Heard {
  readonly text: string
  /** As the provider calls it; null where it did not say. */
  readonly model: string | null
  readonly calledTool: string | null
  /** Null where the answer did not come to its end: then `error` says why. */
  readonly end: Extract<ReplyPart, { kind: 'end' }> | null
  readonly error: unknown
}

export interface Hearing {
  readonly endpoint: HttpEndpoint
  readonly body: Readonly<Record<string, unknown>>
  readonly signal: AbortSignal
  /** After so long without a word it is given up. */
  readonly silenceMs: number
  readonly onPart: (part: ReplyPart) => Promise<void>
}

export async function hearReply(hearing: Hearing): Promise<Heard> {
  const { endpoint, body, signal, silenceMs, onPart } = hearing
  const silence = new AbortController()
  const giveUp = () => silence.abort(new Silence(`not a word for ${silenceMs / 1_000} s`))
  let timer = setTimeout(giveUp, silenceMs)
  let [text, model, calledTool]: [string, string | null, string | null] = ['', null, null]
  let end: Heard['end'] = null
  try {
    const stop = AbortSignal.any([signal, silence.signal])
    for await (const part of streamReply(endpoint, body, stop)) {
      clearTimeout(timer)
      if (part.kind === 'text') text += part.text
      if (part.kind === 'model') model = part.model
      if (part.kind === 'tool-call') calledTool = part.name
      if (part.kind === 'end') end = part
      await onPart(part)
      timer = setTimeout(giveUp, silenceMs)
    }
    return { text, model, calledTool, end, error: null }
  } catch (cause) {
    const error = silence.signal.aborted ? silence.signal.reason : cause
    return { text, model, calledTool, end: null, error }
  } finally {
    clearTimeout(timer)
  }
}

/** Nothing came for too long. */
export class Silence extends Error {}
