/** Compaction asked for, switched, and taught by a provider that refused a request as too long. */
import { canLower, lowered, startCalibration } from '../domain/calibration.ts'
import type { CompactionControl } from '../domain/compaction.ts'
import type { Conversation } from '../domain/conversation.ts'
import type { ConversationId } from '../domain/ids.ts'
import { providerOverflow } from '../domain/provider-overflow.ts'
import { fail, ok, type Result } from '../domain/result.ts'
import { ThroughlineError } from '../errors.ts'
import { invalidOption } from '../flow/check-options.ts'
import { kept, type TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

// Each failed attempt is a commit that somebody else made: so many in a row is no accident.
const attemptsMax = 100

export async function changeControl(
  store: TenantStore,
  id: ConversationId,
  change: Partial<CompactionControl>,
  at: number,
): Promise<Result<Conversation, { readonly kind: 'not-found' }>> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const conversation = await store.conversation(id)
    if (conversation === null) return fail({ kind: 'not-found' })
    const compaction = { ...conversation.compaction, ...change }
    if (JSON.stringify(compaction) === JSON.stringify(conversation.compaction))
      return ok(conversation)
    const expectedVersion = conversation.version
    const outcome = await store.commit({ id, expectedVersion, changes: { compaction }, at })
    if (outcome.kind === 'committed') return ok(outcome.conversation)
    if (outcome.kind === 'not-found') return fail(outcome)
  }
  throw new ThroughlineError('STORE_BUSY', `conversation "${id}" is changed by others all the time`)
}

/**
 * What becomes of a refused request. `smaller`: the next context is, so ask for it and send
 * that. `gave-up`: this one was the smaller one already, so nothing is changed, and the
 * provider's error is yours to show. `not-overflow`: the error is another one.
 */
export type OverflowTaken = 'smaller' | 'gave-up' | 'not-overflow' | 'unknown-request'

export async function takeOverflow(
  store: TenantStore,
  id: ConversationId,
  refused: { readonly fingerprint: unknown; readonly error: unknown },
  front: Front,
): Promise<OverflowTaken> {
  const { fingerprint, error } = refused
  if (typeof fingerprint !== 'string')
    throw invalidOption('overflowed takes the fingerprint of the context that was refused')
  const overflow = providerOverflow(error)
  if (overflow === null) return 'not-overflow'
  const requests = (await store.requests({ id, limit: kept.requests })) ?? []
  const request = requests.find((record) => record.fingerprint === fingerprint)
  if (request === undefined) return 'unknown-request'
  const { model, tokens: countedTokens } = request
  const meter = await front.meter(model)
  const known = (await store.state({ id, model }))?.calibration ?? null
  const calibration =
    known === null || known.tokenizerId !== meter.tokenizer.id ? startCalibration(meter) : known
  if (!canLower(calibration, { countedTokens, ...overflow })) return 'gave-up'
  await store.record({
    id,
    calibration: {
      model,
      calibration: lowered(calibration, { countedTokens, ...overflow }),
    },
  })
  const asked = { reason: 'provider-overflow', model, of: fingerprint } as const
  await changeControl(store, id, { asked }, front.now())
  return 'smaller'
}
