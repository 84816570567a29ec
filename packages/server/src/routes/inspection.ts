/** What a person looks at: the overview, requests as they were sent, kept views, costs, and an undo as a dry run. */
import {
  type Conversation,
  type ConversationHandle,
  createThroughline,
  type Store,
  type TenantHandle,
} from 'throughline'
import { accessOf, dryRunStore, keptView, rebuildRequest } from 'throughline/toolkit'
import * as v from 'valibot'
import { answerWith, Refusal } from '../problem.ts'
import { costsOf, otherMethods, totalOf } from '../request-costs.ts'
import { route } from '../route.ts'
import {
  conversation,
  cursor,
  keptVersion,
  methodCost,
  modelName,
  natural,
  page,
  pageLimit,
  rebuiltRequest,
  requestCost,
  requestUse,
  viewVersion,
} from '../schemas.ts'

const one = '/v1/conversations/{conversation}'

export const inspectionRoutes = [
  route({
    method: 'GET',
    path: '/v1/overview',
    operation: 'listOverview',
    summary: 'Conversations ordered by id, with their use of the window, compactions and cost.',
    query: v.strictObject({
      cursor,
      limit: pageLimit,
      /** Only where title or id contains it, whatever the case. */
      search: v.optional(v.string()),
    }),
    answer: page(
      v.strictObject({
        conversation,
        last: v.nullable(requestUse),
        lastAt: v.number(),
        requests: v.number(),
        compactions: v.number(),
        cost: v.number(),
      }),
    ),
    run: async ({ tenant, signal, query: { cursor: after, limit, search } }) => {
      const { found, next } = await searched(tenant, after, limit, search ?? '', signal)
      const items = []
      for (const each of found) {
        signal.throwIfAborted()
        items.push(await overviewOf(tenant, each))
      }
      return { body: { items, next } }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/requests/{fingerprint}`,
    operation: 'readRequest',
    summary:
      'One of the last hundred requests, rebuilt from view and log and compared with its fingerprint.',
    answer: rebuiltRequest,
    run: async ({ chat, param }) => {
      const rebuilt = await rebuildRequest(chat, param('fingerprint'))
      if (rebuilt === null) throw new Refusal('NOT_FOUND', 'there is no record of this request')
      return { body: rebuilt }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/versions/{version}`,
    operation: 'readVersion',
    summary: 'A kept view, whole: line, keeps, stubs and history block.',
    answer: keptVersion,
    run: async ({ chat, param }) => {
      const version = /^\d{1,15}$/.test(param('version')) ? Number(param('version')) : -1
      const kept = version < 0 ? null : await keptView(chat, version)
      if (kept === null) throw new Refusal('NOT_FOUND', 'this version is not kept')
      return { body: { version, ...kept } }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/costs`,
    operation: 'listCosts',
    summary: 'Cached and new tokens of the last hundred requests, and the cost of other methods.',
    answer: v.strictObject({
      items: v.array(requestCost),
      totals: v.strictObject({
        throughline: methodCost,
        full: v.nullable(methodCost),
        sliding: v.nullable(methodCost),
      }),
    }),
    run: async ({ chat }) => {
      const { requests } = await chat.status()
      const items = costsOf(requests)
      const { full = null, sliding = null } = (await otherMethods(chat, requests)) ?? {}
      return { body: { items, totals: { throughline: totalOf(items), full, sliding } } }
    },
  }),
  route({
    method: 'POST',
    path: `${one}/compactions/undo/preview`,
    operation: 'previewUndo',
    summary: 'A dry run of an undo: the view that would be shown.',
    writes: false,
    role: 'read',
    body: v.strictObject({
      compactions: v.optional(v.pipe(natural, v.minValue(1))),
      model: v.optional(modelName),
    }),
    answer: viewVersion,
    run: async ({ chat, body }) => answerWith(await previewUndo(chat, body)),
  }),
]

const pageConversations = 1000

async function searched(
  tenant: TenantHandle,
  cursorAfter: string | undefined,
  limit: number,
  search: string,
  signal: AbortSignal,
): Promise<{ readonly found: readonly Conversation[]; readonly next: string | null }> {
  const wanted = search.toLowerCase()
  const matches = ({ id, title }: Conversation) =>
    wanted === '' || `${title ?? ''}\n${id}`.toLowerCase().includes(wanted)
  const found: Conversation[] = []
  const size = wanted === '' ? limit + 1 : pageConversations
  for (let after = cursorAfter; found.length <= limit; ) {
    signal.throwIfAborted()
    const listed = await tenant.list({ after, limit: size })
    found.push(...listed.filter(matches))
    after = listed.at(-1)?.id
    if (listed.length < size) break
  }
  const shown = found.slice(0, limit)
  return { found: shown, next: found.length > limit ? (shown.at(-1)?.id ?? null) : null }
}

async function overviewOf(tenant: TenantHandle, conversation: Conversation) {
  const { id, head, createdAt } = conversation
  const chat = tenant.conversation(id)
  const { last, requests, totals } = await chat.status()
  const [newest] = await Array.fromAsync(chat.messages({ from: Math.max(0, head - 1), to: head }))
  const { cost } = totalOf(costsOf(requests))
  const lastAt = Math.max(newest?.createdAt ?? createdAt, last?.at ?? 0)
  return {
    ...{ conversation, last, lastAt, cost },
    requests: totals.requests,
    compactions: totals.compactions,
  }
}

/** Runs on a store that accepts commits and keeps none. */
async function previewUndo(
  chat: ConversationHandle,
  options: { readonly compactions?: number | undefined; readonly model?: string | undefined },
) {
  const { store: rows, now } = await accessOf(chat, 'previewUndo')
  const store: Store = { tenant: () => rows, close: async () => {} }
  const dryRun = createThroughline({ store: dryRunStore(store), clock: { now } })
  try {
    return await dryRun.conversation(chat.id).history.undo(options)
  } finally {
    await dryRun.close()
  }
}
