/** Contexts and compactions. */
import type { Context, ContextInput, Conversation } from 'throughline'
import * as v from 'valibot'
import { answerWith, Refusal } from '../problem.ts'
import { route } from '../route.ts'
import {
  allowMissing,
  compacted,
  context,
  contextFields,
  conversation,
  decision,
  modelName,
  natural,
  page,
  pageLimit,
  pageOf,
  receipt,
  viewVersion,
  wholeNumber,
} from '../schemas.ts'

const one = '/v1/conversations/{conversation}'
const instructions = v.optional(v.string())
const keptMost = 1000
const afresh = v.optional(v.boolean())

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
    run: async ({ chat, body, signal, conversation: row }) => ({
      body: contextJson(await chat.context(inputUnlessMissing(body, signal, row))),
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
    answer: v.looseObject({
      decision,
      plan: v.nullable(v.looseObject({ line: v.number(), keeps: v.array(v.number()) })),
      requests: v.string(),
      summary: v.string(),
      ledger: v.string(),
      files: v.string(),
      receipt: v.nullable(compacted),
      context,
    }),
    run: async ({ chat, body, signal, conversation: row }) => {
      const preview = await chat.preview(inputUnlessMissing(body, signal, row))
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
    run: async ({ chat, body, signal }) => answerWith(await chat.compact(inputOf(body, signal))),
  }),
  route({
    method: 'GET',
    path: `${one}/compactions`,
    operation: 'listReceipts',
    summary: 'Receipts of compactions, newest first.',
    query: v.strictObject({ cursor: wholeNumber, limit: pageLimit }),
    answer: page(receipt),
    run: async ({ chat, query: { cursor: before, limit } }) => {
      const found = await chat.receipts({ before, limit: limit + 1 })
      return { body: pageOf(found, limit, (last) => String(last.version)) }
    },
  }),
  route({
    method: 'POST',
    path: `${one}/compactions/next`,
    operation: 'compactNextRequest',
    summary: 'The next context is compacted, whatever the triggers say.',
    repeatable: true,
    body: v.strictObject({ instructions, afresh }),
    answer: conversation,
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
    query: v.strictObject({ cursor: wholeNumber, limit: pageLimit, model: v.optional(modelName) }),
    answer: page(viewVersion),
    run: async ({ chat, query: { cursor: before = Infinity, limit, model } }) => {
      // A conversation keeps a few hundred.
      const kept = await chat.history.versions({ model, limit: keptMost })
      const found = kept.filter(({ version }) => version < before)
      return { body: pageOf(found, limit, (last) => String(last.version)) }
    },
  }),
  route({
    method: 'POST',
    path: `${one}/overflows`,
    operation: 'reportOverflow',
    summary: 'Reports that the provider refused a context as too long.',
    body: v.strictObject({ fingerprint: v.string(), error: v.unknown() }),
    answer: v.strictObject({
      outcome: v.picklist(['smaller', 'gave-up', 'not-overflow', 'unknown-request']),
    }),
    run: async ({ chat, body }) => ({
      body: { outcome: await chat.overflowed(body.fingerprint, body.error) },
    }),
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
