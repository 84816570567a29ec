/** Renders a receipt for people: what a compaction did, and which left-out names were used later. */
import type { Compacted, Receipt } from '../../index.ts'
import type { Output, World } from '../world.ts'
import { causeText, kindName, shortenedRow } from './context-lines.ts'
import { type LabelledRow, labelled } from './labelled.ts'
import { ago, counted, duration, grouped, momentOf, percent } from './numbers.ts'
import { safeLine } from './safe-text.ts'
import { styleOf } from './style.ts'

export function receiptLines(receipt: Receipt, { stdout, now }: World): readonly string[] {
  const { bold, dim } = styleOf(stdout)
  const { at, durationMs } = receipt
  return [
    `${bold('receipt')} ${dim(`${momentOf(at)}, ${ago(at, now())}, in ${duration(durationMs)}`)}`,
    '',
    ...labelled([...compactedRows(receipt, stdout), ...followUpRows(receipt)], stdout),
  ]
}

export function compactedRows(compacted: Compacted, output: Output): readonly LabelledRow[] {
  const { decision, model, covered, line, keeps, stubbed, ledger, redacted } = compacted
  const { tokensBefore, tokensAfter, cause, madeBy } = compacted
  const less = tokensBefore ? ` (${changed(tokensBefore, tokensAfter, output)})` : ''
  const isAgain = covered.from > 0 && covered.to > covered.from
  const since = isAgain ? `, new since #${covered.from}` : ''
  const except = keeps.length === 0 ? '' : `, except ${keptText(keeps)}`
  const replaced = line === 0 ? 'no messages' : `messages #0–#${line - 1}${since}${except}`
  const isByModel = 'model' in madeBy
  const history = isByModel ? 'summary' : 'digest'
  const author = isByModel ? `${madeBy.model} (${madeBy.summarizer})` : 'rules (no LLM)'
  const entries = `${grouped(ledger.shown)} of ${counted(ledger.entries, 'entry', 'entries')}`
  const later =
    ledger.from === undefined
      ? ''
      : `; facts of some messages before #${ledger.from} follow in the background`
  const secrets = `${counted(redacted, 'secret')}, in ${history}, ledger and files only; secrets in messages are not redacted`
  const [text, why] = [causeText(cause, compacted), causeText(decision.reason, compacted)]
  return [
    ['why', text === why ? text : `${text} (${why})`],
    ['model', model],
    ['tokens', `${tokensText(compacted, output)}${less}`],
    ['replaced', output.unicode ? replaced : replaced.replace('–', '-')],
    shortenedRow(stubbed),
    [`${history} by`, line === 0 ? null : author],
    ['ledger', ledger.entries === 0 ? 'none: no room' : `${entries} sent to the model${later}`],
    ['redacted', redacted === 0 ? null : secrets],
    ['context after', `${kindsText(compacted, history)} tokens`],
    ...askedRows(compacted),
  ]
}

/** `#90, which is still sent`; more than three messages are only counted. */
function keptText(keeps: Compacted['keeps']): string {
  if (keeps.length > 3) return `${grouped(keeps.length)} messages that are still sent`
  const places = keeps.map((seq) => `#${seq}`).join(', ')
  return `${places}, which ${keeps.length === 1 ? 'is' : 'are'} still sent`
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

function kindsText({ tokensByKind }: Compacted, history: string): string {
  const nameOf = (kind: string) =>
    kind === 'summary' ? `${history} and user requests` : kindName(kind)
  return Object.entries(tokensByKind)
    .flatMap(([kind, tokens]) => (tokens > 0 ? `${nameOf(kind)} ${grouped(tokens)}` : []))
    .join(', ')
}

function askedRows({ summarization }: Compacted): readonly LabelledRow[] {
  if (summarization === null) return []
  const { attempts, why, costUsd, repairs, marks } = summarization
  const cost = costUsd === null ? '' : `, ${costUsd.toFixed(4)} USD`
  const outcome = why === null ? '' : `, ended by: ${why}`
  const gate = `${counted(repairs.length, 'value')} repaired, ${counted(marks.length, 'doubtful value')} marked`
  return [
    ['model calls', `${grouped(attempts.length)}${cost}${outcome}`],
    ...attempts.map(({ model, outcome: result }): LabelledRow => {
      if (result.kind === 'accepted') return ['', null]
      const reason = result.kind === 'failed' ? safeLine(result.message) : result.reasons.join(', ')
      return ['', `${model}: ${reason}`]
    }),
    ['checks', repairs.length + marks.length === 0 ? null : gate],
  ]
}

function followUpRows({ followUp }: Receipt): readonly LabelledRow[] {
  if (followUp === null) return [['follow-up', comingText]]
  const { reopened, reopenedFiles, recalls, names } = followUp
  const files = reopened.slice(0, filesShown).map(({ path }) => safeLine(path))
  const missing = names.missing.slice(0, filesShown).map(safeLine)
  const shown = `${grouped(names.shown)} of ${counted(names.needed, 'name')} (files, functions, ids)`
  const opened = `${counted(reopenedFiles, 'file')}: ${files.join(', ')}`
  return [
    [
      'follow-up',
      `${shown} used in later messages ${names.needed === 1 ? 'was' : 'were'} in the context`,
    ],
    ['missing names', missing.join(', ') || null],
    ['files reread', reopenedFiles === 0 ? 'none' : opened],
    ['recalls', grouped(recalls)],
  ]
}

const comingText =
  'after 30 more requests, this receipt will list the left-out files, functions and ids that later messages used'
const filesShown = 5
