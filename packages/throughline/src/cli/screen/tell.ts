/**
 * What a command says: lines for people, or one JSON document for programs. Whatever stands in a line, also
 * the name of a model or a path, a terminal gets no more of it than text and our colours.
 */
import type { Arguments } from '../command.ts'
import { done, type Ending, type Outcome, type Problem } from '../ending.ts'
import type { OuterWorld, World } from '../world.ts'
import { jsonText, paintedLine, safeLine, safeText } from './safe-text.ts'
import { styleOf } from './style.ts'

/** Writes what a command answers, if that is not done yet, and gives how it ends. */
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

/** What went wrong, on stderr: a sentence for people, or an object for programs. */
export async function tellProblem(
  problem: Problem,
  { json }: Pick<Arguments, 'json'>,
  { stderr }: World,
): Promise<void> {
  const said = `${styleOf(stderr).red('throughline')}: ${safeText(problem.message)}`
  await stderr.write(`${json ? jsonText({ error: problem }) : said}\n`)
}

/** What a command says beside its output, each once: for people a line, for programs an object. */
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
    // A line at a time: nothing has to wait until there is room for it.
    void stderr.write(`${json ? jsonText({ notice }) : `${name}: ${safeLine(message)}`}\n`)
  }
}
