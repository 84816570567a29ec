/**
 * One use of a tool in a handful of facts, in the form of the rule digest: what it was about
 * from its arguments first, what came of it from what the tool said.
 */
import type { ToolSummary } from '../domain/tool-summary.ts'
import { errorBlockIn } from './error-block.ts'
import { errorLineIn } from './error-line.ts'
import { edgesOf } from './outcome.ts'
import { readCommand } from './shell-command.ts'
import { type FamilyFacts, factValue } from './summary-facts.ts'
import { changedFacts, deletedFacts, readFacts, writtenFacts } from './summary-of-files.ts'
import { databaseFacts, httpFacts, listFacts, searchFacts, webFacts } from './summary-of-lookups.ts'
import { agentFacts, otherFacts } from './summary-of-others.ts'
import { shellFacts } from './summary-of-shell.ts'
import type { ToolUse } from './tool-use.ts'

export interface ErrorDetails {
  /** The whole block of a failure as far as its cap goes, instead of its first line. */
  readonly preserveErrorDetails: boolean
}

export function summarizeUse(use: ToolUse, { preserveErrorDetails }: ErrorDetails): ToolSummary {
  const errorLine = errorLineOf(use)
  const found = factsOfFamily(use, errorLine)
  return {
    toolName: use.tool,
    status: found.status ?? statusOf(use),
    keyFacts: [
      ...found.facts,
      ...(use.outcome === null ? ['No result'] : []),
      ...(errorLine === null ? [] : [`Error: ${told(use, errorLine, preserveErrorDetails)}`]),
    ],
    metadata: found.metadata,
  }
}

function factsOfFamily(use: ToolUse, errorLine: string | null): FamilyFacts {
  switch (use.family) {
    case 'read':
      return readFacts(use)
    case 'write':
      return writtenFacts(use)
    case 'edit':
    case 'patch':
      return changedFacts(use)
    case 'delete':
      return deletedFacts(use)
    case 'shell':
      return shellFacts(use, errorLine !== null)
    case 'search':
      return searchFacts(use)
    case 'list':
      return listFacts(use)
    case 'web':
      return webFacts(use)
    case 'database':
      return databaseFacts(use)
    case 'http':
      return httpFacts(use)
    case 'agent':
      return agentFacts(use)
    case 'plan':
    case 'mcp':
    case 'unknown':
      return otherFacts(use)
  }
}

function statusOf({ outcome }: ToolUse): ToolSummary['status'] {
  switch (outcome?.status) {
    case 'success':
    case 'unknown':
      return 'success'
    case 'error':
      return 'error'
    case 'partial':
    case undefined:
      return 'partial'
  }
}

/** A command may end well and still have said what went wrong; one that shows a file said nothing. */
function errorLineOf({ family, outcome, arguments: given, report }: ToolUse): string | null {
  if (outcome === null || outcome.error !== null || family !== 'shell')
    return outcome?.error ?? null
  const isLooking = readCommand(given.shell ?? given.program ?? '').isLooking
  return isLooking ? null : errorLineIn(edgesOf(report.text))
}

const firstLineCharacters = 100

function told({ report }: ToolUse, errorLine: string, inFull: boolean): string {
  if (!inFull) return factValue(errorLine, firstLineCharacters)
  // What the wrapping says of the failure stands beside the output.
  const isBeside = report.error?.includes(errorLine) === true
  return errorBlockIn(isBeside ? (report.error ?? '') : edgesOf(report.text), errorLine)
}
