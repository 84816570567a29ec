/** What stands in place of a long answer where no model tells it: its beginning, and the names that follow. */

import { lineOfText } from '../summarizers/answer-text.ts'
import { beforeSign, characterCount, firstCharacters, wholeWords } from './characters.ts'

const shownCharacters = 300
// Where the rest is: steps have brought it, or the answer itself said it.
const signs = { steps: '… [see step results for details]', log: '… [whole in the log]' } as const

/** The names are of the whole answer. */
export function responseByRules(
  response: string,
  names: readonly string[],
  hasSteps: boolean,
): string {
  const line = lineOfText(response)
  const start = wholeWords(firstCharacters(line, shownCharacters), line)
  if (start.length === line.length) return start
  const cut = `${beforeSign(start)}${hasSteps ? signs.steps : signs.log}`
  const most = characterCount(line)
  const lost = names.filter((name) => !start.includes(name))
  // With all the names it can be longer than the answer; then the last ones are left out.
  for (let count = lost.length; count > 0; count -= 1) {
    const told = `${cut} Also named: ${lost.slice(0, count).join(', ')}.`
    if (characterCount(told) < most) return told
  }
  // Under rules that tell even short answers, the sign may be longer than what it stands for.
  return characterCount(cut) < most ? cut : line
}
