/** Finds the conversation that a request belongs to, among those of its tenant. Reads only. */
import { createHash } from 'node:crypto'
import type { Awaitable } from '../access.ts'
import { type Alignment, align } from './align.ts'
import { fieldsOf, textOf } from './answer.ts'
import type { ClientHints } from './client-hints.ts'
import type { GatewayIndex } from './gateway-index.ts'
import type { Entry, ModelRequest } from './model-request.ts'
import type { TenantLog, Track, Tracks } from './tracks.ts'

export type FoundBy = 'header' | 'client-id' | 'passed-id' | 'history' | 'new'

export interface Found {
  readonly by: FoundBy
  readonly id: string
  readonly track: Track
  readonly alignment: Exclude<Alignment, { readonly kind: 'unrelated' }>
}

export interface Search extends TenantLog {
  readonly index: GatewayIndex
  readonly tracks: Tracks
  readonly hints: ClientHints
  /** The id that the caller gave the conversation. */
  readonly given: string | null
}

/** Null where the request belongs to none, or where it begins one. */
export async function findConversation(
  search: Search,
  request: ModelRequest,
  entries: readonly Entry[],
): Promise<Found | null> {
  let fork: Found | null = null
  const seen = new Set<string>()
  for (const [by, candidates] of sources(search, request, entries)) {
    const found = await bestOf(search, by, await candidates(), { entries, seen })
    if (found !== null && found.alignment.kind !== 'fork') return found
    fork ??= found
  }
  return fork
}

/** In the order of how sure they are; a later one is asked only if no earlier one continues. */
function sources(
  { index, tenantName, hints, given }: Search,
  request: ModelRequest,
  entries: readonly Entry[],
): readonly (readonly [FoundBy, () => Awaitable<readonly string[]>])[] {
  const find = (ids: readonly string[]) => index.find(tenantName, ids)
  if (given !== null) return [['header', async () => [...(await find([headerId(given)])), given]]]
  const { key } = hints
  return [
    ['client-id', () => (key === null ? [] : find([clientId(key)]))],
    ['passed-id', () => find([...passedIds(request).map(passedId), ...answerIds(entries)])],
    ['history', () => find(historyIds(entries))],
  ]
}

const rank = {
  continue: 3,
  interrupted: 2,
  'answer-changed': 2,
  'client-compacted': 1,
  fork: 0,
} as const

async function bestOf(
  search: Search,
  by: FoundBy,
  candidates: readonly string[],
  { entries, seen }: { readonly entries: readonly Entry[]; readonly seen: Set<string> },
): Promise<Found | null> {
  const { tracks, hints } = search
  let best: Found | null = null
  for (const id of candidates) {
    if (seen.has(id)) continue
    seen.add(id)
    const track = await tracks.load(search, id)
    if (track === null) continue
    const alignment = align(track.entries, entries, {
      saysCompacted: hints.isCompacted,
      isNamed: by === 'header' || by === 'client-id',
    })
    if (alignment.kind === 'unrelated') continue
    const found: Found = { by, id, track, alignment }
    if (best === null || weight(found) > weight(best)) best = found
  }
  return best
}

/** More of the history in common counts among those of a kind. */
function weight({ alignment, track }: Found): number {
  const known =
    'known' in alignment
      ? alignment.known
      : alignment.places.filter((place) => place !== null).length
  return rank[alignment.kind] * 1e6 + Math.min(known, track.entries.length)
}

export function headerId(given: string): string {
  return `header ${given}`
}

export function clientId(key: string): string {
  return `client ${key}`
}

export function passedId(id: string): string {
  return `passed ${id}`
}

const idsAtMost = 24

/** Ids in the newest messages that an upstream made, the newest first. */
function passedIds({ reading, body, wire }: ModelRequest): readonly string[] {
  const list = body[wire.list]
  const ids: string[] = []
  const previous = textOf(body['previous_response_id'])
  if (previous !== '') ids.push(previous)
  for (let at = reading.messages.length - 1; at >= 0 && ids.length < idsAtMost; at -= 1) {
    const content = reading.messages[at]?.content
    for (const part of Array.isArray(content) ? content.toReversed() : []) {
      const { callId, signature } = fieldsOf(part) ?? {}
      ids.push(...[textOf(callId), textOf(signature)].filter((id) => id.length >= longIdCharacters))
    }
    const item = fieldsOf(
      Array.isArray(list) ? list[list.length - reading.messages.length + at] : null,
    )
    const id = textOf(item?.['id'])
    if (id.length >= longIdCharacters) ids.push(id)
  }
  return [...new Set(ids)]
}

/** Some services number the calls of an answer: such ids are of many conversations. */
export const longIdCharacters = 12

const answersAtMost = 4

/** The newest answers: a client that compacts keeps one of them word for word. */
function answerIds(entries: readonly Entry[]): readonly string[] {
  const answers = entries.filter(({ role, isDistinct }) => role === 'assistant' && isDistinct)
  return answers.slice(-answersAtMost).reverse().map(answerId)
}

export function answerId({ key }: Entry): string {
  return `answer ${key}`
}

const historiesAtMost = 64

/** The histories up to each answer, the longest first. */
function historyIds(entries: readonly Entry[]): readonly string[] {
  const ids: string[] = []
  let chain = ''
  for (const entry of entries) {
    chain = nextChain(chain, entry)
    if (entry.role === 'assistant') ids.push(historyId(chain))
  }
  return ids.reverse().slice(0, historiesAtMost)
}

export function historyIdOf(entries: readonly Entry[]): string {
  return historyId(entries.reduce(nextChain, ''))
}

function historyId(chain: string): string {
  return `history ${chain}`
}

function nextChain(chain: string, { role, key }: Entry): string {
  return createHash('sha256').update(`${chain} ${role} ${key}`).digest('base64url')
}
