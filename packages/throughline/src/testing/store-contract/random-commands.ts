/** Random commands from a seed: valid and invalid ones, on conversations that share messages. */
import { derivedKinds, kindNames } from '../../domain/derived-kinds.ts'
import type { DerivedKind, DerivedRow } from '../../domain/derived-row.ts'
import type { EventBody } from '../../domain/event.ts'
import type { MessageInput } from '../../domain/message.ts'
import type { RecordedRow, RowQuery, TenantStore } from '../../ports/store.ts'
import type { Script } from './compare.ts'
import { index, lookAround, lookAt, search } from './look.ts'
import { hardText, sampleRows, sampleTurn } from './sample-rows.ts'
import { asId, type StoreCommands } from './store-commands.ts'

const ids = ['a', 'b', 'c', 'd', 'e']
const steps = 60
/** So few for each seed that rows of one kind meet often. */
const kindsOfSeed = 4

type Command = (commands: StoreCommands, draw: Draw) => Promise<unknown>

/** Rows, messages and their changes. */
export function randomCommands(seed: number): Script {
  const rows = [commitRows, commitRows, commitRows, record, record]
  return randomSteps(seed, [...rows, append, append, fork, fork, rewrite, others, purge])
}

/** The search index, with messages and their changes. */
export function randomSearches(seed: number): Script {
  return randomSteps(seed, [append, indexPieces, indexPieces, fork, rewrite, others, purge])
}

function randomSteps(seed: number, all: readonly Command[]): Script {
  return async (commands) => {
    const { tenant } = commands
    const draw = new Draw(seed)
    for (let step = 0; step < steps; step += 1) {
      // Errors are outcomes too, and are compared.
      await draw
        .from(all)(commands, draw)
        .catch(() => null)
      const queries = Array.from({ length: 8 }, () => anyQuery(draw))
      await lookAt(tenant, draw.from(ids), queries)
      if (step % 8 === 0) await lookAround(tenant, ids)
    }
    for (const each of [tenant, commands.of('other').tenant]) await lookAround(each, ids)
  }
}

const append: Command = (commands, draw) => {
  commands.now = 1_000 + draw.below(50)
  const messages = draw.list(5, () => anyMessage(draw))
  const isBatch = draw.isOneIn(6)
  const batch = isBatch ? messages.map(({ key: _, ...message }) => message) : messages
  const head = draw.isOneIn(9) ? { head: draw.below(4) } : {}
  const options = { ...(isBatch && { key: 'batch' }), ...head }
  // Fewer than there are, so that forks find free ids.
  const id = draw.from(ids.slice(0, 3))
  return (draw.isOneIn(6) ? commands.of('other') : commands).append(id, batch, options)
}

function anyMessage(draw: Draw): MessageInput {
  const callId = draw.from(['1', '2'])
  const content = draw.from<MessageInput['content']>([
    ...['x', 'y', hardText],
    [{ type: 'tool-call', callId, name: 'n', input: '{}' }],
    [{ type: 'tool-result', callId, output: 'o' }],
    [{ type: 'file', mediaType: 'text/plain', data: draw.from(['aGk=', 'aG8=']) }],
  ])
  return {
    role: draw.from(['user', 'assistant']),
    content,
    ...(draw.isOneIn(4) && { key: draw.from(['k', 'l', 'm']) }),
    ...(draw.isOneIn(4) && { createdAt: draw.below(99) }),
    ...(draw.isOneIn(5) && { raw: draw.from(['{"as": "read"}', Uint8Array.from([0, 255, 7])]) }),
    ...(draw.isOneIn(5) && { origin: draw.from(['agent', 'application']) }),
  }
}

const fork: Command = (commands, draw) =>
  commands.fork(draw.from(ids), draw.below(7), draw.from(ids))

const rewrite: Command = async (commands, draw) => {
  const id = draw.from(ids)
  const seq = draw.below(9)
  const { key: _, ...message } = anyMessage(draw)
  const forks = draw.from(['refuse', 'purge'] as const)
  return draw.from<() => Promise<unknown>>([
    () => commands.edit(id, seq, message),
    () => commands.edit(id, seq, message),
    () => commands.remove(id, seq, seq + 1 + draw.below(3)),
    () => commands.purgeMessage(id, seq, forks),
  ])()
}

const purge: Command = (commands, draw) =>
  commands.purge(draw.from(ids), draw.from(['refuse', 'purge', 'purge']))

const others: Command = async (commands, draw) => {
  const { tenant } = commands
  const [id, parent] = [draw.from(ids), asId(draw.from(ids))]
  const title = hardText.toWellFormed()
  await draw.from<() => Promise<unknown>>([
    () =>
      commands.create(id, {
        ...{ title: 'T', meta: { a: [1] } },
        parent: { conversationId: parent, callId: draw.from([null, '1']) },
      }),
    () => commands.commit(id, { fields: { title, titleFrom: draw.below(4) } }),
    () => commands.commit(id, { fields: { title, meta: { id } } }),
  ])()
  const except = draw.list(4, (at) => at * 2 + draw.below(2))
  const from = draw.below(6)
  await tenant.read({ id: asId(id), span: { from, to: from + draw.below(7) }, except })
  await tenant.read({ id: asId(id), before: draw.below(12), limit: draw.below(5) })
  await tenant.events({ id: asId(id), after: draw.below(5), limit: draw.below(4) })
  const page = { after: parent, limit: draw.below(3) }
  await tenant.list({ by: 'id', ...page, parent: draw.isOneIn(2) ? asId(id) : null })
  await tenant.list({ by: 'latest', limit: draw.below(3) })
}

const events: readonly EventBody[] = [
  { kind: 'pins-changed', pins: [0] },
  { kind: 'epoch-began', model: hardText, epoch: 3, cause: 'trigger' },
  { kind: 'facts-extracted', to: 2 },
  { kind: 'message-digested', seq: 1, degraded: null, calls: 4, costUsd: 0.25 },
  { kind: 'turn-remembered', turn: 1, messages: { from: 0, to: 2 } },
  {
    ...{ kind: 'compaction-finished', receipt: 1, model: 'm', epoch: 3, line: 1 },
    ...{ reason: 'manual', tokensBefore: null, tokensAfter: 350.5 },
  },
]

const commitRows: Command = async ({ tenant }, draw) => {
  const id = asId(draw.from(ids))
  const { version = 0, head } = (await tenant.load({ id }))?.conversation ?? { head: 0 }
  const keyOf = ({ kind, key }: DerivedRow) => ({ kind, key })
  const control = {
    mode: 'shadow',
    asked: null,
    suspended: [{ model: hardText, version }],
  } as const
  return tenant.commit({
    id,
    expectedVersion: version + (draw.isOneIn(9) ? 1 : 0),
    ...(draw.isOneIn(3) && {
      fields: {
        ...(draw.isOneIn(2) && { pins: draw.list(4, (at) => at * 2 + draw.below(2)) }),
        ...(draw.isOneIn(2) && { pinnedTo: draw.below(6) }),
        ...(draw.isOneIn(2) && { compaction: control }),
        ...(draw.isOneIn(2) && { title: draw.from(['U', null]) }),
      },
    }),
    ...(draw.isOneIn(3) && {
      drop: draw.list(3, () => keyOf(sampleRow(draw))).filter(({ kind }) => !ofTurns.has(kind)),
    }),
    ...(draw.isOneIn(3) && {
      relabel: draw.list(3, () => ({ ...keyOf(sampleRow(draw)), label: draw.from(['z', null]) })),
    }),
    put: await anyRows(tenant, { id, head }, draw),
    events: [draw.from(events), ...draw.list(2, () => draw.from(events))],
    at: 9,
  })
}

/** Rows that a store accepts, and seldom one that it has to refuse. */
async function anyRows(tenant: TenantStore, { id, head }: At, draw: Draw) {
  const rows = draw.list(9, () => anyRow(draw, head + (draw.isOneIn(20) ? 1 : 0)))
  const loaded = await tenant.load({ id, rows: [{ kind: 'turn', order: 'last', limit: 1 }] })
  const [last] = loaded?.rows[0] ?? []
  const turn = (last?.position ?? 0) + (draw.isOneIn(12) ? 2 : 1)
  // A turn of messages that do not exist yet is refused.
  const isDone = turn * 2 <= head || draw.isOneIn(12)
  const turns = isDone && draw.isOneIn(2) ? sampleTurn(turn, id) : []
  return [...rows.filter((each) => each !== null), ...turns]
}

interface At {
  readonly id: ReturnType<typeof asId>
  readonly head: number
}

/** Written together, with the next number. */
const ofTurns: ReadonlySet<DerivedKind> = new Set(['turn', 'step'])

function anyRow(draw: Draw, head: number): DerivedRow | null {
  const sample = sampleRow(draw)
  const { positions } = derivedKinds[sample.kind]
  if (ofTurns.has(sample.kind) || (positions === 'message' && head === 0)) return null
  const position = positions === 'message' ? draw.below(head) : draw.below(8)
  return {
    ...sample,
    position: draw.isOneIn(50) ? -1 : position,
    bound: sample.bound ?? draw.from([null, null, draw.below(9)]),
    label: draw.from([null, 'x', 'y']),
  }
}

const models = [hardText, hardText.toWellFormed()].map((name) => JSON.stringify(name))

function sampleRow(draw: Draw): DerivedRow {
  const { kind, ...sample } = draw.from(sampleRows[draw.from(draw.kinds)])
  const isOpaque = typeof derivedKinds[kind].remains === 'string'
  return {
    kind,
    ...sample,
    ...(sample.key === '' && draw.isOneIn(2) && { key: draw.from(models) }),
    ...(isOpaque && { body: JSON.stringify(`${hardText} ${draw.below(99)}`) }),
  }
}

function anyQuery(draw: Draw): RowQuery {
  const kind = draw.from(draw.kinds)
  const from = draw.below(5)
  const key = draw.from([...models, '', '3', { labelOf: { kind: draw.from(draw.kinds), key: '' } }])
  return {
    kind,
    ...(draw.isOneIn(4) && { key }),
    ...(draw.isOneIn(3) && { label: draw.from(['x', null]) }),
    ...(draw.isOneIn(3) && { span: { from, to: from + draw.below(5) } }),
    ...(draw.isOneIn(3) && { boundTo: draw.below(9) }),
    ...(draw.isOneIn(2) && { order: draw.from(['first', 'last', 'least', 'most'] as const) }),
    ...(draw.isOneIn(2) && { limit: draw.below(4) }),
    ...(draw.isOneIn(4) && { skip: draw.below(3) }),
    ...(draw.isOneIn(5) && { bare: true }),
    ...(draw.isOneIn(4) && { own: true }),
    ...(draw.isOneIn(4) && { unlessVersion: draw.below(5) }),
  }
}

const record: Command = async ({ tenant }, draw) => {
  const id = asId(draw.from(ids))
  const query = { kind: 'receipt', order: 'last', limit: 1 } as const
  const loaded = await tenant.load({ id, rows: [query] })
  const { rewrites = 0, head } = loaded?.conversation ?? { head: 0 }
  const [waiting] = loaded?.rows[0] ?? []
  const bound = draw.isOneIn(4) ? 98 : (waiting?.bound ?? null)
  const keepsSame = draw.isOneIn(2)
  const put = (await anyRows(tenant, { id, head }, draw)).map(
    (each): RecordedRow => ({
      ...each,
      ...(derivedKinds[each.kind].positions === 'running' && { position: 'next' }),
      ...(keepsSame && { keepsSame }),
    }),
  )
  return tenant.record({
    id,
    put: waiting && draw.isOneIn(3) ? [{ ...waiting, bound: draw.from([null, 5]) }] : put,
    ...(draw.isOneIn(4) && { drop: [{ kind: 'asking', key: '' }] }),
    ...(draw.isOneIn(3) && {
      annotate: { kind: 'receipt', value: { from: draw.below(2), to: 2 } },
    }),
    ...(draw.isOneIn(2) && {
      onlyIf: {
        serial: (loaded?.serial ?? 0) + (draw.isOneIn(6) ? 0.5 : 0),
        rewrites: rewrites + (draw.isOneIn(6) ? 1 : 0),
        ...(waiting && draw.isOneIn(2) && { row: { ...waiting, bound } }),
      },
    }),
    ...(draw.isOneIn(3) && { events: [draw.from(events)], at: 11 }),
  })
}

const terms = ['abc', 'ab', 'Abc', '\ud83d', '\ufffd', 'abcd', '"']
const names = ['ABCD/ef', 'xabc', '東京都', '\ud83d\ud83dx']

const indexPieces: Command = async ({ tenant }, draw) => {
  const id = draw.from(ids)
  const { indexedTo = 0 } = (await search(tenant, id, {})) ?? {}
  const { head = 0 } = (await tenant.load({ id: asId(id) }))?.conversation ?? {}
  const to = draw.isOneIn(9) ? 99 : Math.min(head, indexedTo + draw.below(6))
  let [seq, part] = [indexedTo - 1, 0]
  const pieces = draw.list(6, () => {
    const isSame = seq >= indexedTo && draw.isOneIn(3)
    if (isSame) part += 1
    else [seq, part] = [seq + 1, 0]
    const place = draw.isOneIn(8) ? seq - 1 : seq
    const words = { terms: draw.list(4, () => draw.from(terms)), length: draw.below(5) }
    return { seq: place, part, ...words, names: draw.list(2, () => draw.from(names)) }
  })
  const wrong = draw.from([
    { from: indexedTo - 1 },
    { from: indexedTo + 1 },
    { chain: 'ab'.repeat(32) },
  ])
  const within = pieces.filter((piece) => piece.seq < to)
  await index(tenant, id, { to, pieces: within, ...(draw.isOneIn(5) && { wrong }) })
  await searchAll(tenant, draw)
}

async function searchAll(tenant: TenantStore, draw: Draw): Promise<void> {
  const partsOfNames = ['bcd', 'ABC', 'abcd/E', '東京都', '\ufffd\ufffdX', 'ab']
  const before = draw.isOneIn(3) ? draw.below(9) : 99
  for (const id of ids)
    await search(tenant, id, {
      terms: [...terms, 'abc'],
      partsOfNames,
      before,
      most: draw.below(9),
    })
}

/** The same choices for the same seed. */
class Draw {
  #state: number

  readonly kinds: readonly DerivedKind[]

  constructor(seed: number) {
    this.#state = seed
    const first = (seed * kindsOfSeed) % kindNames.length
    this.kinds = [...kindNames, ...kindNames].slice(first, first + kindsOfSeed)
  }

  /** A whole number from 0 to before the limit. */
  below(limit: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % limit
  }

  isOneIn(count: number): boolean {
    return this.below(count) === 0
  }

  from<Item>(items: readonly Item[]): Item {
    // Safe cast: no list is empty.
    return items[this.below(items.length)] as Item
  }

  /** Up to so many items, without the last. */
  list<Item>(limit: number, item: (index: number) => Item): Item[] {
    return Array.from({ length: this.below(limit) }, (_, at) => item(at))
  }
}
