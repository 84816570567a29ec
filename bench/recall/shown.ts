/** Which messages of a log a context shows word for word, at their positions or recalled. */
import type { Context, Message } from 'throughline'
import { contentText } from '../../packages/throughline/src/cli/simulation/survival-along.ts'
import { textOfParts } from '../../packages/throughline/src/flow/text/readable-text.ts'

export interface ShownWords {
  shows(message: Message): boolean
  /** All text of the context except the question. */
  readonly text: string
}

export function shownWords(context: Context, questionSeq: number): ShownWords {
  const before = context.messages.filter(({ seq }) => seq !== questionSeq)
  const texts = before.map(({ parts }) => contentText(parts))
  const shownAt = new Map(before.map(({ seq }, index) => [seq, texts[index] ?? '']))
  const recalled = before.flatMap(({ slot }, index) =>
    slot === 'recalled' ? rangesIn(texts[index] ?? '') : [],
  )
  const derived = before.flatMap(({ seq }, index) => (seq === null ? [texts[index] ?? ''] : []))
  return {
    text: texts.join('\n'),
    shows: ({ seq, parts }) => {
      const words = textOfParts(parts).trim()
      const own = shownAt.get(seq)
      if (own !== undefined) return own.includes(words)
      const isRecalled = recalled.some(
        ({ from, to, text }) => seq >= from && seq <= to && text.includes(words),
      )
      // Very short texts occur in any text by chance.
      return isRecalled || (isDistinctive(words) && derived.some((text) => text.includes(words)))
    },
  }
}

function isDistinctive(words: string): boolean {
  return words.split(/\s+/).length >= 8
}

interface AnchorRange {
  readonly from: number
  readonly to: number
  readonly text: string
}

/** Each starts with its anchor: `#12-#18 · …`. */
function rangesIn(text: string): readonly AnchorRange[] {
  return text.split(/^(?=#\d+(?:-#\d+)? · )/m).flatMap((part) => {
    const [, from, to] = /^#(\d+)(?:-#(\d+))? · /.exec(part) ?? []
    return from === undefined ? [] : [{ from: Number(from), to: Number(to ?? from), text: part }]
  })
}
