/**
 * The turn that is shown no longer in full, in a sentence. Where the history would be over its
 * limit with it, the same answer brings its oldest lines in short.
 */
import type { HistoryLine, TurnRecord } from '../domain/turn-record.ts'
import type { TurnRules } from '../domain/turn-rules.ts'
import { compressionPrompt, type Folding } from '../summarizers/turns/compression-prompt.ts'
import { sentenceCharacters } from '../summarizers/turns/outputs.ts'
import { characterCount } from './characters.ts'
import { charactersOf, foldedCharacters, linesToFold } from './fold-history.ts'
import { ToldJudge } from './judge/judge-told.ts'
import { namesIn } from './judge/names-in.ts'
import { sentenceJudge } from './judge/sentence-judge.ts'
import { noSources } from './judge/told-sources.ts'
import { keptTurn } from './told-turn.ts'
import { turnByRules } from './turn-by-rules.ts'
import type { TurnQuestion } from './turn-question.ts'
import { beginning, bothEnds } from './turn-words.ts'

/** Null where nothing of the turn is kept that could be told; `turnByRules` says so. */
export function compressionQuestion(
  oldest: TurnRecord,
  history: readonly HistoryLine[],
  rules: TurnRules,
): TurnQuestion | null {
  if (oldest.forgotten) return null
  const { sources, outcomes, isUndone } = keptTurn(oldest)
  const folding = foldingOf(history, rules)
  const request = compressionPrompt({
    user: bothEnds(sources.user),
    assistant: beginning(sources.assistant),
    names: namesIn(sources.assistant),
    outcomes,
    folding,
  })
  const prompt = request.system ?? ''
  return {
    kind: 'turn',
    request,
    judge: sentenceJudge({
      sources,
      against: { prompt, leastWords: 3, undone: isUndone ? 'says-so' : null },
      folded: folding === null ? () => null : passageJudge(folding, prompt),
    }),
    fallback: { text: turnByRules(oldest), folded: null },
  }
}

/** Null where there is room for the longest sentence. */
function foldingOf(history: readonly HistoryLine[], rules: TurnRules): Folding | null {
  if (charactersOf(history) + sentenceCharacters <= rules.historyCharacters) return null
  const lines = linesToFold(history, rules)
  if (lines.length === 0) return null
  return { lines: lines.map(lineText), mostCharacters: foldedCharacters(rules) }
}

function lineText({ from, to, text }: HistoryLine): string {
  return to - from === 1 ? `Turn ${from}: ${text}` : `Turns ${from}-${to - 1}: ${text}`
}

// What tells all of it in so little has left most of it out.
const leastShare = 0.05

/** Null where it is not fit: the rules fold then, and the sentence stands all the same. */
function passageJudge({ lines, mostCharacters }: Folding, prompt: string) {
  const judge = new ToldJudge({ ...noSources, lines })
  const least = characterCount(lines.join('')) * leastShare
  return (text: string): string | null => {
    const judged = judge.passage(text, mostCharacters, { prompt, leastWords: 3, undone: null })
    return judged.kind === 'ok' && characterCount(judged.text) >= least ? judged.text : null
  }
}
