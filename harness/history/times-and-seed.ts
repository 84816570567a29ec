/** The options of a command that does something so many times, drawn from a seed. */
import { parseArgs } from 'node:util'

export function timesAndSeed(
  options: readonly string[],
  { option, times }: { readonly option: string; readonly times: number },
): { readonly times: number; readonly seed: number } {
  const { values } = parseArgs({
    args: [...options],
    options: {
      [option]: { type: 'string', default: String(times) },
      seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
    },
  })
  return { times: Number(values[option]), seed: Number(values['seed']) }
}
