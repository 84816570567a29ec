/**
 * The body of a compacted request. What a context shows whole has the bytes of the client's own request; only
 * what replaces other messages is written by us.
 */
import type { Context, ContextMessage, Seq } from 'throughline'
import { type Fields, fieldsOf, listOf, objectsIn } from './answer.ts'
import { hintIn, withOnlyHint } from './cache-hints.ts'
import { type ModelRequest, messageText } from './model-request.ts'
import { fieldSpans, itemSpans, textAt } from './raw-json.ts'
import type { Wire } from './wire.ts'

/** A message as it is sent. */
interface Piece {
  readonly side: 'user' | 'model' | 'system'
  readonly text: string
  /** Null for text of ours. */
  readonly seq: Seq | null
  /** Its place in the client's request, if it is there. */
  readonly at?: number
}

/** The original bytes of messages that the request does not have itself. */
type ReadOriginal = (seq: Seq) => Promise<Uint8Array | null>

export interface Rendering {
  readonly request: ModelRequest
  readonly context: Context
  readonly placed: ReadonlyMap<Seq, readonly number[]>
  /** Cut answers that the client does not have. */
  readonly dropped: readonly Seq[]
  readonly original: ReadOriginal
  /** Messages of the request that are not in the context, which come after it. */
  readonly next: readonly number[]
}

export async function renderBody(rendering: Rendering): Promise<string> {
  const { request } = rendering
  const { text, listSpan, opening, wire } = request
  const pieces = [...(await piecesOf(rendering)), ...nextPieces(rendering)]
  const placed = wire.name === 'anthropic-messages' ? withPlacedSystem(pieces, wire) : pieces
  const joined = wire.joins === null ? placed : joinSides(placed, wire.joins)
  const items = [...opening.map((span) => textAt(text, span)), ...joined.map((piece) => piece.text)]
  return `${text.slice(0, listSpan.start)}[${items.join(',')}]${text.slice(listSpan.end)}`
}

/** Whether the context leaves anything out; if not, the client's own bytes are sent. */
export function isCompacted({ omitted, messages }: Context): boolean {
  return omitted.length > 0 || messages.some(({ slot }) => slot === 'recalled')
}

async function piecesOf({
  request,
  context,
  placed,
  dropped,
  original,
}: Rendering): Promise<readonly Piece[]> {
  const { wire } = request
  const changed = changedPlaces(context)
  const done = new Set<Seq>()
  const pieces: Piece[] = []
  const extra = systemOfOurs(context, request)
  if (extra !== null) pieces.push(...writtenPieces(extra, context, wire))
  for (const message of withoutDropped(context, new Set(dropped))) {
    const { seq } = message
    const indexes = seq === null ? undefined : placed.get(seq)
    if (seq === null || changed.has(seq)) {
      const hints = (indexes ?? []).map((at) => hintIn(messageText(request, at)))
      pieces.push(...writtenPieces(message, context, wire, hints.at(-1) ?? null))
    } else if (!done.has(seq)) {
      done.add(seq)
      const side = sideOf(message)
      if (indexes !== undefined)
        for (const at of indexes) pieces.push({ side, seq, at, text: messageText(request, at) })
      else pieces.push(...(await originalPieces(message, context, { wire, original })))
    }
  }
  return pieces
}

/** Without the results and the ending that a context adds where such an answer is. */
function withoutDropped(
  { messages, repairs }: Context,
  dropped: ReadonlySet<Seq>,
): readonly ContextMessage[] {
  const isDropped = (message: ContextMessage | undefined) =>
    message !== undefined && message.seq !== null && dropped.has(message.seq)
  const calls = new Set(messages.filter(isDropped).flatMap(callIdsOf))
  const isEnded = repairs.some(({ kind }) => kind === 'ending-added') && isDropped(messages.at(-2))
  return (isEnded ? messages.slice(0, -1) : messages).filter(
    (message) =>
      !isDropped(message) &&
      (message.seq !== null || !callIdsOf(message).some((id) => calls.has(id))),
  )
}

function callIdsOf({ parts }: ContextMessage): readonly string[] {
  return parts.flatMap((part) => ('callId' in part ? [part.callId] : []))
}

function nextPieces({ request, next }: Rendering): readonly Piece[] {
  return next.map((at) => {
    const role = request.reading.messages[at]?.role ?? 'user'
    return { side: sideOf({ role }), seq: nextPlace + at, at, text: messageText(request, at) }
  })
}

/** Above all places of a log, so that it is no neighbour of one. */
const nextPlace = 2 ** 40

/** Messages that are not shown as they are in the log. */
function changedPlaces({ omitted, repairs }: Context): ReadonlySet<Seq> {
  const stubbed = omitted.flatMap(({ why, span }) =>
    why === 'stubbed' && span !== null ? [span.from] : [],
  )
  const repaired = repairs.flatMap(({ kind, seq }) =>
    seq === null || unchanged.has(kind) ? [] : [seq],
  )
  return new Set([...stubbed, ...repaired])
}

/** Repairs beside a message: it is shown as it is. */
const unchanged: ReadonlySet<string> = new Set([
  ...['call-without-result', 'result-moved', 'opening-added', 'ending-added'],
])

async function originalPieces(
  message: ContextMessage,
  context: Context,
  { wire, original }: { readonly wire: Wire; readonly original: ReadOriginal },
): Promise<readonly Piece[]> {
  const bytes = message.seq === null ? null : await original(message.seq)
  const text = bytes === null ? null : new TextDecoder().decode(bytes)
  // An answer is stored in the form of the log, and a text of another API is no message of this one.
  if (text === null || !isOfClient(text, message) || text.includes('"cache_control"'))
    return writtenPieces(message, context, wire)
  return [{ side: sideOf(message), seq: message.seq, text }]
}

/** Only an answer may have no original of a client. */
function isOfClient(text: string, { role }: ContextMessage): boolean {
  if (!text.startsWith('{')) return false
  const { role: named, parts } = role === 'assistant' ? (fieldsOf(JSON.parse(text)) ?? {}) : {}
  return named !== 'assistant' || parts === undefined
}

function sideOf({ role }: Pick<ContextMessage, 'role'>): Piece['side'] {
  return role === 'assistant' ? 'model' : role === 'system' ? 'system' : 'user'
}

/** Texts that the policy puts beside the system prompt, whose own bytes stay as they are. */
function systemOfOurs({ system }: Context, { reading }: ModelRequest): ContextMessage | null {
  const own = new Set(reading.system.map(({ text }) => text))
  const parts = system.filter(({ text }) => !own.has(text))
  if (parts.length === 0) return null
  return { role: 'user', author: null, meta: null, seq: null, slot: 'summary', parts }
}

/**
 * Writes one message as the API wants it. An adapter writes whole requests and drops calls without results, so
 * the message gets neighbours, which are cut off again.
 */
function writtenPieces(
  message: ContextMessage,
  context: Context,
  wire: Wire,
  /** Of the client, for the last block. */
  hint: Fields | null = null,
): readonly Piece[] {
  // A shortened prompt of the application keeps its role; texts of ours never have it.
  if (message.role === 'system' && message.seq !== null) return systemPieces(message, context, wire)
  const shown: ContextMessage = message.role === 'system' ? { ...message, role: 'user' } : message
  const list = wire.write({
    ...{ system: [], tools: [], breakpoints: [], files: context.files },
    messages: withNeighbours(shown),
  })
  const isModel = shown.role === 'assistant'
  const lastModel = list.findLastIndex((each) => wire.isOfModel(each))
  const own = isModel
    ? list.filter((each) => wire.isOfModel(each))
    : list.slice(shown.role === 'tool' ? lastModel + 1 : 0)
  const side = isModel ? 'model' : 'user'
  const sent = wire.name === 'gemini-contents' ? own.map(withoutResponseIds) : own
  return sent.map((each, index) => {
    const hinted = withOnlyHint(each, index === sent.length - 1 ? hint : null)
    return { side, seq: null, text: JSON.stringify(hinted) }
  })
}

/** Its call may have an id of the client, so a result that we write answers it by its name. */
function withoutResponseIds(content: Fields): Fields {
  const parts = objectsIn(content['parts']).map((part): Fields => {
    const { id: _, ...response } = fieldsOf(part['functionResponse']) ?? {}
    return 'functionResponse' in part ? { ...part, functionResponse: response } : part
  })
  return { ...content, parts }
}

function systemPieces(message: ContextMessage, context: Context, wire: Wire): readonly Piece[] {
  const filler = {
    ...message,
    seq: null,
    meta: null,
    role: 'user',
    parts: [textPart('…')],
  } as const
  const list = wire.write({
    ...{ system: [], tools: [], breakpoints: [], files: context.files },
    messages: [filler, message],
  })
  const [first, ...own] = list
  if (own.length > 0) {
    return own.map((each) => {
      const side = ['system', 'developer'].includes(String(each['role'])) ? 'system' : 'user'
      return { side, seq: null, text: JSON.stringify(withOnlyHint(each, null)) }
    })
  }
  // The API has no such messages here, so it is a note after the filler.
  const field = wire.joins ?? 'content'
  const blocks = listOf(first?.[field]).slice(1)
  const note = withOnlyHint({ ...first, [field]: blocks }, null)
  return [{ side: 'user', seq: null, text: JSON.stringify(note) }]
}

function withNeighbours(message: ContextMessage): readonly ContextMessage[] {
  const base = { author: null, meta: null, seq: null, slot: 'recent' } as const
  const filler = { ...base, role: 'user', parts: [textPart('…')] } as const
  if (message.role === 'user') return [message]
  if (message.role === 'tool') {
    const calls = message.parts.flatMap((part) =>
      part.type === 'tool-result'
        ? [
            {
              ...({ type: 'tool-call', callId: part.callId, name: part.name ?? 'tool' } as const),
              ...{ input: '{}', metadata: null },
            },
          ]
        : [],
    )
    return [filler, { ...base, role: 'assistant', parts: calls }, message]
  }
  const results = message.parts.flatMap((part) =>
    part.type === 'tool-call'
      ? [
          {
            ...({ type: 'tool-result', callId: part.callId, name: part.name } as const),
            ...{ output: { kind: 'text', text: '…' } as const, isError: false, metadata: null },
          },
        ]
      : [],
  )
  const after = results.length === 0 ? filler : ({ ...base, role: 'tool', parts: results } as const)
  return [filler, message, after]
}

function textPart(text: string) {
  return { type: 'text', text, metadata: null } as const
}

/** System messages between the others must be after the user, and before an answer or at the end. */
function withPlacedSystem(pieces: readonly Piece[], wire: Wire): readonly Piece[] {
  const placed: Piece[] = []
  let waiting: readonly Piece[] = []
  const place = () => {
    const last = waiting.at(-1)
    const notes = placed.at(-1)?.side === 'user' ? waiting.slice(0, -1) : waiting
    placed.push(...notes.flatMap((piece) => noteOf(piece, wire)))
    if (last !== undefined && notes.length < waiting.length) placed.push(last)
    waiting = []
  }
  for (const piece of pieces) {
    if (piece.side === 'system') waiting = [...waiting, piece]
    else {
      if (piece.side === 'model') place()
      placed.push(piece)
    }
  }
  place()
  return placed
}

/** As the adapter writes a text of the application for models without such messages. */
function noteOf({ text }: Piece, wire: Wire): readonly Piece[] {
  const { messages } = wire.read({ messages: [JSON.parse(text)] })
  const base = { author: null, meta: null, seq: null, slot: 'recent', files: new Map() } as const
  const parts = messages.flatMap(({ content }) =>
    typeof content === 'string' ? [textPart(content)] : content.flatMap(textsIn),
  )
  const filler = { ...base, role: 'user' as const, parts: [textPart('…')] }
  const written = wire.write({
    ...{ system: [], tools: [], breakpoints: [], files: new Map() },
    messages: [filler, { ...base, role: 'system', parts }],
  })
  const blocks = written.flatMap(({ content }) => (Array.isArray(content) ? content.slice(1) : []))
  return [{ side: 'user', seq: null, text: JSON.stringify({ role: 'user', content: blocks }) }]
}

function textsIn(part: unknown) {
  const { text } = fieldsOf(part) ?? {}
  return typeof text === 'string' ? [textPart(text)] : []
}

/** Puts neighbours of the user's side into one message; the blocks keep their bytes. */
function joinSides(pieces: readonly Piece[], field: 'content' | 'parts'): readonly Piece[] {
  const runs: Piece[][] = []
  for (const piece of pieces) {
    const run = runs.at(-1)
    const isOurs = run?.some(({ seq }) => seq === null) === true || piece.seq === null
    const isNext = isNextTo(run?.at(-1), piece)
    // Neighbours that the client sent as two messages stay two.
    if (run?.[0]?.side === piece.side && piece.side === 'user' && (isOurs || !isNext))
      run.push(piece)
    else runs.push([piece])
  }
  return runs.flatMap((run) => {
    const [first] = run
    if (first === undefined || run.length === 1) return run
    const base = run.find(({ seq }) => seq !== null) ?? first
    const blocks = run.flatMap((piece) => blocksOf(piece.text, field))
    return [{ ...base, text: withBlocks(base.text, field, blocks) }]
  })
}

/** Where the client has both, its order counts; after its own compaction, that is not the order of the log. */
function isNextTo(before: Piece | undefined, { seq, at }: Piece): boolean {
  if (before?.at !== undefined && at !== undefined) return before.at === at - 1
  return before?.at === at && before?.seq === (seq ?? 0) - 1
}

function blocksOf(text: string, field: string): readonly string[] {
  const span = fieldSpans(text).get(field)
  if (span === undefined) return []
  const value = textAt(text, span)
  if (value.startsWith('"')) return [`{"type":"text","text":${value}}`]
  return itemSpans(text, span).map((item) => textAt(text, item))
}

function withBlocks(text: string, field: string, blocks: readonly string[]): string {
  const span = fieldSpans(text).get(field)
  if (span === undefined) return text
  return `${text.slice(0, span.start)}[${blocks.join(',')}]${text.slice(span.end)}`
}

/** The same body without reasoning of earlier answers, which the service refused. */
export function withoutThinking(request: ModelRequest, body: string): string | null {
  const list = fieldSpans(body).get(request.wire.list)
  if (list === undefined) return null
  const items = itemSpans(body, list).map((item) => {
    const text = textAt(body, item)
    if (!text.includes('thinking')) return text
    const blocks = blocksOf(text, 'content')
    const kept = blocks.filter((block) => !isThinking(block))
    if (kept.length === blocks.length) return text
    return withBlocks(text, 'content', kept.length > 0 ? kept : ['{"type":"text","text":"…"}'])
  })
  const changed = `${body.slice(0, list.start)}[${items.join(',')}]${body.slice(list.end)}`
  return changed === body ? null : changed
}

function isThinking(block: string): boolean {
  const { type }: Fields = fieldsOf(JSON.parse(block)) ?? {}
  return type === 'thinking' || type === 'redacted_thinking'
}
