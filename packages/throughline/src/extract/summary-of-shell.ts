/** A command as facts: what it was, how it ended, how much it said, what the tests came to. */
import { readCommand } from './shell-command.ts'
import { type FamilyFacts, factValue } from './summary-facts.ts'
import type { ToolUse } from './tool-use.ts'

const commandCharacters = 60

export function shellFacts(use: ToolUse, hasError: boolean): FamilyFacts {
  const { lines, outcome, arguments: given, report } = use
  const command = commandOf(given.shell ?? given.program) ?? promptIn(report.text) ?? 'unknown'
  const exitCode = outcome?.exitCode ?? 'unknown'
  const tests = outcome?.tests ?? null
  return {
    facts: [
      `Command: ${factValue(command, commandCharacters)}`,
      ...(outcome === null ? [] : [`Exit: ${exitCode}`, `Output: ${lines} lines`]),
      ...(tests === null ? [] : [`Tests: ${tests.passed} passed, ${tests.failed} failed`]),
    ],
    metadata: { command, exitCode, outputLines: lines, hasError },
  }
}

function commandOf(given: string | null): string | null {
  const gist = given === null ? '' : readCommand(given).gist
  return gist === '' ? null : gist
}

/** Terminals show the command above what it printed. */
function promptIn(text: string): string | null {
  const shown = /^\s{0,20}\$ (\S[^\n]{0,200})/.exec(text)?.[1]
  return shown === undefined ? null : shown.trim().toWellFormed()
}
