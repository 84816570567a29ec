/** What went wrong, on stderr: a sentence for people, or an object for programs. */
import type { Problem } from '../ending.ts'
import type { World } from '../world.ts'
import { jsonText } from './json-text.ts'
import { paintOf } from './paint.ts'
import { safeText } from './safe-text.ts'

export async function tellProblem(
  problem: Problem,
  { json }: { readonly json: boolean },
  { stderr }: World,
): Promise<void> {
  const said = json
    ? jsonText({ error: problem })
    : `${paintOf(stderr).red('throughline')}: ${safeText(problem.message)}`
  await stderr.write(`${said}\n`)
}
