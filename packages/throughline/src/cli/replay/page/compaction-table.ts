/** The compactions with their receipts: what each covered, kept and shortened, and what it left. */
import type { ShownKind } from '../../../index.ts'
import type { CompactionReport } from '../replay-report.ts'
import { bandOf } from '../shown-bands.ts'
import { type Markup, markup } from './plot.ts'

const rowsMost = 500

export function compactionTable(list: readonly CompactionReport[]): Markup {
  if (list.length === 0) return markup`<p>Nothing had to be compacted.</p>`
  const left = list.length - rowsMost
  return markup`<div class="scroll"><table>
<thead><tr><th class="n">request</th><th>why</th><th class="n">tokens before</th><th class="n">after</th><th class="bars">what it left</th><th class="n">below the line</th><th class="n">kept</th><th class="n">shortened</th><th class="n">names</th><th>needed again</th></tr></thead>
<tbody>${list.slice(0, rowsMost).map(row)}</tbody></table></div>
${left > 0 ? markup`<p class="note">And ${left} more: --json has them all.</p>` : markup``}
<p class="note">Below the line: messages that went there with it. Names: of those needed next, the share that stood in the context. Needed again: what hindsight found thirty requests later, of the names that were needed those that stood there.</p>`
}

function row({ request, receipt, names }: CompactionReport): Markup {
  const { cause, tokensBefore, tokensAfter, covered, keeps, stubbed, hindsight } = receipt
  const again = hindsight === null ? '' : `${hindsight.names.shown} of ${hindsight.names.needed}`
  const missing = hindsight?.names.missing.join(', ') ?? ''
  return markup`<tr><td class="n">${number(request)}</td><td>${cause}</td><td class="n">${tokensBefore === null ? '' : number(tokensBefore)}</td><td class="n">${number(tokensAfter)}</td><td class="bars">${bar(receipt)}</td><td class="n">${number(covered.to - covered.from)}</td><td class="n">${number(keeps.length)}</td><td class="n">${number(stubbed)}</td><td class="n">${names === null ? '' : (names.shown / names.needed).toFixed(2)}</td><td title="${missing === '' ? '' : `missing: ${missing}`}">${again}</td></tr>`
}

function bar({ tokensByKind, tokensAfter, tokensBefore }: CompactionReport['receipt']): Markup {
  const whole = Math.max(tokensAfter, tokensBefore ?? 0, 1)
  const kinds = Object.entries(tokensByKind) as [ShownKind, number][]
  return markup`<div class="bar">${kinds.map(([kind, tokens]) => markup`<i class="${bandOfKind(kind)}" style="width:${((100 * tokens) / whole).toFixed(2)}%" title="${kind}: ${number(tokens)}"></i>`)}</div>`
}

function bandOfKind(kind: ShownKind): string {
  if (kind === 'kept' || kind === 'stubs') return 'recent'
  return kind === 'frames' ? 'protected' : bandOf(kind)
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
