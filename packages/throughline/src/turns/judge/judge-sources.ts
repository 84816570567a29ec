/** What a sentence behind a reply may tell of, read once and when the first answer comes. */
import { passageWords } from '../../flow/gate/draft-text.ts'
import { isEnglish } from '../../flow/gate/language.ts'
import { type GateSource, indexSources, type SourceIndex } from '../../flow/gate/source-index.ts'
import type { ActionKind } from './claimed-actions.ts'
import { KnownSpelling, numbersIn } from './exact-names.ts'
import { type OpenAndDone, openInAnswer, openInLines } from './open-actions.ts'
import { type ProvenByTurn, provenActions } from './proven-actions.ts'

export interface JudgeSources {
  /** What was asked, and what was answered: nobody tells either by saying it again. */
  readonly user: string
  readonly assistant: string
  /** Lines of a history, where they are told. */
  readonly lines: readonly string[]
  /** What else is known: goals, outcomes of steps, labels, the theme before. */
  readonly others: readonly string[]
  /** How many there are of what is counted: records, items, steps. */
  readonly counts: readonly number[]
  /** What was done for certain: by steps, by writes, by the user. */
  readonly proven: ProvenByTurn
  /** Texts that tell what was done before. */
  readonly tellings: readonly string[]
  /** Ids that stand in no database, which nobody must learn from a sentence. */
  readonly temporaryIds: readonly string[]
}

export const noSources: JudgeSources = {
  user: '',
  assistant: '',
  lines: [],
  others: [],
  counts: [],
  proven: { steps: [], kinds: [] },
  tellings: [],
  temporaryIds: [],
}

export interface ReadSources {
  /** What was asked and what was answered, as words. */
  readonly said: ReadonlySet<string>
  readonly spelling: KnownSpelling
  readonly index: SourceIndex
  readonly numbers: ReadonlySet<string>
  readonly openAndDone: OpenAndDone
  /** The deeds that are borne out; null where the sources are in a language that tells them otherwise. */
  readonly deeds: ReadonlySet<ActionKind> | null
}

export function readSources(sources: JudgeSources): ReadSources {
  const { user, assistant, lines, others, counts, proven } = sources
  const texts = [assistant, user, ...lines, ...others].filter((text) => text !== '')
  const numbers = new Set(counts.map(String))
  for (const text of texts) for (const number of numbersIn(text)) numbers.add(number)
  const index = indexSources(texts.map((text) => gateSource(text, assistant)))
  const tellings = [assistant, ...lines, ...sources.tellings]
  const [inAnswer, inLines] = [openInAnswer(assistant), openInLines(lines)]
  return {
    said: new Set([user, assistant].map((text) => passageWords(text).join(' '))),
    spelling: new KnownSpelling(texts),
    index,
    numbers,
    openAndDone: {
      open: [...inAnswer.open, ...inLines.open],
      done: [...inAnswer.done, ...inLines.done],
      denied: inAnswer.denied,
    },
    deeds: isEnglish(index) ? provenActions({ user, tellings, proven }) : null,
  }
}

/** To say a sentence of the answer again is no echo: it is as exact as can be. */
function gateSource(text: string, assistant: string): GateSource {
  return { kind: 'summary', role: text === assistant ? 'assistant' : null, text }
}
