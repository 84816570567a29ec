/** Turns changes of a conversation into rows and events, and commits them. */
import { encodeBody } from '../domain/derived-body.ts'
import type { DerivedBodies, DerivedKind, DerivedRow, ReceiptBody } from '../domain/derived-row.ts'
import { figuresOf } from '../domain/view.ts'
import { assertInvariant, INVARIANT } from '../invariants.ts'
import type { CommitOutcome, TenantStore } from '../ports/store.ts'
import { changeEvents } from './change-events.ts'
import type { ChangeCommand, ConversationChanges, Remembered } from './changes.ts'

export async function commitChanges(
  store: Pick<TenantStore, 'commit'>,
  { id, expectedVersion, changes, at }: ChangeCommand,
): Promise<CommitOutcome> {
  const version = expectedVersion + 1
  const { title, titleFrom, meta, pins, pinnedTo, compaction, view, restored } = changes
  return store.commit({
    id,
    expectedVersion,
    fields: {
      ...(title !== undefined && { title, titleFrom: titleFrom ?? null }),
      ...(meta !== undefined && { meta }),
      ...(pins !== undefined && { pins }),
      ...(pinnedTo !== undefined && { pinnedTo }),
      ...(compaction !== undefined && { compaction }),
    },
    drop: view === undefined ? [] : [{ kind: 'view', key: textKey(view.model) }],
    relabel: [
      ...(restored?.returned ?? []).map((id) => summaryLabel(id, null)),
      ...(restored?.withdrawn ?? []).map((id) => summaryLabel(id, withdrawnLabel)),
    ],
    put: [...rowsOf(changes, version, at)],
    events: changeEvents(changes, version),
    at,
  })
}

/** The label of a summary that later ones no longer extend. */
export const withdrawnLabel = 'withdrawn'

/** Any text as a key or label, which must be well-formed. */
export function textKey(text: string): string {
  return JSON.stringify(text)
}

/** The key of a view's inserts, which is also the label of the view. */
export function insertsKey(model: string, epoch: number): string {
  return JSON.stringify([epoch, model])
}

/** Padded, so that text order is number order. */
export function stepKey(step: number): string {
  return String(step).padStart(6, '0')
}

export function rowOf<Kind extends DerivedKind>(
  kind: Kind,
  body: DerivedBodies[Kind],
  place: Partial<Omit<DerivedRow, 'kind' | 'body'>>,
): DerivedRow {
  return {
    kind,
    position: 0,
    key: '',
    bound: null,
    label: null,
    ...place,
    body: encodeBody(kind, body),
  }
}

function summaryLabel(id: string, label: string | null) {
  return { kind: 'summary', key: textKey(id), label } as const
}

function* rowsOf(changes: ConversationChanges, version: number, at: number): Generator<DerivedRow> {
  const { view, facts, edited, summarized, digested, remembered, receipt } = changes
  if (view !== undefined) yield* viewRows(view, version, { of: changes.restored?.of ?? null, at })
  for (const { seq, ...body } of facts?.rows ?? [])
    yield rowOf('facts', body, { position: seq, label: body.trust })
  if (facts?.ledger) {
    const { from } = facts.ledger
    yield rowOf('ledger', facts.ledger, { label: from === undefined ? null : String(from) })
  }
  for (const record of [edited?.record, summarized?.record])
    if (record) {
      const { id, covers } = record
      yield rowOf('summary', record, { position: version, key: textKey(id), bound: covers.to })
    }
  if (digested?.record) yield rowOf('digest', digested.record, { position: digested.record.seq })
  if (remembered !== undefined) yield* turnRows(remembered)
  const asking =
    changes.asking ?? digested?.asking ?? summarized?.asking ?? remembered?.asking ?? null
  if (asking !== null) yield rowOf('asking', asking, {})
  if (receipt !== undefined) yield receiptRow(receipt, version)
}

function* viewRows(
  { model, view }: NonNullable<ConversationChanges['view']>,
  version: number,
  details: { readonly of: number | null; readonly at: number },
): Generator<DerivedRow> {
  const label = JSON.stringify({ ...figuresOf(view), ...details })
  const row = rowOf('version', view, { position: version, key: textKey(model), label })
  if (view !== null)
    yield { ...row, kind: 'view', label: insertsKey(model, view.insertsOf ?? view.epoch) }
  yield row
}

function receiptRow(
  { receipt, left, due }: NonNullable<ConversationChanges['receipt']>,
  version: number,
): DerivedRow {
  const waiting = due === null || left === null ? null : { left, expanded: [] }
  const body: ReceiptBody = { receipt, followUp: null, waiting }
  return rowOf('receipt', body, { position: version, bound: due })
}

function* turnRows({ record, steps }: Remembered): Generator<DerivedRow> {
  const { turn, messages } = record
  const { from, to } = messages
  assertInvariant(
    [from, to].every(Number.isInteger) && from >= 0 && from <= to,
    INVARIANT.dense,
    `turn ${turn} has the messages from ${from} to ${to}`,
  )
  yield rowOf('turn', record, { position: turn, bound: to })
  for (const [index, step] of steps.entries()) {
    assertInvariant(
      step.turn === turn && step.step === index,
      INVARIANT.dense,
      `step ${step.step} of turn ${step.turn} was passed as step ${index} of turn ${turn}`,
    )
    yield rowOf('step', step, { position: turn, key: stepKey(index), bound: to })
  }
}
