/** Conversations: list, create, change, fork, purge. */
import { createHash } from 'node:crypto'
import type { PurgeOutcome } from 'throughline'
import * as v from 'valibot'
import { refusalOf } from '../problem.ts'
import { type Answer, route } from '../route.ts'
import {
  conversation,
  cursor,
  id,
  jsonObject,
  natural,
  page,
  pageLimit,
  pageOf,
  purgeOutcome,
  status,
  wholeNumber,
} from '../schemas.ts'

const one = '/v1/conversations/{conversation}'
const title = v.optional(v.nullable(v.pipe(v.string(), v.maxLength(2000))))
const meta = v.optional(v.nullable(jsonObject))
const parent = v.strictObject({ conversationId: id, callId: v.optional(v.nullable(v.string())) })
export const forks = v.optional(v.picklist(['refuse', 'purge']), 'refuse')

export const conversationRoutes = [
  route({
    method: 'GET',
    path: '/v1/conversations',
    operation: 'listConversations',
    summary: 'Lists conversations, ordered by id.',
    query: v.strictObject({ cursor, limit: pageLimit, parent: v.optional(id) }),
    answer: page(conversation),
    run: async ({ tenant, query: { cursor: after, limit, parent: of } }) => {
      const found = await tenant.list({ after, limit: limit + 1, parent: of })
      return { body: pageOf(found, limit, (last) => last.id) }
    },
  }),
  route({
    method: 'POST',
    path: '/v1/conversations',
    operation: 'createConversation',
    summary: 'Creates a conversation.',
    status: 201,
    body: v.strictObject({ id, title, meta, parent: v.optional(v.nullable(parent)) }),
    answer: conversation,
    run: async ({ tenant, body: { id: name, ...input } }) => {
      const created = await tenant.begin(name, input as Parameters<typeof tenant.begin>[1])
      if (!created.ok) throw refusalOf(created.failure)
      return { body: await created.value.info() }
    },
  }),
  route({
    method: 'GET',
    path: one,
    operation: 'readConversation',
    summary: 'Reads a conversation, with an ETag.',
    answer: conversation,
    run: async ({ conversation: row }) => ({ body: row, etag: etagOf(row) }),
  }),
  route({
    method: 'PATCH',
    path: one,
    operation: 'updateConversation',
    summary: 'Changes title, meta or compaction mode.',
    guarded: true,
    body: v.strictObject({
      title,
      titleFrom: v.optional(natural),
      meta,
      compaction: v.optional(v.nullable(v.picklist(['on', 'off', 'shadow']))),
    }),
    answer: conversation,
    run: async ({ chat, body, conversation: row, requireMatch }) => {
      requireMatch(etagOf(row))
      const updated = await chat.update(body as Parameters<typeof chat.update>[0])
      if (!updated.ok) throw refusalOf(updated.failure)
      return { body: updated.value, etag: etagOf(updated.value) }
    },
  }),
  route({
    method: 'DELETE',
    path: one,
    operation: 'purgeConversation',
    summary: 'Purges a conversation and its children: nothing of it is left.',
    role: 'admin',
    guarded: true,
    // A second purge erases what an interrupted one left.
    creates: true,
    rewrites: true,
    query: v.strictObject({ forks }),
    answer: purgeOutcome,
    run: async ({ chat, query, conversation: row, requireMatch }) => {
      requireMatch(etagOf(row))
      return purged(await chat.history.purge(query))
    },
  }),
  route({
    method: 'POST',
    path: `${one}/forks`,
    operation: 'forkConversation',
    summary: 'Creates a conversation that shares the messages before a place.',
    status: 201,
    body: v.strictObject({ at: natural, id }),
    answer: conversation,
    run: async ({ chat, body: { at, id: name } }) => {
      const fork = await chat.history.fork(at, name)
      if (!fork.ok) throw refusalOf(fork.failure)
      return { body: await fork.value.info() }
    },
  }),
  route({
    method: 'GET',
    path: `${one}/status`,
    operation: 'readStatus',
    summary: 'The last requests, and how full they were.',
    answer: status,
    run: async ({ chat }) => ({ body: await chat.status() }),
  }),
  route({
    method: 'GET',
    path: '/v1/purges',
    operation: 'listPurges',
    summary: 'Records of purges, newest first.',
    query: v.strictObject({ conversation: v.optional(id), cursor: wholeNumber, limit: pageLimit }),
    answer: page(v.looseObject({ number: v.number(), what: v.string(), at: v.number() })),
    run: async ({ tenant, query: { conversation, cursor: before = Infinity, limit } }) => {
      const [newest] = await tenant.purges({ limit: 1 })
      // Numbers have no gaps, so this many are newer; of one conversation, there are no more than that.
      const newer = Math.max(0, (newest?.number ?? 0) - before + 1)
      const found = await tenant.purges({ conversation, limit: newer + limit + 1 })
      const older = found.filter(({ number }) => number < before)
      return { body: pageOf(older, limit, (last) => String(last.number)) }
    },
  }),
]

/** The plain forms `12` and `3-17` need no escape in a URL. */
export function anchorOf(text: string): string {
  const [, from, to] = /^(\d{1,15})(?:-(\d{1,15}))?$/.exec(text) ?? []
  if (from === undefined) return text
  return to === undefined ? `#${from}` : `#${from}-#${to}`
}

export function etagOf(value: unknown): string {
  return `"${createHash('sha256').update(JSON.stringify(value)).digest('base64url').slice(0, 22)}"`
}

/** The answer to a purge, with all conversations that it has changed. */
export function purged(outcome: PurgeOutcome): Answer {
  if (outcome.kind === 'not-found' || outcome.kind === 'has-forks') throw refusalOf(outcome)
  return outcome.kind === 'purged'
    ? { body: outcome, rewrote: outcome.conversations }
    : { body: outcome }
}
