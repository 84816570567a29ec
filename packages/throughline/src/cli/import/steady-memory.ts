/**
 * Keeps a long import from taking memory because it is there. On a large machine V8 lets the space
 * for new objects grow to 128 MB, for texts that are all forgotten at once; an import is as quick
 * with a quarter of that. And where the machine is busy, garbage is collected late: from some size
 * on we ask for it.
 */
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Bytes at which the space for new objects stops growing. */
const newSpaceEnough = 32_000_000

/** Bytes of the process from which on garbage is asked for … */
const processEnough = 200_000_000

/** … once for so many bytes that were read: it takes some milliseconds. */
const readBetween = 8_000_000

export interface SteadyMemory {
  /** Called with every piece, and how much was read so far. */
  look(readBytes: number): void
  end(): void
}

export function steadyMemory(): SteadyMemory {
  let isHeld = false
  let collectedAt = 0
  let collect: (() => void) | null = null
  return {
    look: (readBytes) => {
      if (!isHeld && newSpaceSize() >= newSpaceEnough) {
        isHeld = true
        // It doubles each time that it grows; times one, it stays.
        setFlagsFromString('--semi-space-growth-factor=1')
      }
      if (readBytes - collectedAt < readBetween) return
      if (process.memoryUsage.rss() < processEnough) return
      collectedAt = readBytes
      collect ??= collector()
      collect()
    },
    end: () => {
      if (isHeld) setFlagsFromString('--semi-space-growth-factor=2')
    },
  }
}

function newSpaceSize(): number {
  const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
  return space?.space_size ?? 0
}

/** What `node --expose-gc` offers, without being started so. */
function collector(): () => void {
  setFlagsFromString('--expose-gc')
  const collect: unknown = runInNewContext('gc')
  setFlagsFromString('--no-expose-gc')
  return typeof collect === 'function' ? () => void collect() : () => {}
}
