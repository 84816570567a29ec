/**
 * What is needed after a cut: the identifiers before it that the assistant uses after it, before a user
 * or a tool shows them again.
 */
import {
  containsName,
  identifiersOf,
  neededNames,
  type ScoredMessage,
} from '../../packages/throughline/src/cli/simulation/survival-along.ts'

export interface Study {
  /** Names from before the cut that the assistant needs. */
  readonly needed: ReadonlySet<string>
  /** All names from before the cut, the most likely needed ones first. */
  readonly ranked: readonly string[]
}

export function study(
  before: readonly ScoredMessage[],
  after: readonly ScoredMessage[],
  workingFolder: string,
): Study {
  const uses = usesIn(before, workingFolder)
  const named = after.map(({ isAssistant, text }) => ({
    isAssistant,
    names: identifiersOf(text, workingFolder),
  }))
  return { needed: neededNames(named, uses), ranked: rankedNames(uses, before.length) }
}

interface Uses {
  messages: number
  ofAssistant: number
  lastPlace: number
}

function usesIn(
  before: readonly ScoredMessage[],
  workingFolder: string,
): ReadonlyMap<string, Uses> {
  const uses = new Map<string, Uses>()
  for (const [place, { isAssistant, text }] of before.entries())
    for (const name of identifiersOf(text, workingFolder)) {
      const of = uses.get(name) ?? { messages: 0, ofAssistant: 0, lastPlace: place }
      of.messages += 1
      of.lastPlace = place
      if (isAssistant) of.ofAssistant += 1
      uses.set(name, of)
    }
  return uses
}

/** Frequent and recent names first, above all the assistant's: half of the history ago counts 1/e. */
function rankedNames(uses: ReadonlyMap<string, Uses>, messages: number): readonly string[] {
  const weighed = [...uses].map(([name, { messages: times, ofAssistant, lastPlace }]) => {
    const often = Math.log1p(ofAssistant) * 2 + Math.log1p(times)
    return { name, weight: often * Math.exp(-(messages - lastPlace) / (0.5 * messages)) }
  })
  return weighed.toSorted((left, right) => right.weight - left.weight).map(({ name }) => name)
}

/** The share of needed names that a replacement contains. */
export function survivalOf({ needed }: Study, replacement: string): number {
  const found = [...needed].filter((name) => containsName(name, replacement))
  return found.length / needed.size
}

/** The share of the identifiers in a replacement that are needed; 0 if it has none. */
export function precisionOf({ needed }: Study, replacement: string, workingFolder: string): number {
  const names = [...identifiersOf(replacement, workingFolder)]
  return names.filter((name) => needed.has(name)).length / Math.max(1, names.length)
}
