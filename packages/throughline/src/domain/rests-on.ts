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
 * A view tells of what lies below its line, and its ledger of everything that there was when it
 * was made. What came since it shows as it stands in the log.
 */
export function viewRestsOn({ line, stubs, past, next }: View, seq: Seq): boolean {
  if (line > seq || next?.seq === seq || stubs.some((stub) => stub.seq === seq)) return true
  // A stub may tell of a file what another message has shown of it.
  return past === null ? stubs.length > 0 : past.ledgerTo > seq
}

/** What was recalled tells of messages, and was recalled for one. */
export function insertRestsOn({ before, sources }: Insert, seq: Seq): boolean {
  return before === seq || sources.some(({ from, to }) => seq >= from && seq < to)
}

/** Where a summary goes on from the chat, its model has seen more than it was to tell. */
export function summaryRestsOn({ head }: Pick<SummaryRecord, 'head'>, seq: Seq): boolean {
  return head > seq
}

/** What a receipt's compaction left in the context, and what was said of its summary. */
export function receiptRestsOn({ head }: Pick<NewReceipt, 'head'>, seq: Seq): boolean {
  return head > seq
}

export function hindsightRestsOn({ looked }: Hindsight, seq: Seq): boolean {
  return looked.to > seq
}

/** Its figures stay; words of the conversation, and of those who were asked to tell it, go. */
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
