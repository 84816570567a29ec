/** A request of ours that somebody tells us about, with what is known of its model. */
import { type Calibration, startCalibration } from '../domain/calibration.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { RequestRecord } from '../domain/request-record.ts'
import type { Meter } from '../flow/measure/measure.ts'
import { keptRows } from '../ports/kept-rows.ts'
import type { TenantStore } from '../ports/store.ts'
import type { Front } from './front.ts'

interface KnownRequest {
  readonly request: RequestRecord
  readonly meter: Meter
  readonly calibration: Calibration
}

/** Old requests are forgotten, and a fingerprint may be another conversation's: then null. */
export async function findRequest(
  store: TenantStore,
  id: ConversationId,
  fingerprint: string,
  front: Front,
): Promise<KnownRequest | null> {
  const requests = (await store.requests({ id, limit: keptRows.requests })) ?? []
  const request = requests.find((record) => record.fingerprint === fingerprint)
  if (request === undefined) return null
  const { model } = request
  const state = await store.state({ id, model })
  const meter = await front.meter(model)
  const known = state?.calibration ?? null
  // Counts of another tokenizer say nothing.
  const isFresh = known === null || known.tokenizerId !== meter.tokenizer.id
  return { request, meter, calibration: isFresh ? startCalibration(meter) : known }
}
