/** A receipt for people: what a compaction did, and what of it was needed again. */
import type { Compacted, Receipt } from '../../index.ts'
import type { Output, World } from '../world.ts'
import { type LabelledRow, labelled } from './labelled.ts'
import { ago, counted, duration, grouped, momentOf, percent } from './numbers.ts'
import { safeLine } from './safe-text.ts'
import { styleOf } from './style.ts'

export function receiptLines(receipt: Receipt, world: World): readonly string[] {
  const { stdout, now } = world
  const { bold, dim } = styleOf(stdout)
  const { version, at, durationMs } = receipt
  return [
    `${bold(`receipt ${version}`)} ${dim(`${momentOf(at)}, ${ago(at, now())}, in ${duration(durationMs)}`)}`,
    '',
    ...labelled([...compactedRows(receipt, world), ...followUpRows(receipt)], stdout),
  ]
}

export function compactedRows(compacted: Compacted, { stdout }: World): readonly LabelledRow[] {
  const { decision, model, covered, line, keeps, stubbed, ledger, redacted } = compacted
  const { tokensBefore, tokensAfter, cause, madeBy } = compacted
  const less = tokensBefore ? ` (${changed(tokensBefore, tokensAfter, stdout)})` : ''
  const moved = covered.to - covered.from
  const fresh = moved === 0 ? '' : ` (${grouped(moved)} of them new)`
  const kept = `${counted(keeps.length, 'message')} below the line whole`
  return [
    ['why', cause === decision.reason ? cause : `${cause} (${decision.reason})`],
    ['model', model],
    ['tokens', `${tokensText(compacted, stdout)}${less}`],
    ['below the line', `messages before #${line}${fresh}`],
    ['kept', `${kept}, ${grouped(stubbed)} shortened`],
    ['told by', 'model' in madeBy ? `${madeBy.model} (${madeBy.summarizer})` : 'rules'],
    ['ledger', `${grouped(ledger.shown)} of ${counted(ledger.entries, 'entry', 'entries')} shown`],
    ['left out', redacted === 0 ? null : counted(redacted, 'secret')],
    ['shown now', kindsText(compacted)],
    ...askedRows(compacted),
  ]
}

/** `98,000 → 31,000` */
export function tokensText(
  { tokensBefore, tokensAfter }: Pick<Compacted, 'tokensBefore' | 'tokensAfter'>,
  output: Output,
): string {
  const before = tokensBefore === null ? '' : `${grouped(tokensBefore)} ${styleOf(output).arrow} `
  return `${before}${grouped(tokensAfter)}`
}

/** `−34 %` */
function changed(before: number, after: number, output: Output): string {
  const { minus } = styleOf(output)
  return `${after > before ? '+' : minus}${percent(Math.abs(after - before) / before)}`
}

function kindsText({ tokensByKind }: Compacted): string {
  return Object.entries(tokensByKind)
    .filter(([, tokens]) => tokens > 0)
    .sort(([, left], [, right]) => right - left)
    .map(([kind, tokens]) => `${kind} ${grouped(tokens)}`)
    .join(', ')
}

function askedRows({ summarization }: Compacted): readonly LabelledRow[] {
  if (summarization === null) return []
  const { attempts, why, costUsd, repairs, marks } = summarization
  const cost = costUsd === null ? '' : `, ${costUsd.toFixed(4)} USD`
  const outcome = why === null ? '' : `, ended by: ${why}`
  const gate = `${counted(repairs.length, 'value')} mended, ${counted(marks.length, 'doubt')} marked`
  return [
    ['models asked', `${counted(attempts.length, 'call')}${cost}${outcome}`],
    ...attempts.map(({ model, outcome: came }): LabelledRow => {
      if (came.kind === 'accepted') return ['', null]
      const reason = came.kind === 'failed' ? safeLine(came.message) : came.reasons.join(', ')
      return ['', `${model}: ${reason}`]
    }),
    ['gate', repairs.length + marks.length === 0 ? null : gate],
  ]
}

function followUpRows({ followUp }: Receipt): readonly LabelledRow[] {
  if (followUp === null) return [['follow-up', 'comes thirty requests later']]
  const { reopened, reopenedFiles, recalls, names } = followUp
  const files = reopened.slice(0, filesShown).map(({ path }) => safeLine(path))
  const missing = names.missing.slice(0, filesShown).map(safeLine)
  const shown = `${grouped(names.shown)} of ${counted(names.needed, 'name')}`
  const opened = `${counted(reopenedFiles, 'file')}: ${files.join(', ')}`
  return [
    ['follow-up', `${shown} that were needed again stood there`],
    ['missing', missing.join(', ') || null],
    ['opened again', reopenedFiles === 0 ? 'no file' : opened],
    ['recalled', counted(recalls, 'time')],
  ]
}

const filesShown = 5
