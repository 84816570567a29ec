/** Keys and the audit. Keys of the tenant `default` manage the keys of every tenant. */
import * as v from 'valibot'
import type { Key } from '../access.ts'
import { Refusal } from '../problem.ts'
import { type Call, route } from '../route.ts'
import { id, natural, page, pageLimit, pageOf, wholeNumber } from '../schemas.ts'

const role = v.picklist(['read', 'write', 'admin'])
const key = v.strictObject({
  id: v.string(),
  tenant: v.string(),
  name: v.string(),
  role,
  createdAt: v.number(),
  expiresAt: v.nullable(v.number()),
  revokedAt: v.nullable(v.number()),
})
const nullableTime = v.nullable(v.number())
const keyWithUse = v.strictObject({
  ...key.entries,
  use: v.strictObject({
    firstAt: nullableTime,
    lastAt: nullableTime,
    requests: v.number(),
    refused: v.number(),
    lastRefusedAt: nullableTime,
  }),
})
const name = v.pipe(v.string(), v.minLength(1), v.maxLength(200))
const expiresAt = v.optional(v.nullable(natural))
const withSecret = v.strictObject({ key, secret: v.string() })

export const keyRoutes = [
  route({
    method: 'GET',
    path: '/v1/keys',
    operation: 'listKeys',
    summary: 'Lists keys, without their secrets, with their first and last use.',
    role: 'admin',
    answer: v.strictObject({ items: v.array(keyWithUse) }),
    run: async ({ access, key: own }) => ({
      body: {
        items: access.keys(tenantsOf(own)).map((each) => ({ ...each, use: access.useOf(each.id) })),
      },
    }),
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
      name,
      role,
      tenant: v.optional(id),
      expiresAt,
    }),
    answer: withSecret,
    run: async ({ access, key: own, body: { tenant = own.tenant, ...rest } }) => {
      if (tenant !== own.tenant && tenantsOf(own) !== null) throw new Refusal('ROLE_TOO_LOW')
      const made = access.createKey({ ...rest, tenant: tenantId(tenant) })
      return { body: made, created: made.key.id }
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
    method: 'PATCH',
    path: '/v1/keys/{key}',
    operation: 'updateKey',
    summary: 'Changes the name or the end of a key.',
    role: 'admin',
    body: v.strictObject({ name: v.optional(name), expiresAt }),
    answer: key,
    run: async (call) => {
      call.access.updateKey(keyIn(call).id, call.body)
      return { body: keyIn(call) }
    },
  }),
  route({
    method: 'DELETE',
    path: '/v1/keys/{key}',
    operation: 'revokeKey',
    summary: 'Revokes a key at once.',
    role: 'admin',
    answer: key,
    run: async (call) => {
      call.access.revokeKey(keyIn(call).id)
      return { body: keyIn(call) }
    },
  }),
  route({
    method: 'GET',
    path: '/v1/audit',
    operation: 'listAudit',
    summary: 'Purges, edits, changes and first uses of keys, and refused keys, newest first.',
    role: 'admin',
    query: v.strictObject({ cursor: wholeNumber, limit: pageLimit }),
    answer: page(
      v.strictObject({
        number: v.number(),
        at: v.number(),
        tenant: v.string(),
        key: v.string(),
        operation: v.string(),
        subject: v.string(),
        status: v.number(),
      }),
    ),
    run: async ({ access, key: own, query: { cursor: at, limit } }) => {
      const before = at ?? Number.MAX_SAFE_INTEGER
      const found = await access.audit(own.tenant, { before, limit: limit + 1 })
      return { body: pageOf(found, limit, (last) => String(last.number)) }
    },
  }),
]

/** Null: all tenants. */
function tenantsOf({ tenant }: Key): string | null {
  return tenant === 'default' ? null : tenant
}

/** Checked here, so that no key exists that cannot be used. */
function tenantId(text: string): string {
  if (/\p{Cc}/u.test(text) || !text.isWellFormed())
    throw new Refusal('BODY_INVALID', 'tenant: must be well-formed text without control characters')
  return text
}

function keyIn({ access, key: own, param }: Call<unknown, unknown>): Key {
  const found = access.keys(tenantsOf(own)).find((each) => each.id === param('key'))
  if (found === undefined) throw new Refusal('NOT_FOUND')
  return found
}
