/** What is known of a conversation: summaries, ledger, search, turns, and an agent's memory. */
import {
  type AfterReplyInput,
  afterReply,
  rememberedTurns,
  stepResult,
  turnMemory,
} from 'throughline/turns'
import * as v from 'valibot'
import { answerWith, Refusal } from '../problem.ts'
import { route } from '../route.ts'
import {
  allowMissing,
  entity,
  expanded,
  flag,
  jsonObject,
  ledgerEntry,
  ledgerLimit,
  modelName,
  natural,
  origin,
  page,
  pageLimit,
  pageOf,
  recalled,
  stepRecord,
  summary,
  summaryRecord,
  turn,
  turnMemoryFields,
  turnRecord,
  wholeNumber,
} from '../schemas.ts'
import { anchorOf, etagOf } from './conversations.ts'

const one = '/v1/conversations/{conversation}'

/** Turns are computed from the messages of the span. */
const maxTurnMessages = 10_000

export const knowledgeRoutes = [
  route({
    method: 'GET',
    path: `${one}/summary`,
    operation: 'readSummary',
    summary: 'The summary in the contexts of a model, with an ETag.',
    query: v.strictObject({ model: modelName }),
    answer: summary,
    run: async ({ chat, query }) => {
      const found = await chat.summary(query)
      if (found === null) throw new Refusal('NOT_FOUND', 'the contexts show every message')
      return { body: found, etag: etagOf(found) }
    },
  }),
  route({
    method: 'PUT',
    path: `${one}/summary`,
    operation: 'editSummary',
    summary: 'Corrects the summary in the contexts of a model.',
    guarded: true,
    rewrites: true,
    body: v.strictObject({ model: modelName, text: v.string() }),
    answer: summaryRecord,
    run: async ({ chat, body, requireMatch }) => {
      requireMatch(etagOf(await chat.summary({ model: body.model })))
      return answerWith(await chat.history.editSummary(body))
    },
  }),
  route({
    method: 'GET',
    path: `${one}/summaries`,
    operation: 'listSummaries',
    summary: 'Summaries that models wrote, newest first.',
    query: v.strictObject({ cursor: wholeNumber, limit: pageLimit }),
    answer: page(summaryRecord),
    run: async ({ chat, query: { cursor: skip = 0, limit } }) => {
      const found = await chat.summaries({ skip, limit: limit + 1 })
      return { body: pageOf(found, limit, () => String(skip + limit)) }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/ledger`,
    operation: 'listLedger',
    summary: 'What is known by rules: files, commands, decisions, names; the newest first.',
    query: v.strictObject({
      kind: v.optional(v.string()),
      cursor: wholeNumber,
      limit: ledgerLimit,
    }),
    answer: v.strictObject({
      ...page(ledgerEntry).entries,
      to: v.number(),
      from: v.optional(v.number()),
    }),
    run: async ({ chat, query: { kind, cursor: skip = 0, limit } }) => {
      const ledger = await chat.ledger()
      if (ledger === null) throw new Refusal('NOT_FOUND')
      const { entries, ...covered } = ledger
      const ofKind = entries.filter((entry) => kind === undefined || entry.kind === kind)
      const found = ofKind.slice(skip, skip + limit + 1)
      return { body: { ...pageOf(found, limit, () => String(skip + limit)), ...covered } }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/recall`,
    operation: 'recall',
    summary: 'Searches messages, ledger and summary.',
    query: v.strictObject({
      query: v.string(),
      limit: v.optional(pageLimit.wrapped),
      tokens: wholeNumber,
      currentTurn: flag,
      origin: v.optional(origin),
    }),
    answer: recalled,
    run: async ({ chat, query: { query, ...options } }) => ({
      body: await chat.recall(query, options),
    }),
  }),
  route({
    method: 'GET',
    path: `${one}/expand`,
    operation: 'expand',
    summary: 'The messages of an anchor, verbatim, a page at a time.',
    query: v.strictObject({
      anchor: v.string(),
      limit: v.optional(pageLimit.wrapped),
      tokens: wholeNumber,
      model: v.optional(modelName),
    }),
    answer: expanded,
    run: async ({ chat, query: { anchor, ...options } }) => {
      const found = await chat.expand(anchorOf(anchor), options)
      if (found === null) throw new Refusal('NOT_FOUND', 'the anchor names no message')
      return { body: found }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/turns`,
    operation: 'listTurns',
    summary: 'The turns and steps in a span, oldest first; a page reads at most 10,000 messages.',
    query: v.strictObject({ from: wholeNumber, to: wholeNumber, cursor: wholeNumber }),
    answer: page(turn),
    run: async ({ chat, conversation, query: { from = 0, to, cursor: start = from } }) => {
      const end = Math.min(to ?? Infinity, conversation?.head ?? 0)
      const stop = Math.min(end, start + maxTurnMessages)
      const found = await chat.turns({ from: start, to: stop })
      const last = found.at(-1)
      if (stop >= end || last === undefined) return { body: { items: found, next: null } }
      // The last one may continue after the page. One that fills a page is cut.
      const isCut = found.length > 1
      const next = String(isCut ? last.span.from : stop)
      return { body: { items: isCut ? found.slice(0, -1) : found, next } }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/memory`,
    operation: 'readTurnMemory',
    summary: "An agent's memory of its turns, with entities.",
    answer: turnMemoryFields,
    run: async ({ chat }) => ({ body: await turnMemory(chat) }),
  }),
  route({
    method: 'GET',
    path: `${one}/entities`,
    operation: 'listEntities',
    summary: 'The entities of the turns, the last named first.',
    query: v.strictObject({
      type: v.optional(v.string()),
      state: v.optional(entity.entries.state),
      cursor: wholeNumber,
      limit: pageLimit,
    }),
    answer: page(entity),
    run: async ({ chat, query: { type, state, cursor: skip = 0, limit } }) => {
      const { entities } = await turnMemory(chat)
      const found = entities
        .filter((each) => type === undefined || each.type === type)
        .filter((each) => state === undefined || each.state === state)
        .toSorted((left, right) => right.turnLastRef - left.turnLastRef)
        .slice(skip, skip + limit + 1)
      return { body: pageOf(found, limit, () => String(skip + limit)) }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/memory/turns`,
    operation: 'listTurnRecords',
    summary: 'The records of remembered turns, newest first.',
    query: v.strictObject({ cursor: wholeNumber, limit: pageLimit }),
    answer: page(turnRecord),
    run: async ({ chat, query: { cursor: before, limit } }) => {
      const found = await rememberedTurns(chat, { before, limit: limit + 1 })
      return { body: pageOf(found, limit, (last) => String(last.turn)) }
    },
  }),
  route({
    method: 'POST',
    path: `${one}/memory/turns`,
    operation: 'rememberTurn',
    summary: 'Remembers a turn of an agent after its reply.',
    creates: true,
    repeatable: true,
    body: v.strictObject({
      allowMissing,
      /** The engine checks its fields, as for `afterReply`. */
      turn: jsonObject,
      key: v.optional(v.string()),
      head: v.optional(natural),
    }),
    answer: v.looseObject({
      changed: v.boolean(),
      record: v.nullable(turnRecord),
      memory: turnMemoryFields,
    }),
    run: async ({ chat, conversation, signal, request, body }) => {
      const { allowMissing: creates, turn: reply, key, head } = body
      if (conversation === null && !creates) throw new Refusal('NOT_FOUND')
      const idempotency = request.headers.get('idempotency-key')
      const own = key ?? (idempotency === null ? undefined : `request:${idempotency}`)
      const options = { key: own, head, signal }
      return { body: await afterReply(chat, reply as unknown as AfterReplyInput, options) }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/memory/turns/{turn}/steps/{step}`,
    operation: 'readStep',
    summary: 'The whole result of a step of a remembered turn.',
    answer: stepRecord,
    run: async ({ chat, param }) => {
      const place = { turn: placeIn(param('turn')), step: placeIn(param('step')) }
      const found = await stepResult(chat, place)
      if (found === null) throw new Refusal('NOT_FOUND')
      return { body: found }
    },
  }),
]

function placeIn(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal('NOT_FOUND')
  return Number(text)
}
