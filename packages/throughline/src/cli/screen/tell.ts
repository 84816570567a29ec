/**
 * What a command says: lines for people, or one JSON document for programs. Whatever stands in a line, also
 * the name of a model or a path, a terminal gets no more of it than text and our colours.
 */
import type { Arguments } from '../command.ts'
import type { World } from '../world.ts'
import { jsonText } from './json-text.ts'
import { paintedLine } from './safe-text.ts'

export async function tell(
  { json }: Pick<Arguments, 'json'>,
  { stdout }: World,
  said: { readonly json: unknown; readonly lines: () => readonly string[] },
): Promise<void> {
  if (json) await stdout.write(`${jsonText(said.json, stdout.isTerminal ? 2 : 0)}\n`)
  else {
    const lines = said.lines().map((line) => (stdout.isTerminal ? paintedLine(line) : line))
    await stdout.write(lines.map((line) => `${line}\n`).join(''))
  }
}
