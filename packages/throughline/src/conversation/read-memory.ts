/** What an agent remembers of the turns of a conversation, read from its store. */
import type { ConversationId } from '../domain/ids.ts'
import { memorySlotsOf } from '../domain/memory-slot.ts'
import type { Policy } from '../domain/policy.ts'
import type { TurnMemory } from '../domain/turn-memory.ts'
import type { TurnRecord } from '../domain/turn-record.ts'
import { type TurnRules, turnRules } from '../domain/turn-rules.ts'
import type { MemoryToTell } from '../flow/assemble/memory-slots.ts'
import { invalidOption } from '../flow/check/check-options.ts'
import type { ContextRequest } from '../flow/check/check-request.ts'
import { fullFrom, mostFullTurns } from '../flow/memory/full-turns.ts'
import { turnMemoryOf } from '../flow/memory/turn-memory.ts'
import type { TenantStore } from '../ports/store.ts'

export async function readMemory(
  store: TenantStore,
  id: ConversationId,
  rules: TurnRules,
): Promise<TurnMemory> {
  const [records, steps] = await Promise.all([
    store.turns({ id, before: null, limit: rules.fullTurns }),
    store.steps({ id, turn: null, step: null, limit: rules.fullSteps }),
  ])
  const recent = records ?? []
  const others = await untoldBefore(store, id, recent, rules)
  return turnMemoryOf([...recent, ...others], steps ?? [], rules)
}

/** Turns before those that no line of the history tells: it was made where more were shown in full. */
async function untoldBefore(
  store: TenantStore,
  id: ConversationId,
  recent: readonly TurnRecord[],
  rules: TurnRules,
): Promise<readonly TurnRecord[]> {
  const [newest] = recent
  const before = recent.at(-1)?.turn ?? 0
  const untold = newest === undefined ? 0 : before - fullFrom(newest, rules)
  const limit = Math.min(untold, mostFullTurns(rules) - recent.length)
  return limit <= 0 ? [] : ((await store.turns({ id, before, limit })) ?? [])
}

/** Asked for where nobody would see it, it is refused rather than ignored. */
export function checkMemory(
  { memory }: Pick<ContextRequest, 'memory'>,
  policy: Pick<Policy, 'name' | 'slots'>,
): void {
  if (memory === null || memorySlotsOf(policy).size > 0) return
  throw invalidOption(
    `memory: policy "${policy.name}" has no slot for what is remembered of turns; take the policy turn-memory, or name such slots as theme, entities, pending, turns, history and steps`,
  )
}

/** Null where the policy shows nothing of it. */
export async function memoryToTell({
  store,
  id,
  request,
  policy,
}: {
  readonly store: TenantStore
  readonly id: ConversationId
  readonly request: Pick<ContextRequest, 'memory'>
  readonly policy: Policy
}): Promise<MemoryToTell | null> {
  const slots = memorySlotsOf(policy)
  if (slots.size === 0) return null
  const rules = policy.turns ?? turnRules
  const memory = await readMemory(store, id, rules)
  return { memory, reader: request.memory ?? 'full', rules, slots }
}
