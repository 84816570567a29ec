/** A command line run inside this process, on a store of its own: what it says, and how it ends. */
import { runCli } from '../../packages/throughline/src/cli/run-cli.ts'
import { systemWorld } from '../../packages/throughline/src/cli/system-world.ts'
import type { Output } from '../../packages/throughline/src/cli/world.ts'

export interface RanCommand {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

let system: ReturnType<typeof systemWorld> | undefined

export async function runCommand(
  words: readonly string[],
  { store, folder }: { readonly store: string; readonly folder: string },
): Promise<RanCommand> {
  system ??= systemWorld()
  const { said, outputs } = capturedOutputs(80)
  const exitCode = await runCli(words, {
    ...system,
    ...outputs,
    ...{ cwd: folder, home: folder, env: { THROUGHLINE_STORE: store } },
    signal: new AbortController().signal,
  })
  return { exitCode, ...said }
}

/** Outputs of a command as it writes to a pipe, and what it has written to them. */
export function capturedOutputs(width: number) {
  const said = { stdout: '', stderr: '' }
  const outputOf = (name: keyof typeof said): Output => ({
    ...{ isTerminal: false, redraws: false, colours: false, unicode: true, width, height: 24 },
    write: async (text) => {
      said[name] += text
    },
  })
  return { said, outputs: { stdout: outputOf('stdout'), stderr: outputOf('stderr') } }
}
