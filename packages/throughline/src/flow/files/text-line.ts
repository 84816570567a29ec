/** A line of a file, with the message that showed or changed it. */
import type { Seq } from '../../domain/ids.ts'
import { patterns } from './line-worth-data.ts'

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
