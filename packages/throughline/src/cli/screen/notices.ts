/** What a command says beside its output, each once: for people a line, for programs an object. */
import type { Notice, OuterWorld } from '../world.ts'
import { jsonText } from './json-text.ts'
import { paintOf } from './paint.ts'
import { safeLine } from './safe-text.ts'

export function notices(
  { stderr }: Pick<OuterWorld, 'stderr'>,
  { json }: { readonly json: boolean },
): (notice: Notice) => void {
  const said = new Set<string>()
  return (notice) => {
    const { code, message } = notice
    if (said.has(message)) return
    said.add(message)
    const line = json
      ? jsonText({ notice })
      : `${code === 'STORE' ? 'throughline' : paintOf(stderr).yellow('throughline')}: ${safeLine(message)}`
    // A line at a time: nothing has to wait until there is room for it.
    void stderr.write(`${line}\n`)
  }
}
