/** Tools of which only their name, their arguments and their words are known, as facts. */
import { type ExactNameKind, exactNamesOf } from './exact-names.ts'
import { edgesOf } from './outcome.ts'
import { type FamilyFacts, factValue, failed, listedIn, outputFact } from './summary-facts.ts'
import type { ToolUse } from './tool-use.ts'

const aboutCharacters = 100

export function otherFacts(use: ToolUse): FamilyFacts {
  const subject = use.subject === null ? null : factValue(use.subject, aboutCharacters)
  return {
    facts: [...(subject === null ? [] : [`About: ${subject}`]), ...resultFacts(use)],
    metadata: { ...(subject === null ? {} : { subject }), outputLines: use.lines },
  }
}

export function agentFacts(use: ToolUse): FamilyFacts {
  const task = factValue(use.subject ?? 'unknown', aboutCharacters)
  return {
    facts: [`Task: ${task}`, ...resultFacts(use)],
    metadata: { task, outputLines: use.lines },
  }
}

/** A short answer whole; of a long one how much it is, and the first names in it. */
function resultFacts(use: ToolUse): readonly string[] {
  if (failed(use)) return []
  const said = use.report.text.trim()
  if (said === '') return []
  if (said.length <= aboutCharacters && !said.includes('\n')) return [`Result: ${said}`]
  const entries = listedIn(said)
  const names = exactNamesOf(edgesOf(said))
    .filter(({ text, kind }) => telling.has(kind) && use.subject?.includes(text) !== true)
    .slice(0, mostNames)
    .map(({ text }) => text)
  return [
    ...(names.length === 0 ? [] : [`Names: ${names.join(', ')}`]),
    entries === null ? outputFact(use) : `Results: ${entries}`,
  ]
}

/** What is asked for again by its name; symbols are mostly names of fields. */
const telling: ReadonlySet<ExactNameKind> = new Set(['path', 'file', 'url', 'hash', 'id'])
const mostNames = 3
