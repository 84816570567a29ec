/**
 * Which conversation a request belongs to: generated histories as clients change them between requests. Each
 * conversation has a mark in all its questions; two marks in one log mean that two conversations were merged.
 */
import { createThroughline } from 'throughline'
import { anthropicAnswer } from '../../packages/server/src/gateway/anthropic-answer.ts'
import { clientHints } from '../../packages/server/src/gateway/client-hints.ts'
import type { Search } from '../../packages/server/src/gateway/find-conversation.ts'
import { sqliteGatewayIndex } from '../../packages/server/src/gateway/gateway-index.ts'
import {
  readModelRequest,
  requestEntries,
} from '../../packages/server/src/gateway/model-request.ts'
import {
  type RequestClass,
  recordAnswer,
  recordRequest,
} from '../../packages/server/src/gateway/record-request.ts'
import { createTracks, type Tracks } from '../../packages/server/src/gateway/tracks.ts'
import { wires } from '../../packages/server/src/gateway/wire.ts'
import { seededFractions } from '../kernel/chance.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import type { PlantedBug } from '../kernel/planted.ts'

export interface IdentityOptions {
  readonly histories: number
  readonly seed: number
  readonly plant?: Plant | undefined
}

type Plant = 'openings' | 'bytes' | 'forgets'

export interface IdentityReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures<'requests' | 'expected' | 'continued' | 'merged' | 'conversations'>
}

interface WireMessage {
  readonly role: 'user' | 'assistant'
  readonly content: string | readonly Block[]
}

interface Block {
  readonly type: string
  readonly [name: string]: unknown
}

/** What happens to a history between two requests. */
const changes = [
  ...(['respelled', 'edit', 'regenerate', 'undo', 'compacted', 'opening', 'agents'] as const),
] as const

export async function runIdentity({
  histories,
  seed,
  plant,
}: IdentityOptions): Promise<IdentityReport> {
  const random = seededFractions(seed)
  const world = createWorld(plant)
  const findings: Finding[] = []
  const figures = { requests: 0, expected: 0, continued: 0, merged: 0, conversations: 0 }
  const expect = (asked: Asked, what: string, holds: boolean) => {
    figures.expected += 1
    if (holds) figures.continued += 1
    else findings.push({ rule: 'continued', detail: `${what}: ${asked.class} by ${asked.by}` })
  }
  for (let number = 0; number < histories; number += 1) {
    const change = changes[number % changes.length] ?? 'edit'
    // Half of the clients send no id at all.
    const session = number % 2 === 0 ? `session-${seed}-${number}` : null
    const turns = 2 + Math.floor(random() * 7)
    const talk = createTalk(world, session, `mark${number}x`, random)
    const before = await talk.turns(turns, change === 'opening' ? 'Hello.' : null)
    for (const asked of before.slice(1))
      expect(asked, 'a further turn', asked.id === before[0]?.id && asked.class === 'continue')
    const id = before.at(-1)?.id ?? ''
    switch (change) {
      case 'respelled': {
        const asked = await talk.ask(talk.history.map((message) => respell(message, random)))
        expect(asked, 'another spelling', asked.id === id)
        break
      }
      case 'edit': {
        const at = 2 * Math.floor(random() * (turns - 1)) + 2
        const edited = { role: 'user', content: `${talk.mark} said otherwise` } as const
        const asked = await talk.ask([...talk.history.slice(0, at), edited])
        expect(asked, 'an edit', at < talk.history.length ? asked.class === 'edit' : true)
        const next = await talk.next()
        expect(next, 'after an edit', next.id === asked.id)
        break
      }
      case 'regenerate': {
        const asked = await talk.ask(talk.history.slice(0, -1))
        expect(asked, 'again', asked.class === 'regenerate' && asked.id !== id)
        break
      }
      case 'undo': {
        const kept = talk.history.slice(0, 2 * Math.ceil(random() * (turns - 1)))
        const asked = await talk.ask([...kept, question(talk.mark, 99)])
        expect(asked, 'an undo', asked.class === 'edit' && asked.id !== id)
        break
      }
      case 'compacted': {
        const tail = 1 + Math.floor(random() * 8)
        const summary = {
          role: 'user',
          content: 'This session is being continued from a previous conversation. They chose blue.',
        } as const
        const kept = talk.history.slice(-Math.min(tail, talk.history.length - 1))
        // The summary is the user's, so that an answer comes first in the tail.
        const from = kept.findIndex(({ role }) => role === 'assistant')
        const isNamed = session !== null || kept.slice(from).some(isDistinct)
        const asked = await talk.ask([summary, ...kept.slice(from), question(talk.mark, 50)])
        expect(asked, 'after a compaction', asked.id === id || !isNamed)
        const next = await talk.next()
        const continues = next.id === asked.id && next.class === 'continue'
        expect(next, 'further after a compaction', continues)
        break
      }
      case 'opening': {
        const other = createTalk(
          world,
          session === null ? null : `${session}-b`,
          `mark${number}y`,
          random,
        )
        await other.turns(turns, 'Hello.')
        const [mine, theirs] = [await talk.next(), await other.next()]
        expect(mine, 'beside an equal opening', mine.id !== theirs.id && mine.class === 'continue')
        break
      }
      case 'agents': {
        const agents = Array.from({ length: 8 }, (_, agent) =>
          createTalk(
            world,
            session,
            `mark${number}a${agent}z`,
            random,
            session === null ? null : `agent-${agent}`,
          ),
        )
        const first = await Promise.all(agents.map((agent) => agent.turns(1, null)))
        const second = await Promise.all(agents.map((agent) => agent.next()))
        for (const [agent, asked] of second.entries())
          expect(asked, 'a sub-agent', asked.id === first[agent]?.[0]?.id)
        const parent = await talk.next()
        expect(parent, 'beside sub-agents', parent.id === id)
        break
      }
    }
  }
  figures.requests = world.requests()
  for (const { id, marks } of await world.marks()) {
    figures.conversations += 1
    if (marks.size < 2) continue
    figures.merged += 1
    findings.push({ rule: 'merged', detail: `${id} has ${[...marks].join(' and ')}` })
  }
  await world.close()
  return { findings, figures }
}

interface Asked {
  readonly id: string
  readonly class: RequestClass
  readonly by: string
}

function createTalk(
  world: ReturnType<typeof createWorld>,
  session: string | null,
  mark: string,
  random: () => number,
  agent: string | null = null,
) {
  let history: readonly WireMessage[] = []
  let number = 0
  const headers = new Headers({
    ...(session !== null && { 'x-claude-code-session-id': session }),
    ...(agent !== null && { 'x-claude-code-agent-id': agent }),
  })
  const ask = async (messages: readonly WireMessage[]): Promise<Asked> => {
    number += 1
    // Short answers are alike in many conversations.
    const words =
      random() < 0.3 ? 'Yes.' : `Answer ${number} to the question of ${mark.replace('mark', 'm-')}.`
    const answer: WireMessage = { role: 'assistant', content: [{ type: 'text', text: words }] }
    const asked = await world.ask(messages, headers, answer)
    history = [...messages, answer]
    return asked
  }
  const next = () => ask([...history, question(mark, number)])
  return {
    mark,
    ask,
    next,
    get history() {
      return history
    },
    turns: async (count: number, opening: string | null): Promise<readonly Asked[]> => {
      const all: Asked[] = []
      for (let turn = 0; turn < count; turn += 1)
        all.push(
          turn === 0 && opening !== null
            ? await ask([{ role: 'user', content: opening }])
            : await next(),
        )
      return all
    },
  }
}

/** Without an id, a short answer could belong to any conversation. */
function isDistinct({ role, content }: WireMessage): boolean {
  return role === 'assistant' && JSON.stringify(content).includes('Answer')
}

function question(mark: string, number: number): WireMessage {
  return { role: 'user', content: `${mark} question ${number}` }
}

function respell({ role, content }: WireMessage, random: () => number): WireMessage {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  const [first] = blocks
  const text = String(first?.['text'] ?? '')
  const kind = Math.floor(random() * 4)
  if (kind === 0)
    return { role, content: [{ type: 'text', text, cache_control: { type: 'ephemeral' } }] }
  if (kind === 1) return { role, content: role === 'user' ? text : blocks }
  if (kind === 2) return { role, content: [{ type: 'text', text: `${text}\n` }] }
  return { role, content: blocks.map((block) => ({ ...block })) }
}

function createWorld(plant: Plant | undefined) {
  const throughline = createThroughline()
  const index = sqliteGatewayIndex(':memory:')
  const tracks = withPlanted(createTracks(index), plant)
  let newest: string | null = null
  const searchIndex = {
    ...index,
    ...(plant === 'forgets' && { add: () => {} }),
    ...(plant === 'openings' && {
      find: () => (newest === null ? [] : [newest]),
    }),
  }
  let requests = 0
  return {
    requests: () => requests,
    ask: async (
      messages: readonly WireMessage[],
      headers: Headers,
      answer: WireMessage,
    ): Promise<Asked> => {
      requests += 1
      const text = JSON.stringify({ model: 'claude-opus-5-5', max_tokens: 100, messages })
      const request = readModelRequest(wires.anthropic, text, { model: null, isStream: false })
      if (request === null) throw new Error('the request is not read')
      const search: Search = {
        ...{ tenant: throughline, tenantName: 'default', index: searchIndex, tracks, given: null },
        hints: clientHints(headers, request),
      }
      const recorded = await recordRequest(search, request, requestEntries(request))
      newest = recorded.id
      const collected = anthropicAnswer.whole({ ...answer, stop_reason: 'end_turn' })
      await recordAnswer(search, recorded, request, {
        answer: collected,
        isWhole: true,
        fingerprint: null,
      })
      return { id: recorded.id, class: recorded.class, by: recorded.by }
    },
    marks: async () => {
      const all: { readonly id: string; readonly marks: ReadonlySet<string> }[] = []
      for (let after: string | undefined; ; ) {
        const page = await throughline.list({ limit: 1000, ...(after !== undefined && { after }) })
        for (const { id } of page) {
          const marks = new Set<string>()
          for await (const { parts } of throughline.conversation(id).messages())
            for (const [mark] of JSON.stringify(parts).matchAll(/mark\d+[a-z]\d*z?/g))
              marks.add(mark)
          all.push({ id, marks })
        }
        after = page.at(-1)?.id
        if (page.length < 1000) return all
      }
    },
    close: async () => {
      await throughline.close()
      index.close()
    },
  }
}

/** The mistakes of other gateways. */
function withPlanted(tracks: Tracks, plant: Plant | undefined): Tracks {
  return {
    ...tracks,
    load: async (log, id) => {
      const track = await tracks.load(log, id)
      if (track === null) return null
      // Only the opening is compared, so that all that begins alike is one conversation.
      if (plant === 'openings') return { ...track, entries: track.entries.slice(0, 1) }
      // Bytes are compared, and clients write the same message in other bytes.
      if (plant === 'bytes')
        return {
          ...track,
          entries: track.entries.map((entry) => ({ ...entry, key: `${entry.key}!` })),
        }
      return track
    },
  }
}

export const plantedIdentity: readonly PlantedBug[] = [
  { bug: 'comparing openings alone', rule: 'merged', find: () => planted('openings') },
  { bug: 'comparing bytes', rule: 'continued', find: () => planted('bytes') },
  { bug: 'forgetting what has passed', rule: 'continued', find: () => planted('forgets') },
]

async function planted(plant: Plant): Promise<readonly Finding[]> {
  return (await runIdentity({ histories: 30, seed: 1, plant })).findings
}
