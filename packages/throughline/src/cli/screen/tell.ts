/** What a command says: lines for people, or one JSON document for programs. */
import type { Arguments } from '../command.ts'
import type { World } from '../world.ts'
import { jsonText } from './json-text.ts'

export async function tell(
  { json }: Pick<Arguments, 'json'>,
  { stdout }: World,
  said: { readonly json: unknown; readonly lines: () => readonly string[] },
): Promise<void> {
  if (json) await stdout.write(`${jsonText(said.json, stdout.isTerminal ? 2 : 0)}\n`)
  else
    await stdout.write(
      said
        .lines()
        .map((line) => `${line}\n`)
        .join(''),
    )
}
