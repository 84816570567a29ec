/** Purges conversations that had no new message for the number of days that the settings name, per tenant. */
import type { Conversation, TenantHandle, Throughline } from 'throughline'
import type { Access } from './access.ts'
import type { ServerSettings } from './settings.ts'

export interface RetentionOptions {
  readonly throughline: Throughline
  readonly access: Access
  readonly retention: ServerSettings['retention']
  readonly now: () => number
}

/** One pass over all tenants that have or had a key; returns how many conversations it purged. */
export async function purgeExpired(options: RetentionOptions): Promise<number> {
  const { throughline, access, retention, now } = options
  const tenants = new Set(access.keys(null).map(({ tenant }) => tenant))
  let purged = 0
  for (const name of tenants) {
    const days = Object.hasOwn(retention.tenants, name) ? retention.tenants[name] : retention.days
    if (days == null) continue
    const tenant = throughline.tenant(name)
    for (const id of await inactiveBefore(tenant, now() - days * dayMs)) {
      // Shared messages stay until the forks are inactive, too.
      const outcome = await tenant.conversation(id).history.purge({ forks: 'refuse' })
      if (outcome.kind !== 'purged') continue
      await access.forgetAnswers(name, outcome.conversations, null)
      const row = { tenant: name, key: 'retention', operation: 'purgeConversation', status: 200 }
      await access.record({ ...row, subject: id })
      purged += outcome.conversations.length
    }
  }
  return purged
}

const dayMs = 86_400_000

/** The ids of conversations without activity since then; those with an active child are not. */
async function inactiveBefore(tenant: TenantHandle, time: number): Promise<readonly string[]> {
  const inactive: string[] = []
  const activeParents = new Set<string>()
  for (let after: string | undefined; ; ) {
    const page = await tenant.list({ after, limit: pageRows })
    for (const conversation of page) {
      const { id, parent } = conversation
      if ((await lastActivity(tenant, conversation)) < time) inactive.push(id)
      else if (parent !== null) activeParents.add(parent.conversationId)
    }
    after = page.at(-1)?.id
    if (page.length < pageRows) break
  }
  return inactive.filter((id) => !activeParents.has(id))
}

const pageRows = 500

/** An import keeps the old times of its messages, so the conversation's own time counts, too. */
async function lastActivity(
  tenant: TenantHandle,
  { id, head, createdAt }: Conversation,
): Promise<number> {
  let last = createdAt
  for await (const message of tenant
    .conversation(id)
    .messages({ from: Math.max(0, head - 1), to: head }))
    last = Math.max(last, message.createdAt)
  return last
}

const hourMs = 3_600_000

/** A pass at once, then one per hour. The function that it returns stops after the running pass. */
export function startRetention(
  options: RetentionOptions,
  report: (outcome: { readonly purged: number } | { readonly error: unknown }) => void,
): () => Promise<void> {
  const { days, tenants } = options.retention
  if (days === null && Object.values(tenants).every((each) => each === null)) return async () => {}
  let running = Promise.resolve()
  const run = () => {
    running = running.then(() =>
      purgeExpired(options).then(
        (purged) => report({ purged }),
        (error: unknown) => report({ error }),
      ),
    )
  }
  run()
  const timer = setInterval(run, hourMs)
  timer.unref()
  return () => {
    clearInterval(timer)
    return running
  }
}
