/** A line of a file, with the message that showed or changed it. */
import type { Seq } from '../../domain/ids.ts'
import { getOrMake } from '../text/bounded-cache.ts'
import { patterns, spreadShares } from './line-worth-data.ts'

interface LineAnalysis {
  readonly names: readonly string[]
  readonly isEmpty: boolean
  /** Begins in the first column. */
  readonly isDeclaration: boolean
  readonly isImport: boolean
  /** Could imitate one of our own labels. */
  readonly isLabel: boolean
}

export class TextLine {
  readonly text: string
  readonly seq: Seq
  readonly isChange: boolean
  #analysis: LineAnalysis | null = null

  constructor(text: string, { seq, isChange }: Pick<TextLine, 'seq' | 'isChange'>) {
    this.text = text
    this.seq = seq
    this.isChange = isChange
  }

  /** Remembered, because each compaction rates the same lines. */
  get analysis(): LineAnalysis {
    this.#analysis ??= analyse(this.text)
    return this.#analysis
  }
}

/** What lines have together. Each part is made once: most lines stay from one compaction to the next. */
export class LinesAnalysis {
  readonly #lines: readonly TextLine[]
  /** With their line ends. */
  readonly sizes: Int32Array
  readonly characters: number
  /** The message that all of them are from; null if there are several. */
  readonly origin: Pick<TextLine, 'seq' | 'isChange'> | null
  #lineCounts: ReadonlyMap<string, number> | null = null
  #spreadFactors: Float64Array | null = null
  #hasImport: boolean | null = null

  constructor(lines: readonly TextLine[]) {
    this.#lines = lines
    this.sizes = Int32Array.from(lines, ({ text }) => text.length + 1)
    this.characters = this.sizes.reduce((sum, size) => sum + size, 0)
    const [first = null] = lines
    const isSame = ({ seq, isChange }: TextLine) =>
      seq === first?.seq && isChange === first.isChange
    this.origin = lines.every(isSame) ? first : null
  }

  /** By name: the number of lines that have it. */
  get lineCounts(): ReadonlyMap<string, number> {
    if (this.#lineCounts !== null) return this.#lineCounts
    const counts = new Map<string, number>()
    for (const { analysis } of this.#lines)
      for (const name of analysis.names) counts.set(name, (counts.get(name) ?? 0) + 1)
    this.#lineCounts = counts
    return counts
  }

  get hasImport(): boolean {
    this.#hasImport ??= this.#lines.some(({ analysis }) => analysis.isImport)
    return this.#hasImport
  }

  /** How much of a line's worth spreads to the next line: less across empty lines and declarations. */
  get spreadFactors(): Float64Array {
    if (this.#spreadFactors !== null) return this.#spreadFactors
    const { line, empty, declaration } = spreadShares
    let isAfterEmpty = false
    this.#spreadFactors = Float64Array.from(this.#lines, ({ analysis }) => {
      const { isEmpty, isDeclaration } = analysis
      const factor = line * (isEmpty ? empty : isAfterEmpty && isDeclaration ? declaration : 1)
      isAfterEmpty = isEmpty
      return factor
    })
    return this.#spreadFactors
  }
}

const analyses = new WeakMap<readonly TextLine[], LinesAnalysis>()

export function analysisOf(lines: readonly TextLine[]): LinesAnalysis {
  return getOrMake(analyses, lines, () => new LinesAnalysis(lines))
}

function analyse(text: string): LineAnalysis {
  return {
    names: [...new Set(text.match(patterns.names))],
    isEmpty: text.trim() === '',
    isDeclaration: /^\S/.test(text),
    isImport: patterns.importLine.test(text),
    // Few lines have a sign of a label, and the whole pattern is slow.
    isLabel: /#|^[[DO]/.test(text) && patterns.looksLikeOurLabel.test(text),
  }
}
