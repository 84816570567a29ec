/**
 * A recalled piece as people read it: of each speaker the first lines, and those with a word of the
 * question. Results of tools are long, and the answer may stand at the end of one.
 */
import type { Output } from '../world.ts'
import { wrap } from './cells.ts'
import { paintOf } from './paint.ts'
import { safeText } from './safe-text.ts'
import { signsOf } from './signs.ts'

export function recalledLines(text: string, query: string, output: Output): readonly string[] {
  const { dim } = paintOf(output)
  const { more } = signsOf(output)
  const words = wordsOf(query)
  const isWanted = (line: string) => words.some((word) => line.toLowerCase().includes(word))
  return saidIn(safeText(text).trimEnd()).flatMap((said) => {
    const lines = wrap(said, output.width - 2)
    const wanted = lines.slice(firstLines).filter(isWanted).slice(0, wantedLines)
    const shown = new Set([...lines.slice(0, firstLines), ...wanted])
    let isLeftOut = false
    return lines.flatMap((line) => {
      if (shown.has(line)) {
        isLeftOut = false
        return [line]
      }
      if (isLeftOut) return []
      isLeftOut = true
      return [dim(more)]
    })
  })
}

const firstLines = 3
const wantedLines = 4

/** What each speaker said, in order. */
function saidIn(text: string): readonly string[] {
  return text.split(/\n(?=(?:system|user|assistant|tool)\b[^\n:]{0,80}: )/)
}

/** Short words stand everywhere. */
function wordsOf(query: string): readonly string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}_./-]+/gu) ?? []
  return words.filter((word) => word.length > 3 || /\d/.test(word))
}
