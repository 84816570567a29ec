/** The receipts of one conversation in memory, as the JSON text that a database would keep. */
import type { Hindsight } from '../../domain/hindsight.ts'
import type { Seq } from '../../domain/ids.ts'
import type { Expansion, LeftInContext, NewReceipt, Receipt } from '../../domain/receipt.ts'
import { hindsightRestsOn, receiptRestsOn, withoutWords } from '../../domain/rests-on.ts'
import type { Span } from '../../domain/span.ts'
import type { ConversationChanges } from '../../ports/commit-commands.ts'
import { keptRows } from '../../ports/kept-rows.ts'
import type {
  CompleteOutcome,
  ReceiptsQuery,
  WaitingReceipt,
} from '../../ports/receipt-commands.ts'
import { withExpansion } from '../expansions.ts'

interface Row {
  readonly version: number
  readonly body: string
  readonly hindsight: string | null
  /** Null once there is hindsight. */
  readonly waiting: Waiting | null
}

interface Waiting {
  readonly due: number
  readonly left: string
  readonly expanded: readonly Expansion[]
}

export class MemoryReceipts {
  /** Newest last. */
  #rows: readonly Row[] = []

  /** With so many requests the next hindsight is due. */
  get due(): number | null {
    const dues = this.#rows.flatMap(({ waiting }) => waiting?.due ?? [])
    return dues.length === 0 ? null : Math.min(...dues)
  }

  add({ receipt, left, due }: NonNullable<ConversationChanges['receipt']>, version: number): void {
    const waiting = due === null ? null : { due, left: JSON.stringify(left), expanded: [] }
    const row = { version, body: JSON.stringify(receipt), hindsight: null, waiting }
    this.#rows = [...this.#rows, row].slice(-keptRows.receipts)
  }

  read({ limit, before }: Pick<ReceiptsQuery, 'limit' | 'before'>): readonly Receipt[] {
    return this.#rows
      .filter(({ version }) => before === null || version < before)
      .toReversed()
      .slice(0, limit)
      .map(receiptOf)
  }

  expand(span: Span): void {
    this.#rows = this.#rows.map((row) => {
      if (row.waiting === null) return row
      const expanded = withExpansion(row.waiting.expanded, span)
      return { ...row, waiting: { ...row.waiting, expanded } }
    })
  }

  forget(seq: Seq): void {
    this.#rows = this.#rows.map((row) => {
      const { hindsight, ...receipt } = receiptOf(row)
      const isTold = hindsight !== null && hindsightRestsOn(hindsight, seq)
      const kept = isTold ? { ...row, hindsight: null } : row
      if (!receiptRestsOn(receipt, seq)) return kept
      const { version: _, ...written } = receipt
      return { ...kept, body: JSON.stringify(withoutWords(written)), waiting: null }
    })
  }

  waiting(
    recorded: number,
    of: Pick<WaitingReceipt, 'serial' | 'rewrites'>,
  ): WaitingReceipt | null {
    const row = this.#rows.find(({ waiting }) => waiting !== null && waiting.due <= recorded)
    if (row === undefined || row.waiting === null) return null
    const { left, expanded } = row.waiting
    return {
      receipt: receiptOf(row),
      ...of,
      left: JSON.parse(left) as LeftInContext,
      expanded: structuredClone(expanded),
    }
  }

  complete(version: number, hindsight: Hindsight): CompleteOutcome {
    const row = this.#rows.find((one) => one.version === version)
    if (row === undefined) return { kind: 'not-found' }
    if (row.waiting === null) return { kind: 'complete-already' }
    const completed = { ...row, hindsight: JSON.stringify(hindsight), waiting: null }
    this.#rows = this.#rows.map((one) => (one === row ? completed : one))
    return { kind: 'completed' }
  }
}

function receiptOf({ version, body, hindsight }: Row): Receipt {
  return {
    version,
    ...(JSON.parse(body) as NewReceipt),
    hindsight: hindsight === null ? null : (JSON.parse(hindsight) as Hindsight),
  }
}
