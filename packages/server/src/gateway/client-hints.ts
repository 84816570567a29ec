/** What a request says of its client: whose conversation it belongs to, and whether it is one of the client's own. */
import { type Fields, fieldsOf, fieldsOfText, listOf } from './answer.ts'
import {
  compactionRequests,
  type IdPlace,
  knownClients,
  sideRequests,
  summaryOpenings,
} from './clients-data.ts'
import type { ModelRequest } from './model-request.ts'

export interface ClientHints {
  readonly client: string | null
  /** Names the conversation at the client; null if nothing does. */
  readonly key: string | null
  /** The key of the conversation that started this one; null if it is no sub-agent. */
  readonly parentKey: string | null
  /** The client's own count of its compactions; null if it sends none. */
  readonly window: string | null
  readonly asks: 'turn' | 'client-compaction' | 'side'
  /** The history begins with a summary of the client. */
  readonly isCompacted: boolean
}

export function clientHints(headers: Headers, request: ModelRequest): ClientHints {
  const { body } = request
  const valueAt = (place: IdPlace | undefined) =>
    place === undefined ? null : valueAtPlace(place, headers, body)
  for (const known of knownClients) {
    const id = known.conversation.map(valueAt).find((value) => value !== null) ?? null
    if (id === null) continue
    const [agent, parent] = [valueAt(known.agent), valueAt(known.parent)]
    const key = `${known.client} ${id}`
    const isCompaction = known.kind !== undefined && valueAt(known.kind) === known.kind.compaction
    return {
      client: known.client,
      key: agent === null ? key : `${key} ${agent}`,
      parentKey: agent === null ? (parent === null ? null : `${known.client} ${parent}`) : key,
      window: valueAt(known.window),
      asks: isCompaction ? 'client-compaction' : asksIn(request),
      isCompacted: beginsWithSummary(request),
    }
  }
  return {
    ...{ client: null, key: null, parentKey: null, window: null },
    asks: asksIn(request),
    isCompacted: beginsWithSummary(request),
  }
}

const maxIdCharacters = 256

function valueAtPlace({ header, body: path, json }: IdPlace, headers: Headers, body: Fields) {
  const found = header === undefined ? atPath(body, path ?? []) : headers.get(header)
  const value = json === undefined ? found : fieldsOfText(String(found))?.[json]
  const isId = typeof value === 'string' && value !== '' && value.length <= maxIdCharacters
  return isId ? value : null
}

function atPath(body: Fields, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => fieldsOf(value)?.[name], body)
}

function asksIn({ reading, body, wire }: ModelRequest): ClientHints['asks'] {
  const last = reading.messages.at(-1)
  const texts = last?.role === 'user' ? textsOf(last.content) : []
  const begins = (starts: readonly string[]) =>
    texts.some((text) =>
      starts.some((start) => text.startsWith(start) || text.includes(`\n${start}`)),
    )
  if (begins(compactionRequests)) return 'client-compaction'
  const systemText = reading.system.map(({ text }) => text).join('\n')
  const isSide =
    sideRequests.some((start) => systemText.includes(start)) ||
    texts.some((text) => sideRequests.some((start) => text.startsWith(start))) ||
    // A client that asks for one token wants to know whether its key works.
    wire.replyTokens(body) === 1
  return isSide ? 'side' : 'turn'
}

function beginsWithSummary({ reading }: ModelRequest): boolean {
  return reading.messages.some(
    ({ role, content }) =>
      role === 'user' &&
      textsOf(content).some((text) => summaryOpenings.some((start) => text.startsWith(start))),
  )
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return listOf(content).flatMap((part) => {
    const { type, text } = fieldsOf(part) ?? {}
    return type === 'text' && typeof text === 'string' ? [text] : []
  })
}
