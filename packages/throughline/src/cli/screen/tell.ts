/**
 * Writes what a command answers: lines or one JSON document. A terminal gets only text and our own
 * colours, whatever a line contains.
 */
import type { Arguments } from '../command.ts'
import { done, type Ending, type Outcome, type Problem } from '../ending.ts'
import type { OuterWorld, World } from '../world.ts'
import { jsonText, paintedLine, safeLine, safeText } from './safe-text.ts'
import { styleOf } from './style.ts'

export async function settle(
  { json }: Pick<Arguments, 'json'>,
  { stdout }: World,
  outcome: Outcome,
): Promise<Ending> {
  if ('exitCode' in outcome) return outcome
  const lines = json
    ? [jsonText(outcome.json, stdout.isTerminal ? 2 : 0)]
    : outcome.lines().map((line) => (stdout.isTerminal ? paintedLine(line) : line))
  await stdout.write(lines.map((line) => `${line}\n`).join(''))
  return outcome.ending ?? done
}

export async function tellProblem(
  problem: Problem,
  { json }: Pick<Arguments, 'json'>,
  { stderr }: World,
): Promise<void> {
  const said = `${styleOf(stderr).red('throughline')}: ${safeText(problem.message)}`
  await stderr.write(`${json ? jsonText({ error: problem }) : said}\n`)
}

/** Each message once: a line for people, an object for programs. */
export function notices(
  { stderr }: Pick<OuterWorld, 'stderr'>,
  { json }: Pick<Arguments, 'json'>,
): World['notice'] {
  const said = new Set<string>()
  return (notice) => {
    const { code, message } = notice
    if (said.has(message)) return
    said.add(message)
    const name = code === 'STORE' ? 'throughline' : styleOf(stderr).yellow('throughline')
    void stderr.write(`${json ? jsonText({ notice }) : `${name}: ${safeLine(message)}`}\n`)
  }
}
