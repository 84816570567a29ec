/** The JSON bodies of receipts, read back; what is not of our shape was changed by somebody else. */
import type { Hindsight } from '../../domain/hindsight.ts'
import type { Expansion, LeftInContext, NewReceipt } from '../../domain/receipt.ts'
import { type Cell, changedOutside, jsonCell } from './cells.ts'
import { areAll, isNumber, isPlaces, isText } from './derived-rows.ts'

export function newReceiptOf(cell: Cell): NewReceipt {
  return there(
    jsonCell<NewReceipt>(
      cell,
      'a receipt',
      ({ model, epoch, line, head, keeps, decision, covered, tokensByKind, at }) =>
        isText(model) &&
        [epoch, line, head, covered.from, covered.to, at].every(isNumber) &&
        isPlaces(keeps) &&
        isText(decision.reason) &&
        Object.values(tokensByKind).every(isNumber),
    ),
  )
}

export function hindsightOf(cell: Cell): Hindsight | null {
  return jsonCell<Hindsight>(
    cell,
    'hindsight',
    ({ at, reopened, recalled, names }) =>
      isNumber(at) &&
      Array.isArray(reopened) &&
      Array.isArray(recalled) &&
      isNumber(names.needed) &&
      areAll(names.missing, isText),
  )
}

export function leftOf(cell: Cell): LeftInContext {
  return there(
    jsonCell<LeftInContext>(
      cell,
      'what a compaction left',
      ({ text, stubs }) => isText(text) && isPlaces(stubs),
    ),
  )
}

export function expandedOf(cell: Cell): readonly Expansion[] {
  return there(
    jsonCell<readonly Expansion[]>(cell, 'what was expanded', (expanded) =>
      areAll(expanded, ({ span, times }) => [span.from, span.to, times].every(isNumber)),
    ),
  )
}

function there<Value>(value: Value | null): Value {
  if (value !== null) return value
  throw changedOutside('a receipt')
}
