/**
 * Scripts that are written without spaces touch names in Latin letters without belonging to
 * them: a run is cut where a letter of the one stands beside a letter of the other.
 */

export interface Piece {
  readonly run: string
  readonly at: number
}

export function* piecesByScript(run: string, at: number): Generator<Piece> {
  if (!unspaced.test(run)) return yield { run, at }
  let start = 0
  for (const { index } of run.matchAll(seams)) {
    yield { run: run.slice(start, index), at: at + start }
    start = index
  }
  yield { run: run.slice(start), at: at + start }
}

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー]/u

const seams = new RegExp(
  String.raw`(?<=${unspaced.source})(?=[A-Za-z0-9_$#@~]|\.{1,2}/)|(?<=[A-Za-z0-9_$])(?=${unspaced.source})`,
  'gu',
)
