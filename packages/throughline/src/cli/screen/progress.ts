/**
 * A bar for long work, with its rate and the time that is left. Only on a terminal: elsewhere it
 * says nothing.
 */
import type { World } from '../world.ts'
import { cutTo } from './cells.ts'
import { meter } from './meter.ts'
import { duration } from './numbers.ts'
import { signsOf } from './signs.ts'

export interface Progress {
  /** So much is done, of what was said at the beginning or of what is said now. */
  at(done: number, total?: number | null): void
  /** Takes the bar away. */
  end(): void
}

export interface ProgressOptions {
  readonly label: string
  /** Null where nobody knows: then there is a rate and no bar. */
  readonly total: number | null
  /** How an amount is written, `12 MB`. */
  readonly unit: (amount: number) => string
}

export function progressBar(
  options: ProgressOptions,
  { stderr, now }: Pick<World, 'stderr' | 'now'>,
): Progress {
  if (!stderr.redraws) return { at: () => {}, end: () => {} }
  const { label, unit } = options
  const { dot } = signsOf(stderr)
  const started = now()
  let [drawnAt, total] = [Number.NEGATIVE_INFINITY, options.total]
  return {
    at: (done, of = total) => {
      total = of
      const time = now()
      if (time - drawnAt < betweenDrawsMs) return
      drawnAt = time
      const text = figures(done, total, time - started, unit).join(` ${dot} `)
      const bar =
        total === null
          ? ''
          : `${meter(total === 0 ? 1 : done / total, barCells, { colours: false, unicode: stderr.unicode })} `
      void stderr.write(`\r\u001b[2K${cutTo(`${label} ${bar}${text}`, stderr.width - 1, '')}`)
    },
    end: () => {
      if (drawnAt !== Number.NEGATIVE_INFINITY) void stderr.write('\r\u001b[2K')
    },
  }
}

const betweenDrawsMs = 100
const barCells = 24

function figures(
  done: number,
  total: number | null,
  elapsedMs: number,
  unit: (amount: number) => string,
): readonly string[] {
  const perMs = elapsedMs > 0 ? done / elapsedMs : 0
  const rate = elapsedMs >= 500 ? [`${unit(perMs * 1_000)}/s`] : []
  if (total === null) return [unit(done), ...rate]
  const left = perMs > 0 && elapsedMs >= 500 ? [`${duration((total - done) / perMs)} left`] : []
  return [`${unit(done)} of ${unit(total)}`, ...rate, ...left]
}
