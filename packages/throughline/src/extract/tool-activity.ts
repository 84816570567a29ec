/** A use of a tool in words: what was done to what, and what came of it. */
import type { Outcome } from './outcome.ts'
import type { ToolUse } from './tool-use.ts'

const verbs: Partial<Record<ToolUse['family'], string>> = {
  read: 'read',
  write: 'wrote',
  edit: 'edited',
  patch: 'patched',
  delete: 'deleted',
  shell: 'ran',
  search: 'searched',
  list: 'listed',
  web: 'fetched',
  http: 'requested',
  database: 'queried',
}

const unknown: Outcome = { status: 'unknown', exitCode: null, error: null, tests: null }

export function activityOf(use: ToolUse): string {
  const about = use.subject === null ? '' : ` ${use.subject}`
  const told = [...endOf(use.outcome ?? unknown), ...shownBy(use)]
  return `${verbOf(use)}${about}${told.length === 0 ? '' : ` (${told.join('; ')})`}`
}

function verbOf({ tool, family, arguments: given }: ToolUse): string {
  if (family === 'web' && given.address === null) return 'searched the web for'
  return verbs[family] ?? `used ${tool}`
}

const errorCharacters = 160

function endOf({ status, exitCode, error, tests }: Outcome): readonly string[] {
  const failed = status === 'error'
  return [
    ...(exitCode === null || (exitCode === 0 && tests !== null) ? [] : [`exit ${exitCode}`]),
    ...(tests === null ? [] : [`${tests.passed} passed, ${tests.failed} failed`]),
    ...(failed && error !== null ? [error.slice(0, errorCharacters).toWellFormed()] : []),
    ...(failed && error === null && exitCode === null && tests === null ? ['failed'] : []),
  ]
}

const topFiles = 3

function shownBy({ family, outcome, lines, hits, outline }: ToolUse): readonly string[] {
  if (outcome === null || outcome.status === 'error') return []
  if (outcome.status === 'partial') return ['nothing found']
  const told: string[] = []
  if (family === 'read') told.push(counted(lines, 'line'))
  if (hits !== null) {
    const named = hits.paths.length === 0 ? '' : `: ${hits.paths.slice(0, topFiles).join(', ')}`
    told.push(`${foundText(hits, lines)}${named}`)
  }
  if (outline !== null && outline.exports.length > 0)
    told.push(`exports ${outline.exports.join(', ')}`)
  if (outline !== null && outline.imports > 0)
    told.push(`imports ${counted(outline.imports, 'module')}`)
  return told
}

/** What is found in no file is told by its lines. */
export function foundText({ matches, files }: NonNullable<ToolUse['hits']>, lines: number): string {
  if (matches === 0) return counted(lines, 'line')
  return `${counted(matches, 'match', 'matches')} in ${counted(files, 'file')}`
}

function counted(number: number, one: string, several = `${one}s`): string {
  return `${number} ${number === 1 ? one : several}`
}
