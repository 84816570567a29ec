/** A call of a model: finds its conversation, stores what is new, sends it, and stores the answer. */
import { type Context, isThroughlineError } from 'throughline'
import { Refusal } from '../problem.ts'
import { apiErrorResponse, overflowError } from './api-errors.ts'
import { type ClientHints, clientHints } from './client-hints.ts'
import { decisionText, type GatewayDecision } from './decision.ts'
import { findConversation, type Search } from './find-conversation.ts'
import type { GatewayRequest, GatewayShared } from './gateway-request.ts'
import type { ModelCall } from './gateway-routes.ts'
import {
  bodyWithoutRepeats,
  type Entry,
  type ModelRequest,
  readModelRequest,
  requestEntries,
} from './model-request.ts'
import { bodyOf, compactedBody, type PlannedBody, type Planning, planBody } from './plan-body.ts'
import { type RecordedRequest, recordAnswer, recordRequest } from './record-request.ts'
import { relayAnswer } from './relay.ts'
import { withoutThinking } from './render-body.ts'
import { passOn, sendUpstream } from './send.ts'
import type { Track } from './tracks.ts'
import type { UpstreamResponse } from './upstream.ts'

/** A model call on its way. */
interface Underway {
  readonly called: GatewayRequest
  readonly model: ModelRequest
  readonly search: Search
  readonly entries: readonly Entry[]
  readonly shared: GatewayShared
}

export async function answerModelCall(
  called: GatewayRequest,
  call: ModelCall,
  shared: GatewayShared,
): Promise<Response> {
  const { mode, text, request, key } = called
  const model = mode === 'off' || text === null ? null : readModelRequest(call.wire, text, call)
  if (model === null) {
    const kind = mode === 'off' ? 'off' : 'unread'
    return decided(
      await passOn(called, shared),
      { ...noDecision, api: call.wire.name, class: kind },
      shared,
    )
  }
  const hints = clientHints(request.headers, model)
  const tenant = shared.throughline.tenant(key.tenant)
  const given = request.headers.get('x-throughline-conversation') ?? called.path.conversation
  const search: Search = {
    ...{ tenant, tenantName: key.tenant, index: shared.index, tracks: shared.tracks, hints, given },
  }
  const underway: Underway = { called, model, search, entries: requestEntries(model), shared }
  if (call.kind === 'count' || hints.asks !== 'turn') return answerBeside(underway, call, hints)
  return answerTurn(underway)
}

const noDecision = {
  ...{ conversation: null, by: null, action: 'passed', epoch: null, tokens: null },
  ...{ retried: null, failedOpen: null },
} as const satisfies Partial<GatewayDecision>

/** A count, a title or a summary of the client: sent as the conversation is shown, and not stored. */
async function answerBeside(
  underway: Underway,
  call: ModelCall,
  { asks }: ClientHints,
): Promise<Response> {
  const { called, model, search, entries, shared } = underway
  let decision: GatewayDecision = {
    ...{ ...noDecision, api: model.wire.name },
    class: call.kind === 'count' ? 'count' : asks === 'side' ? 'side' : 'client-compaction',
  }
  let text: string | null = null
  try {
    const found = asks === 'side' ? null : await findConversation(search, model, knownPart(entries))
    if (found !== null) {
      decision = { ...decision, conversation: found.id, by: found.by }
      const { alignment, track } = found
      const known = 'known' in alignment ? alignment.known : 0
      // Claude Code leaves the last answer out when it asks for a summary.
      const left = track.entries.length - known
      const isEnd = left === 0 || (asks === 'client-compaction' && known > 0 && left <= leftOutMost)
      if (called.mode === 'on' && isEnd) text = await bodyBeside(underway, found.id, known, track)
    }
  } catch (error) {
    decision = { ...decision, failedOpen: codeOf(error) }
  }
  if (text !== null) decision = { ...decision, action: 'compacted' }
  const left = new AbortController()
  const answer = await sendUpstream(called, text ?? called.bytes, shared, left)
  return decided(await relayed(answer, left, underway, null), decision, shared)
}

const leftOutMost = 2

/** Without the last message, into which a client may have put its request for a summary. */
function knownPart(entries: readonly Entry[]): readonly Entry[] {
  return entries.slice(0, -1)
}

async function bodyBeside(
  { model, search, entries, shared, called }: Underway,
  id: string,
  known: number,
  { entries: all, dropped }: Track,
): Promise<string | null> {
  const last = shared.lastContexts.get(placeOf(search, id))
  const chat = search.tenant.conversation(id)
  const track = all.slice(0, known)
  const placed = new Map(
    track.flatMap(({ at }, index) =>
      at.map((seq, piece): [number, readonly number[]] => {
        const indexes = entries[index]?.at ?? []
        if (indexes.length === at.length) return [seq, [indexes[piece] ?? 0]]
        return [seq, piece === 0 ? indexes : []]
      }),
    ),
  )
  const rendered = { chat, placed, dropped }
  const next = entries.slice(known).flatMap(({ at }) => at)
  if (last === undefined || last.model !== model.model) {
    const hasView = (await chat.status()).last !== null
    if (!hasView) return null
    const { context } = await compactedBody(model, rendered, planningOf(shared, called))
    return context && bodyOf(model, rendered, upTo(context, track), next)
  }
  const shownTo = Math.max(-1, ...last.context.messages.map(({ seq }) => seq ?? -1))
  const later = track.flatMap(({ at }, index) =>
    at.some((seq) => seq > shownTo) ? (entries[index]?.at ?? []) : [],
  )
  return bodyOf(model, rendered, upTo(last.context, track), [...later, ...next])
}

/** Without what is after these entries. */
function upTo(context: Context, track: readonly Entry[]): Context {
  const end = Math.max(-1, ...track.flatMap(({ at }) => at))
  return { ...context, messages: context.messages.filter(({ seq }) => seq === null || seq <= end) }
}

async function answerTurn(underway: Underway): Promise<Response> {
  const { called, model, search, entries, shared } = underway
  let recorded: RecordedRequest | null = null
  let planned: PlannedBody = { text: null, context: null }
  let decision: GatewayDecision = { ...noDecision, api: model.wire.name, class: 'other' }
  try {
    recorded = await shared.lock(lockOf(search, entries), () =>
      recordRequest(search, model, entries),
    )
    const { id: conversation, class: kind, by } = recorded
    decision = { ...decision, conversation, class: kind, by }
    planned = await planBody(model, recorded, planningOf(shared, called))
    rememberContext(underway, recorded.id, planned)
    decision = { ...decision, ...figuresOf(planned, called.mode) }
  } catch (error) {
    if (called.request.signal.aborted) throw new Refusal('CLIENT_LEFT')
    const overflow = await overflowOf(error, underway)
    decision = { ...decision, failedOpen: codeOf(error), ...(overflow && { action: 'refused' }) }
    if (overflow !== null) return decided(overflow, decision, shared)
  }
  const isOn = called.mode === 'on'
  const left = new AbortController()
  const sent = isOn ? planned.text : null
  let answer = await sendUpstream(called, sent ?? called.bytes, shared, left)
  if (answer.status >= 400) {
    const refused = await readRefusal(answer)
    const retry = isOn ? await retryBody(underway, recorded, planned, refused) : null
    if (retry !== null) {
      decision = { ...decision, retried: retry.why, action: 'compacted' }
      planned = retry.planned
      answer = await sendUpstream(called, retry.planned.text ?? called.bytes, shared, left)
    } else return decided(refusedResponse(answer, refused), decision, shared)
  }
  // In shadow mode the figures are of another request than the context.
  // The same holds for a body with repeats, which the context has not.
  const isShown = planned.text === null ? model.unrepeated.size === 0 : isOn
  const fingerprint = isShown ? (planned.context?.fingerprint ?? null) : null
  const target = recorded === null ? null : { recorded, fingerprint }
  return decided(await relayed(answer, left, underway, target), decision, shared)
}

function planningOf({ throughline }: GatewayShared, { request }: GatewayRequest): Planning {
  return { throughline, signal: request.signal }
}

function lockOf({ tenantName, given, hints }: Search, entries: readonly Entry[]): string {
  return JSON.stringify(['gateway', tenantName, given ?? hints.key ?? entries[0]?.key ?? ''])
}

function placeOf({ tenantName }: Search, id: string): string {
  return JSON.stringify([tenantName, id])
}

const contextsKept = 64

function rememberContext(
  { search, model, shared: { lastContexts } }: Underway,
  id: string,
  { context }: PlannedBody,
): void {
  const place = placeOf(search, id)
  lastContexts.delete(place)
  if (context === null) return
  lastContexts.set(place, { model: model.model, context })
  const [oldest] = lastContexts.keys()
  if (lastContexts.size > contextsKept && oldest !== undefined) lastContexts.delete(oldest)
}

function figuresOf({ text, context }: PlannedBody, mode: GatewayRequest['mode']) {
  if (context === null) return { action: 'passed' } as const
  const isCompacted = text !== null
  const action = !isCompacted ? 'passed' : mode === 'on' ? 'compacted' : 'shadow'
  return { action, epoch: context.epoch, tokens: context.tokens } as const
}

function codeOf(error: unknown): string {
  return isThroughlineError(error) ? error.code : 'INTERNAL'
}

/** The error that says that the request cannot fit; null where it may, and is sent as it is. */
async function overflowOf(error: unknown, { model, shared }: Underway): Promise<Response | null> {
  const isOverflow = isThroughlineError(error) && error.code === 'CONTEXT_OVERFLOW'
  const { contextWindowTokens: limit } = (await shared.throughline.meter(model.model)).card
  const least = Math.ceil(Buffer.byteLength(model.text) / bytesPerTokenMost)
  if (!isOverflow && least <= limit) return null
  return apiErrorResponse(
    model.wire.family,
    overflowError(model.wire.family, Math.max(least, limit + 1), limit),
  )
}

/** More than texts have: a request is refused only if it cannot fit. */
const bytesPerTokenMost = 8

interface RefusedAnswer {
  readonly status: number
  readonly bytes: Buffer
  readonly text: string
}

const refusalBytesMax = 256 * 1024

async function readRefusal({ body, status }: UpstreamResponse): Promise<RefusedAnswer> {
  const chunks: Uint8Array[] = []
  let size = 0
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > refusalBytesMax) break
      chunks.push(chunk)
    }
  } catch {
    throw new Refusal('UPSTREAM_FAILED')
  }
  const bytes = Buffer.concat(chunks)
  return { status, bytes, text: bytes.toString() }
}

function refusedResponse(
  { status, headers }: UpstreamResponse,
  { bytes }: RefusedAnswer,
): Response {
  return new Response(new Uint8Array(bytes), { status, headers })
}

interface Retry {
  readonly why: 'overflow' | 'thinking' | 'repeats'
  readonly planned: PlannedBody
}

/** Once: smaller, without the reasoning whose signature the service does not accept, or without repeated results. */
async function retryBody(
  { model, called, shared }: Underway,
  recorded: RecordedRequest | null,
  planned: PlannedBody,
  { text, status }: RefusedAnswer,
): Promise<Retry | null> {
  if (
    model.wire.family === 'anthropic' &&
    /signature.{0,80}thinking|thinking.{0,80}signature/i.test(text)
  ) {
    const without = withoutThinking(model, planned.text ?? model.text)
    return without === null ? null : { why: 'thinking', planned: { ...planned, text: without } }
  }
  if (recorded === null) return null
  if (status === 400 && planned.text === null && model.unrepeated.size > 0)
    return { why: 'repeats', planned: { ...planned, text: bodyWithoutRepeats(model) } }
  const planning = planningOf(shared, called)
  try {
    const refused = planned.context ?? (await compactedBody(model, recorded, planning)).context
    if (refused === null) return null
    const outcome = await recorded.chat.overflowed(refused.fingerprint, { message: text })
    if (outcome !== 'smaller') return null
    const smaller = await compactedBody(model, recorded, planning)
    return smaller.text === null ? null : { why: 'overflow', planned: smaller }
  } catch {
    // The upstream's own error says what is wrong.
    return null
  }
}

/** `target`: where the answer is stored; null if it is not. */
async function relayed(
  answer: UpstreamResponse,
  left: AbortController,
  { model, search, shared, entries }: Underway,
  target: { readonly recorded: RecordedRequest; readonly fingerprint: string | null } | null,
): Promise<Response> {
  const ended = Promise.withResolvers<void>()
  shared.track(ended.promise)
  const stream = relayAnswer(answer.body, answer.headers, {
    form: model.wire.answer,
    onLeave: () => left.abort(),
    onEnd: async (end) => {
      try {
        if (target !== null && answer.status < 300)
          await shared.lock(lockOf(search, entries), () =>
            recordAnswer(search, target.recorded, model, {
              ...end,
              fingerprint: target.fingerprint,
            }),
          )
      } catch (error) {
        shared.onDecision?.({
          ...{ ...noDecision, api: model.wire.name, class: 'other', failedOpen: codeOf(error) },
          conversation: target?.recorded.id ?? null,
        })
      } finally {
        ended.resolve()
      }
    },
  })
  return new Response(stream, { status: answer.status, headers: answer.headers })
}

function decided(response: Response, decision: GatewayDecision, shared: GatewayShared): Response {
  shared.onDecision?.(decision)
  response.headers.set('x-throughline-decision', decisionText(decision))
  if (decision.conversation !== null && /^[\x21-\x7e]+$/.test(decision.conversation))
    response.headers.set('x-throughline-conversation', decision.conversation)
  return response
}
