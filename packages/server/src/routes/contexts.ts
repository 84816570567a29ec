/** Contexts, compactions, summaries and recall. */
import type { Context, ContextInput, Conversation } from 'throughline'
import { turnMemory } from 'throughline/turns'
import * as v from 'valibot'
import { Refusal, refusalOf } from '../problem.ts'
import { route } from '../route.ts'
import {
  context,
  contextFields,
  cursor,
  flag,
  loose,
  modelName,
  natural,
  page,
  pageLimit,
  receipt,
  viewVersion,
  wholeNumber,
} from '../schemas.ts'
import { anchorOf, etagOf } from './conversations.ts'

const one = '/v1/conversations/{conversation}'
const instructions = v.optional(v.string())
const afresh = v.optional(v.boolean())
/** Without a conversation, a context has only `next`, as in the engine; otherwise the answer is 404. */
const allowMissing = v.optional(v.boolean(), false)
const summary = v.looseObject({ content: v.string(), version: v.number() })

export const contextRoutes = [
  route({
    method: 'POST',
    path: `${one}/context`,
    operation: 'buildContext',
    summary: 'The context for the next request to a model.',
    writes: false,
    role: 'write',
    creates: true,
    body: v.strictObject({ ...contextFields, allowMissing }),
    answer: context,
    run: async ({ chat, body, request, conversation }) => ({
      body: contextJson(await chat.context(inputUnlessMissing(body, request.signal, conversation))),
    }),
  }),
  route({
    method: 'POST',
    path: `${one}/compactions/preview`,
    operation: 'previewCompaction',
    summary: 'A dry run of a compaction.',
    writes: false,
    // With `ask`, it calls a model, which costs money.
    role: 'write',
    creates: true,
    body: v.strictObject({
      ...contextFields,
      instructions,
      ask: v.optional(v.boolean()),
      allowMissing,
    }),
    answer: v.looseObject({ context, summary: v.string() }),
    run: async ({ chat, body, request, conversation }) => {
      const input = inputUnlessMissing(body, request.signal, conversation)
      const preview = await chat.preview(input)
      return { body: { ...preview, context: contextJson(preview.context) } }
    },
  }),
  route({
    method: 'POST',
    path: `${one}/compactions`,
    operation: 'compact',
    summary: 'Compacts now; returns the receipt.',
    status: 201,
    body: v.strictObject({ ...contextFields, instructions, afresh }),
    answer: receipt,
    run: async ({ chat, body, request }) =>
      answerWith(await chat.compact(inputOf(body, request.signal))),
  }),
  route({
    method: 'GET',
    path: `${one}/compactions`,
    operation: 'listReceipts',
    summary: 'Receipts of compactions, newest first.',
    query: v.strictObject({ cursor, limit: pageLimit }),
    answer: page(receipt),
    run: async ({ chat, query: { cursor: before, limit } }) => {
      const from = before === undefined ? undefined : Number(before)
      const items = await chat.receipts({ before: from, limit })
      const last = items.length < limit ? undefined : items.at(-1)?.version
      return { body: { items, next: last === undefined ? null : String(last) } }
    },
  }),
  route({
    method: 'POST',
    path: `${one}/compactions/next`,
    operation: 'compactNextRequest',
    summary: 'The next context is compacted, whatever the triggers say.',
    repeatable: true,
    body: v.strictObject({ instructions, afresh }),
    answer: loose,
    run: async ({ chat, body }) => answerWith(await chat.compactNextRequest(body)),
  }),
  route({
    method: 'POST',
    path: `${one}/compactions/undo`,
    operation: 'undoCompaction',
    summary: 'Undoes the last compactions.',
    body: v.strictObject({
      compactions: v.optional(v.pipe(natural, v.minValue(1))),
      model: v.optional(modelName),
    }),
    answer: viewVersion,
    run: async ({ chat, body }) => answerWith(await chat.history.undo(body)),
  }),
  route({
    method: 'POST',
    path: `${one}/compactions/restore`,
    operation: 'restoreVersion',
    summary: 'Restores a kept version of the view.',
    body: v.strictObject({ version: natural }),
    answer: viewVersion,
    run: async ({ chat, body }) => answerWith(await chat.history.restore(body.version)),
  }),
  route({
    method: 'GET',
    path: `${one}/versions`,
    operation: 'listVersions',
    summary: 'The views that were in force, newest first.',
    query: v.strictObject({ limit: pageLimit, model: v.optional(modelName) }),
    answer: v.strictObject({ items: v.array(viewVersion) }),
    run: async ({ chat, query }) => ({ body: { items: await chat.history.versions(query) } }),
  }),
  route({
    method: 'POST',
    path: `${one}/overflows`,
    operation: 'reportOverflow',
    summary: 'Reports that the provider refused a context as too long.',
    body: v.strictObject({ fingerprint: v.string(), error: v.unknown() }),
    answer: v.strictObject({ outcome: v.string() }),
    run: async ({ chat, body }) => ({
      body: { outcome: await chat.overflowed(body.fingerprint, body.error) },
    }),
  }),
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
    answer: loose,
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
    query: v.strictObject({ skip: wholeNumber, limit: pageLimit }),
    answer: v.strictObject({ items: v.array(loose) }),
    run: async ({ chat, query }) => ({ body: { items: await chat.summaries(query) } }),
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
      origin: v.optional(
        v.picklist(['person', 'application', 'developer', 'model', 'agent', 'tool', 'summary']),
      ),
    }),
    answer: v.looseObject({ query: v.string(), pieces: v.array(v.looseObject({})) }),
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
    answer: v.looseObject({ text: v.string(), next: v.nullable(v.string()) }),
    run: async ({ chat, query: { anchor, ...options } }) => {
      const expanded = await chat.expand(anchorOf(anchor), options)
      if (expanded === null) throw new Refusal('NOT_FOUND', 'the anchor names no message')
      return { body: expanded }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/turns`,
    operation: 'listTurns',
    summary: 'The turns and steps in a span.',
    query: v.strictObject({ from: wholeNumber, to: wholeNumber }),
    answer: v.strictObject({ items: v.array(loose) }),
    run: async ({ chat, query: { from, to } }) => {
      const span = { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
      return { body: { items: await chat.turns(span) } }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/memory`,
    operation: 'readTurnMemory',
    summary: "An agent's memory of its turns, with entities.",
    answer: loose,
    run: async ({ chat }) => ({ body: await turnMemory(chat) }),
  }),
]

type Sent = { readonly model: string }

function inputUnlessMissing(
  { allowMissing: allowed, ...body }: Sent & { readonly allowMissing: boolean },
  signal: AbortSignal,
  conversation: Conversation | null,
): ContextInput {
  if (conversation === null && !allowed) throw new Refusal('NOT_FOUND')
  return inputOf(body, signal)
}

/** The engine checks every field again. */
function inputOf(body: Sent, signal: AbortSignal): ContextInput {
  return { ...body, signal } as ContextInput
}

/** Files are bytes in a map; JSON has them as base64 by their hash. */
function contextJson({ files, ...rest }: Context): unknown {
  const encoded = [...files].map(([hash, data]) => [hash, Buffer.from(data).toString('base64')])
  return { ...rest, files: Object.fromEntries(encoded) }
}

type Outcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly failure: { readonly kind: string } }

function answerWith(result: Outcome): { readonly body: unknown } {
  if (!result.ok) throw refusalOf(result.failure)
  return { body: result.value }
}
