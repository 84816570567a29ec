/** The last context, as bands and piece by piece: what the model would have seen in the end. */
import type { FinalContext, ReplayReport } from '../replay-report.ts'
import type { ShownPiece } from '../shown-bands.ts'
import { type Markup, markup } from './plot.ts'

const piecesMost = 300

export function finalContext({ final, availableTokens }: ReplayReport): Markup {
  if (final === null) return markup`<p>There was none.</p>`
  const left = final.pieces.length - piecesMost
  return markup`<div class="bar tall">${final.pieces.map((piece) => markup`<i class="${piece.band}" style="width:${share(piece.tokens, availableTokens)}%" title="${nameOf(piece)}, ${number(piece.tokens)} tokens"></i>`)}</div>
<p class="note">${number(final.tokens)} of ${number(availableTokens)} tokens. ${logText(final)}</p>
<details><summary>What stands in it, piece by piece</summary>
<div class="scroll"><table class="pieces"><thead><tr><th>piece</th><th>role</th><th class="n">tokens</th><th>begins</th></tr></thead>
<tbody>${final.pieces.slice(0, piecesMost).map((piece) => markup`<tr><td><i class="swatch ${piece.band}"></i>${nameOf(piece)}</td><td>${piece.role ?? ''}</td><td class="n">${number(piece.tokens)}</td><td class="begins">${piece.begins}</td></tr>`)}</tbody></table></div>
${left > 0 ? markup`<p class="note">And ${left} more.</p>` : markup``}</details>`
}

function logText({ log }: FinalContext): string {
  if (log.line === 0) return `All ${number(log.head)} messages are shown.`
  return `Of ${number(log.head)} messages, those before #${log.line} are told and ${number(log.kept.length)} of them kept; the others are shown.`
}

function nameOf({ seq, slot }: ShownPiece): string {
  return seq === null ? slot : `#${seq}`
}

function share(tokens: number, of: number): string {
  return ((100 * tokens) / Math.max(1, of)).toFixed(3)
}

function number(value: number): string {
  return Math.round(value).toLocaleString('en-US')
}
