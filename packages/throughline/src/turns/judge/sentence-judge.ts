/** Of an answer that is to be one sentence, whether it is, and true. */
import type { ModelAnswer } from '../../ports/language-model.ts'
import { readTold } from '../../summarizers/turns/read-told.ts'
import type { ToldJudgement } from '../turn-question.ts'
import { type ToldAgainst, ToldJudge } from './judge-told.ts'
import type { ToldSources } from './told-sources.ts'

export interface SentenceJudge {
  readonly sources: ToldSources
  readonly against: ToldAgainst
  /** What becomes of a text for the history, where one was asked for. */
  readonly folded: (history: string) => string | null
}

export function sentenceJudge({
  sources,
  against,
  folded,
}: SentenceJudge): (answer: ModelAnswer) => ToldJudgement {
  const judge = new ToldJudge(sources)
  return (answer) => {
    const read = readTold(answer)
    if (read.kind === 'refused')
      return { kind: 'refused', reasons: [`${read.reason}: ${read.message}`] }
    const judged = judge.sentence(read.told.summary, against)
    if (judged.kind === 'refused') return judged
    const { history } = read.told
    return {
      kind: 'ok',
      value: { text: judged.text, folded: history === null ? null : folded(history) },
    }
  }
}
