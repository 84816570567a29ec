/** The log as a bar: what of it a context tells, keeps, shortens and shows whole. */
import type { Output } from '../world.ts'
import { type LogBand, logSign } from './band-signs.ts'
import type { LogBands } from './shown-bands.ts'

export function logBar(bands: LogBands, cells: number, output: Output): string {
  return runsOf(logCells(bands, cells))
    .map(([band, length]) => {
      const { sign, paint } = logSign(band, output)
      return paint(sign.repeat(length))
    })
    .join('')
}

/** What each cell stands for; a cell may be many messages. */
export function logCells(
  { head, line, kept, stubbed }: LogBands,
  most: number,
): readonly LogBand[] {
  const cells = Math.min(most, head)
  const cellOf = (place: number) => Math.min(cells - 1, Math.floor((place * cells) / head))
  const stubs = new Array<number>(cells).fill(0)
  for (const { from, to } of stubbed)
    for (let place = from; place < to; place += 1)
      stubs[cellOf(place)] = (stubs[cellOf(place)] ?? 0) + 1
  const keeps = new Set(kept.map(cellOf))
  const lineCell = line === 0 ? -1 : cellOf(line - 1)
  return stubs.map((count, cell) => {
    // One message that is kept among many that are not is worth to be seen.
    if (cell <= lineCell) return keeps.has(cell) ? 'kept' : 'told'
    return count * 2 > head / cells ? 'stub' : 'whole'
  })
}

function runsOf(cells: readonly LogBand[]): readonly (readonly [LogBand, number])[] {
  const runs: [LogBand, number][] = []
  for (const band of cells) {
    const last = runs.at(-1)
    if (last !== undefined && last[0] === band) last[1] += 1
    else runs.push([band, 1])
  }
  return runs
}
