/** How far a measure is: a bar on a terminal, and elsewhere a line now and then. */
import type { BenchProgress } from '../../bench/index.ts'
import { counted } from '../screen/numbers.ts'
import { progressBar } from '../screen/progress.ts'
import { safeLine } from '../screen/safe-text.ts'
import type { World } from '../world.ts'

export interface ShownProgress {
  at(progress: BenchProgress): void
  end(): void
}

export function benchProgress(label: string, world: World): ShownProgress {
  const { stderr, now } = world
  const bar = progressBar({ label, total: null, unit: (files) => counted(files, 'file') }, world)
  let toldAt = now()
  return {
    at: ({ done, total, file }) => {
      bar.at(done, total)
      if (stderr.redraws || now() - toldAt < betweenLinesMs) return
      toldAt = now()
      void stderr.write(
        `${label}: ${done} of ${counted(total, 'file')} done, now ${safeLine(file)}\n`,
      )
    },
    end: () => bar.end(),
  }
}

const betweenLinesMs = 2_000
