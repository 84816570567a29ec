/**
 * How people follow a replay: on a terminal a picture that is drawn over itself, elsewhere a line
 * now and then, and nothing where nobody wants to.
 */

import { grouped } from '../../domain/grouped-number.ts'
import { liveFrame } from '../screen/live-frame.ts'
import { counted } from '../screen/numbers.ts'
import type { World } from '../world.ts'
import { replayPicture } from './replay-picture.ts'
import { countsOf, type ReplayTally } from './replay-tally.ts'

export interface Watched {
  step(): Promise<void>
  end(): Promise<void>
}

export function watchReplay(tally: ReplayTally, quiet: boolean, world: World): Watched {
  if (quiet) return { step: async () => {}, end: async () => {} }
  return world.stderr.redraws ? picture(tally, world) : lines(tally, world)
}

function picture(tally: ReplayTally, world: World): Watched {
  const { stderr, now } = world
  const frame = liveFrame(world)
  const started = now()
  return {
    step: () => frame.draw(() => replayPicture(tally, now() - started, stderr)),
    end: () => frame.end(),
  }
}

const betweenLinesMs = 5_000

function lines(tally: ReplayTally, { stderr, now }: World): Watched {
  let toldAt = now()
  return {
    step: async () => {
      if (now() - toldAt < betweenLinesMs) return
      toldAt = now()
      const { requests, about, causes, violations } = tally
      await stderr.write(
        `replay: ${grouped(requests)} of ${counted(about.total, 'request')}, ${counted(countsOf(causes).total, 'compaction')}, ${counted(countsOf(violations).total, 'violation')}\n`,
      )
    },
    end: async () => {},
  }
}
