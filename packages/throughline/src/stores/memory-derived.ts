/**
 * What is derived of one conversation in memory: views, calibrations, receipts and the log
 * of requests. Kept as the JSON text that a database would keep, so that it comes back
 * the same from every store.
 */
import type { AskState } from '../domain/asking.ts'
import type { Calibration } from '../domain/calibration.ts'
import type { Seq } from '../domain/ids.ts'
import type { RequestRecord } from '../domain/request-record.ts'
import { viewRestsOn } from '../domain/rests-on.ts'
import type { View } from '../domain/view.ts'
import {
  type ConversationChanges,
  type ConversationState,
  kept,
  type RecordCommand,
} from '../ports/store.ts'
import { MemoryReceipts } from './memory-receipts.ts'

export class MemoryDerived {
  readonly receipts = new MemoryReceipts()
  /** By model; the one that was written last stands last. */
  readonly #views = new Map<string, string>()
  readonly #calibrations = new Map<string, string>()
  /** Newest last. */
  readonly #requests: { readonly model: string; readonly body: string }[] = []
  #recorded = 0
  #asking: string | null = null

  of(model: string): Omit<ConversationState, 'conversation' | 'serial' | 'seen'> {
    return {
      view: parsed<View>(this.#views.get(model)),
      calibration: parsed<Calibration>(this.#calibrations.get(model)),
      last: parsed<RequestRecord>(this.#requests.findLast((one) => one.model === model)?.body),
      asking: parsed<AskState>(this.#asking ?? undefined),
      recorded: this.#recorded,
      hindsightDue: this.receipts.due,
    }
  }

  requests(limit: number): readonly RequestRecord[] {
    return this.#requests
      .toReversed()
      .slice(0, limit)
      .map(({ body }) => JSON.parse(body) as RequestRecord)
  }

  commit({ model, view }: NonNullable<ConversationChanges['view']>): void {
    if (view === null) this.#views.delete(model)
    else putLast(this.#views, model, view, kept.views)
  }

  forget(seq: Seq): void {
    for (const [model, body] of this.#views)
      if (viewRestsOn(JSON.parse(body) as View, seq)) this.#views.delete(model)
    this.receipts.forget(seq)
  }

  ask(asking: AskState): void {
    this.#asking = JSON.stringify(asking)
  }

  record({ request, calibration, expanded }: RecordCommand): void {
    if (expanded !== undefined) this.receipts.expand(expanded)
    if (calibration !== undefined)
      putLast(this.#calibrations, calibration.model, calibration.calibration, kept.calibrations)
    if (request === undefined) return
    this.#recorded += 1
    this.#requests.push({ model: request.model, body: JSON.stringify(request) })
    if (this.#requests.length > kept.requests) this.#requests.shift()
  }
}

/** A map keeps the order of its entries: the first is the one that waited longest. */
function putLast(map: Map<string, string>, model: string, value: object, most: number): void {
  map.delete(model)
  map.set(model, JSON.stringify(value))
  const [oldest] = map.keys()
  if (map.size > most && oldest !== undefined) map.delete(oldest)
}

function parsed<Value>(text: string | undefined): Value | null {
  return text === undefined ? null : (JSON.parse(text) as Value)
}
