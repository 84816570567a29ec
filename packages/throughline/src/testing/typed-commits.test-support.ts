/** Typed commits and loads, for tests that plant a bug between the engine and a store. */
import type { ChangeCommand, ConversationChanges } from '../derived/changes.ts'
import { bodyOf, encodeBody } from '../domain/derived-body.ts'
import type { DerivedBodies, DerivedKind, DerivedRow } from '../domain/derived-row.ts'
import type { EventBody } from '../domain/event.ts'
import type { ConversationId } from '../domain/ids.ts'
import type { CommitCommand, RowQuery, TenantStore } from '../ports/store.ts'

/** The changes of a commit. Details of a summarization are lost, except those in its event. */
export function commandIn(command: CommitCommand): ChangeCommand {
  const { id, expectedVersion, at } = command
  return { id, expectedVersion, at, changes: changesIn(command) }
}

export function changesIn({ fields, put = [], events }: CommitCommand): ConversationChanges {
  const rowsOf = (kind: DerivedKind) => put.filter((row) => row.kind === kind)
  const first = <Kind extends DerivedKind>(kind: Kind): DerivedBodies[Kind] | undefined =>
    rowsOf(kind)
      .map((row) => bodyOf(kind, row))
      .at(0)
  const eventOf = <Kind extends EventBody['kind']>(kind: Kind) =>
    events.find((event): event is Extract<EventBody, { kind: Kind }> => event.kind === kind)
  const [version] = rowsOf('version')
  const [receipt] = rowsOf('receipt')
  const facts = rowsOf('facts').map((row) => ({ seq: row.position, ...bodyOf('facts', row) }))
  const summary = first('summary') ?? null
  const asking = first('asking')
  const edited = eventOf('summary-edited')
  const summarized = eventOf('summary-written') ?? eventOf('summary-failed')
  const digested = eventOf('message-digested')
  const restored = eventOf('view-restored')
  const turn = first('turn')
  return {
    ...fields,
    ...(version && {
      view: { model: JSON.parse(version.key), view: bodyOf('version', version) },
    }),
    ...(eventOf('facts-extracted') && { facts: { rows: facts, ledger: first('ledger') ?? null } }),
    ...(restored && {
      restored: {
        of: restored.of,
        withdrawn: restored.withdrawn,
        returned: restored.returned,
      },
    }),
    ...(edited && summary && { edited: { model: edited.model, record: summary } }),
    ...(summarized && asking && { summarized: summarizedIn(summarized, summary, asking) }),
    ...(digested &&
      asking && {
        digested: { ...digested, record: first('digest') ?? null, asking },
      }),
    ...(turn && {
      remembered: {
        record: turn,
        steps: rowsOf('step').map((row) => bodyOf('step', row)),
        asking: asking ?? null,
      },
    }),
    ...(asking && !summarized && !digested && !turn && { asking }),
    ...(receipt && { receipt: receiptIn(receipt) }),
  }
}

function summarizedIn(
  event: Extract<EventBody, { kind: 'summary-written' | 'summary-failed' }>,
  record: DerivedBodies['summary'] | null,
  asking: DerivedBodies['asking'],
): NonNullable<ConversationChanges['summarized']> {
  const { model, reason, tokensBefore, ratio, calls, costUsd, durationMs } = event
  const isWritten = event.kind === 'summary-written'
  // Planted bugs only need the number of attempts.
  const summarization = {
    attempts: Array.from({ length: calls }, () => ({})),
    costUsd,
    durationMs,
    why: isWritten ? null : event.why,
  } as unknown as NonNullable<ConversationChanges['summarized']>['summarization']
  const decision = { reason, figures: { tokens: tokensBefore, ratio } } as unknown as NonNullable<
    ConversationChanges['summarized']
  >['decision']
  const tokensAfter = isWritten ? event.tokensAfter : null
  return {
    record: isWritten ? record : null,
    summarization,
    model,
    decision,
    tokensAfter,
    asking,
  }
}

function receiptIn(row: DerivedRow): NonNullable<ConversationChanges['receipt']> {
  const { receipt, waiting } = bodyOf('receipt', row)
  return { receipt, left: waiting?.left ?? { text: '', stubs: [] }, due: row.bound }
}

type Altered = readonly DerivedRow[] | Promise<readonly DerivedRow[]>

/** A store that changes loaded rows of a kind. */
export function loading(
  tenant: TenantStore,
  kind: DerivedKind,
  alter: (rows: readonly DerivedRow[], query: RowQuery, id: ConversationId) => Altered,
): Pick<TenantStore, 'load'> {
  return {
    load: async (query) => {
      const loaded = await tenant.load(query)
      if (loaded === null) return null
      const rows = loaded.rows.map(async (each, index) => {
        const asked = query.rows?.[index]
        return asked?.kind === kind ? alter(each, asked, query.id) : each
      })
      return { ...loaded, rows: await Promise.all(rows) }
    },
  }
}

/** A row with another body. */
export function withBody<Kind extends DerivedKind>(
  kind: Kind,
  row: DerivedRow,
  change: (body: DerivedBodies[Kind]) => DerivedBodies[Kind],
): DerivedRow {
  return row.body === '' ? row : { ...row, body: encodeBody(kind, change(bodyOf(kind, row))) }
}

/** The rows of a query. */
export async function rowsFor(
  tenant: Pick<TenantStore, 'load'>,
  id: ConversationId,
  query: RowQuery,
): Promise<readonly DerivedRow[]> {
  return (await tenant.load({ id, rows: [query] }))?.rows[0] ?? []
}
