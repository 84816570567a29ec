/** Keys and the audit. Keys of the tenant `default` manage the keys of every tenant. */
import * as v from 'valibot'
import type { Key } from '../access.ts'
import { Refusal } from '../problem.ts'
import { type Call, route } from '../route.ts'
import { cursor, id, loose, natural, page, pageLimit } from '../schemas.ts'

const role = v.picklist(['read', 'write', 'admin'])
const key = v.looseObject({ id: v.string(), tenant: v.string(), name: v.string(), role })
const withSecret = v.strictObject({ key, secret: v.string() })

export const keyRoutes = [
  route({
    method: 'GET',
    path: '/v1/keys',
    operation: 'listKeys',
    summary: 'Lists keys, without their secrets.',
    role: 'admin',
    answer: v.strictObject({ items: v.array(key) }),
    run: async ({ access, key: own }) => ({ body: { items: access.keys(tenantsOf(own)) } }),
  }),
  route({
    method: 'POST',
    path: '/v1/keys',
    operation: 'createKey',
    summary: 'Creates a key; its secret is returned only here.',
    role: 'admin',
    status: 201,
    writes: false,
    body: v.strictObject({
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(200)),
      role,
      tenant: v.optional(id),
      expiresAt: v.optional(v.nullable(natural)),
    }),
    answer: withSecret,
    run: async ({ access, key: own, body: { tenant = own.tenant, expiresAt = null, ...rest } }) => {
      if (tenant !== own.tenant && tenantsOf(own) !== null) throw new Refusal('ROLE_TOO_LOW')
      return { body: access.createKey({ ...rest, tenant, expiresAt }) }
    },
  }),
  route({
    method: 'POST',
    path: '/v1/keys/{key}/rotate',
    operation: 'rotateKey',
    summary: 'Replaces the secret of a key; the old one stops at once.',
    role: 'admin',
    writes: false,
    answer: withSecret,
    run: async (call) => {
      const found = keyIn(call)
      const secret = call.access.rotateKey(found.id)
      if (secret === null) throw new Refusal('CONFLICT', 'the key is revoked')
      return { body: { key: found, secret } }
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/keys/{key}',
    operation: 'revokeKey',
    summary: 'Revokes a key at once.',
    role: 'admin',
    answer: loose,
    run: async (call) => {
      call.access.revokeKey(keyIn(call).id)
      return { body: {} }
    },
  }),
  route({
    method: 'GET',
    path: '/v1/audit',
    operation: 'listAudit',
    summary: 'Purges, edits, removals and changes of keys, newest first.',
    role: 'admin',
    query: v.strictObject({ cursor, limit: pageLimit }),
    answer: page(v.looseObject({ operation: v.string(), at: v.number() })),
    run: async ({ access, key: own, query: { cursor: at, limit } }) => {
      const before = at === undefined ? Number.MAX_SAFE_INTEGER : Number(at)
      if (!Number.isSafeInteger(before)) throw new Refusal('BODY_INVALID', 'cursor: not from here')
      const items = access.audit(own.tenant, { before, limit })
      const last = items.length < limit ? undefined : items.at(-1)?.number
      return { body: { items, next: last === undefined ? null : String(last) } }
    },
  }),
]

/** Null: all tenants. */
function tenantsOf({ tenant }: Key): string | null {
  return tenant === 'default' ? null : tenant
}

function keyIn({ access, key: own, param }: Call<unknown, unknown>): Key {
  const found = access.keys(tenantsOf(own)).find((each) => each.id === param('key'))
  if (found === undefined) throw new Refusal('NOT_FOUND')
  return found
}
