/**
 * What is derived of one conversation in memory: views, calibrations, receipts and the log
 * of requests. Kept as the JSON text that a database would keep, so that it comes back
 * the same from every store.
 */

import type { AskState } from '../../domain/asking.ts'
import type { Calibration } from '../../domain/calibration.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Insert } from '../../domain/insert.ts'
import type { RequestRecord } from '../../domain/request-record.ts'
import { insertRestsOn, viewRestsOn } from '../../domain/rests-on.ts'
import type { View } from '../../domain/view.ts'
import type { ViewVersion } from '../../domain/view-version.ts'
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type { ConversationState, RecordCommand } from '../../ports/state-commands.ts'
import type { VersionedView, VersionsQuery } from '../../ports/view-versions.ts'
import { MemoryReceipts } from './receipts.ts'
import { MemoryVersions, type ViewCommit } from './versions.ts'

export class MemoryDerived {
  readonly receipts = new MemoryReceipts()
  readonly #versions = new MemoryVersions()
  /** By model; the one that was written last stands last. */
  readonly #views = new Map<string, string>()
  /** The commits that brought them. */
  readonly #viewVersions = new Map<string, number>()
  readonly #calibrations = new Map<string, string>()
  /** Newest last. */
  readonly #requests: { readonly model: string; readonly body: string }[] = []
  /** Newest last. */
  #inserts: readonly KeptInsert[] = []
  #recorded = 0
  #asking: string | null = null

  of(model: string): Omit<ConversationState, 'conversation' | 'serial' | 'seen'> {
    const view = parsed<View>(this.#views.get(model))
    return {
      view,
      inserts: view === null ? [] : this.#insertsOf(model, view),
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

  commit(change: NonNullable<ConversationChanges['view']>, commit: ViewCommit): void {
    const { model, view } = change
    this.#versions.add(change, commit)
    this.#viewVersions.set(model, commit.version)
    if (view === null) this.#views.delete(model)
    else putLast(this.#views, model, view, keptRows.views)
  }

  versions(query: Pick<VersionsQuery, 'model' | 'limit'>): readonly ViewVersion[] {
    return this.#versions.read(query, (model) =>
      this.#views.has(model) ? (this.#viewVersions.get(model) ?? null) : null,
    )
  }

  viewOf(version: number): VersionedView | null {
    return this.#versions.viewOf(version)
  }

  forgetInserts(places: readonly Seq[]): void {
    this.#inserts = this.#inserts.filter(
      ({ insert }) => !places.some((seq) => insertRestsOn(insert, seq)),
    )
  }

  forget(seq: Seq): void {
    for (const [model, body] of this.#views)
      if (viewRestsOn(JSON.parse(body) as View, seq)) this.#views.delete(model)
    this.#versions.forget(seq)
    this.receipts.forget(seq)
  }

  ask(asking: AskState): void {
    this.#asking = JSON.stringify(asking)
  }

  #insertsOf(model: string, { epoch, insertsOf = epoch }: View): readonly Insert[] {
    return this.#inserts
      .filter((each) => each.model === model && each.insert.epoch === insertsOf)
      .map(({ body }) => JSON.parse(body) as Insert)
      .sort((left, right) => left.before - right.before)
  }

  record({ request, calibration, expanded, recalled }: RecordCommand): void {
    if (recalled !== undefined) this.#recall(recalled)
    if (expanded !== undefined) this.receipts.expand(expanded)
    if (calibration !== undefined)
      putLast(this.#calibrations, calibration.model, calibration.calibration, keptRows.calibrations)
    if (request === undefined) return
    this.#recorded += 1
    this.#requests.push({ model: request.model, body: JSON.stringify(request) })
    if (this.#requests.length > keptRows.requests) this.#requests.shift()
  }

  #recall({ model, inserts }: NonNullable<RecordCommand['recalled']>): void {
    for (const insert of inserts) {
      const isAtItsPlace = (each: KeptInsert) =>
        each.model === model &&
        each.insert.epoch === insert.epoch &&
        each.insert.before === insert.before
      if (this.#inserts.some((each) => isAtItsPlace(each) && each.insert.of === insert.of)) continue
      const others = this.#inserts.filter((each) => !isAtItsPlace(each))
      const body = JSON.stringify(insert)
      this.#inserts = [...others, { model, insert: structuredClone(insert), body }]
    }
    this.#inserts = this.#inserts.slice(-keptRows.inserts)
  }
}

interface KeptInsert {
  readonly model: string
  readonly insert: Insert
  readonly body: string
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
