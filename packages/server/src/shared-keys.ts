/** Keys of the settings: every server of a group knows them, so that a client may call any of them. */
import { createHash } from 'node:crypto'
import { ThroughlineError } from 'throughline'
import * as v from 'valibot'
import type { Access, Key } from './access.ts'

export const sharedKeys = v.array(
  v.strictObject({
    name: v.pipe(
      v.string(),
      v.regex(/^[\w.-]{1,64}$/, 'must have letters, digits, "_", "." and "-"'),
    ),
    tenant: v.optional(v.string(), 'default'),
    role: v.optional(v.picklist(['read', 'write', 'admin']), 'write'),
    /** Of the secret, which should have 32 random characters or more. */
    sha256: v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 hash, in lower case')),
  }),
)

/** The keys of a server's database, and those of its settings, which only the settings change. */
export function withSharedKeys(access: Access, settings: v.InferOutput<typeof sharedKeys>): Access {
  if (settings.length === 0) return access
  const byHash = new Map(
    settings.map(({ name, tenant, role, sha256 }): readonly [string, Key] => [
      sha256,
      {
        ...{ id: `shared-${name}`, tenant, name, role },
        ...{ createdAt: 0, expiresAt: null, revokedAt: null },
      },
    ]),
  )
  const shared = [...byHash.values()]
  const refuse = (id: string) => {
    if (shared.some((key) => key.id === id))
      throw new ThroughlineError(
        'CONFIG_INVALID',
        `key ${id} is in the settings of the servers: change it there`,
      )
  }
  return {
    ...access,
    findKey: (secret) => {
      const hash = createHash('sha256').update(secret).digest('hex')
      return byHash.get(hash) ?? access.findKey(secret)
    },
    keys: (tenant) => [
      ...shared.filter((key) => tenant === null || key.tenant === tenant),
      ...access.keys(tenant),
    ],
    rotateKey: (id) => {
      refuse(id)
      return access.rotateKey(id)
    },
    revokeKey: (id) => {
      refuse(id)
      access.revokeKey(id)
    },
    updateKey: (id, changes) => {
      refuse(id)
      access.updateKey(id, changes)
    },
  }
}
