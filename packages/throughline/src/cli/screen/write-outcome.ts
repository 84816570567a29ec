/**
 * Writes the output of a command: lines or one JSON document. A terminal gets only text and our own
 * colours, never control sequences from a conversation.
 */
import type { Arguments } from '../command.ts'
import { done, type ExitResult, type Outcome, type Problem } from '../exit-result.ts'
import type { OuterWorld, World } from '../world.ts'
import { jsonText, paintedLine, safeLine, safeText } from './safe-text.ts'
import { styleOf } from './style.ts'

export async function writeOutcome(
  { json }: Pick<Arguments, 'json'>,
  { stdout }: World,
  outcome: Outcome,
): Promise<ExitResult> {
  if ('exitCode' in outcome) return outcome
  const lines = json
    ? [jsonText(outcome.json, stdout.isTerminal ? 2 : 0)]
    : outcome.lines().map((line) => (stdout.isTerminal ? paintedLine(line) : line))
  await stdout.write(lines.map((line) => `${line}\n`).join(''))
  return outcome.exit ?? done
}

export async function writeProblem(
  problem: Problem,
  { json }: Pick<Arguments, 'json'>,
  { stderr }: World,
): Promise<void> {
  const kind = problem.code === 'USAGE' ? 'usage error: ' : ''
  const line = `${styleOf(stderr).red('throughline')}: ${kind}${safeText(problem.message)}`
  await stderr.write(`${json ? jsonText({ error: problem }) : line}\n`)
}

/** Writes each notice once: a line for people, an object for programs. */
export function createNotices(
  { stderr }: Pick<OuterWorld, 'stderr'>,
  { json }: Pick<Arguments, 'json'>,
): World['notice'] {
  const written = new Set<string>()
  return (notice) => {
    const { code, message } = notice
    if (written.has(message)) return
    written.add(message)
    const name = code === 'STORE' ? 'throughline' : styleOf(stderr).yellow('throughline')
    void stderr.write(`${json ? jsonText({ notice }) : `${name}: ${safeLine(message)}`}\n`)
  }
}
