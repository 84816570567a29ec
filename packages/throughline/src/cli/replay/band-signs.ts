/** How the bands of a window and of a log are drawn: told apart also where there are no colours. */
import { type Paint, paintOf } from '../screen/paint.ts'
import type { Output } from '../world.ts'
import type { WindowBand } from './shown-bands.ts'

export interface BandSign {
  readonly sign: string
  readonly paint: (text: string) => string
}

export type LogBand = 'told' | 'kept' | 'stub' | 'whole'

type Drawn = readonly [unicode: string, ascii: string, paint: keyof Paint]

const windowSigns: Readonly<Record<WindowBand | 'free' | 'reserve', Drawn>> = {
  protected: ['▓', '%', 'magenta'],
  past: ['▒', '=', 'cyan'],
  recalled: ['▚', '+', 'yellow'],
  recent: ['█', '#', 'green'],
  free: ['░', '.', 'dim'],
  reserve: [' ', ' ', 'dim'],
}

const logSigns: Readonly<Record<LogBand, Drawn>> = {
  told: ['░', '.', 'cyan'],
  kept: ['▀', 'k', 'green'],
  stub: ['▄', 's', 'yellow'],
  whole: ['█', '#', 'green'],
}

export function windowSign(band: keyof typeof windowSigns, output: Output): BandSign {
  return drawnOn(windowSigns[band], output)
}

export function logSign(band: LogBand, output: Output): BandSign {
  return drawnOn(logSigns[band], output)
}

function drawnOn([unicode, ascii, paint]: Drawn, output: Output): BandSign {
  return { sign: output.unicode ? unicode : ascii, paint: paintOf(output)[paint] }
}
