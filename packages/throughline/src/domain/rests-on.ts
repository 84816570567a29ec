/**
 * What is derived from a message, and so is of no use any more when that has changed. Every store
 * asks here, so that stores cannot differ.
 */
import type { Hindsight } from './hindsight.ts'
import type { Seq } from './ids.ts'
import type { Insert } from './insert.ts'
import type { NewReceipt } from './receipt.ts'
import type { Summarization, SummaryRecord } from './summary.ts'
import type { View } from './view.ts'

/**
 * Whether a view tells of a message, and so has to go when that changes: of what lies below its line, and
 * by its ledger of everything that there was when it was made. What came since it shows as it
 * stands in the log.
 *
 * @example
 * const sound = views.filter((view) => !viewRestsOn(view, 12)) // message 12 was edited
 */
export function viewRestsOn({ line, stubs, past, next }: View, seq: Seq): boolean {
  if (line > seq || next?.seq === seq || stubs.some((stub) => stub.seq === seq)) return true
  // A stub may tell of a file what another message has shown of it.
  return past === null ? stubs.length > 0 : past.ledgerTo > seq
}

/** Whether what was recalled tells of a message, or was recalled for it. See `viewRestsOn`. */
export function insertRestsOn({ before, sources }: Insert, seq: Seq): boolean {
  return before === seq || sources.some(({ from, to }) => seq >= from && seq < to)
}

/**
 * Whether the model of a summary has seen a message; going on from the conversation it has seen more than it
 * was to tell. See `viewRestsOn`.
 */
export function summaryRestsOn({ head }: Pick<SummaryRecord, 'head'>, seq: Seq): boolean {
  return head > seq
}

/**
 * Whether a receipt has words of a message, or of those who were asked to tell it.
 *
 * @example
 * const rows = receipts.map((receipt) => (receiptRestsOn(receipt, 12) ? withoutWords(receipt) : receipt))
 */
export function receiptRestsOn({ head }: Pick<NewReceipt, 'head'>, seq: Seq): boolean {
  return head > seq
}

/**
 * Whether hindsight has looked at a message, and so is to be forgotten when that changes. See `viewRestsOn`.
 */
export function hindsightRestsOn({ looked }: Hindsight, seq: Seq): boolean {
  return looked.to > seq
}

/**
 * A receipt with its figures, and without words of the conversation or of those who were asked to tell
 * it. See `receiptRestsOn`.
 */
export function withoutWords(receipt: NewReceipt): NewReceipt {
  const { summarization } = receipt
  return summarization === null ? receipt : { ...receipt, summarization: wordless(summarization) }
}

function wordless(summarization: Summarization): Summarization {
  const attempts = summarization.attempts.map((attempt) => {
    const { outcome } = attempt
    if (outcome.kind === 'refused')
      return { ...attempt, outcome: { ...outcome, reasons: [], excerpt: '' } }
    return outcome.kind === 'failed'
      ? { ...attempt, outcome: { ...outcome, message: '' } }
      : attempt
  })
  return { ...summarization, attempts, repairs: [], marks: [] }
}
