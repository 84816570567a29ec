/** Runs a CLI command inside this process on a store of its own; returns its output and exit code. */
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
  const { written, outputs } = capturedOutputs(80)
  const exitCode = await runCli(words, {
    ...system,
    ...outputs,
    ...{ cwd: folder, home: folder, env: { THROUGHLINE_STORE: store } },
    signal: new AbortController().signal,
  })
  return { exitCode, ...written }
}

/** Captures what a command writes, as if to a pipe. */
export function capturedOutputs(width: number) {
  const written = { stdout: '', stderr: '' }
  const outputOf = (name: keyof typeof written): Output => ({
    ...{ isTerminal: false, redraws: false, colours: false, unicode: true, width, height: 24 },
    write: async (text) => {
      written[name] += text
    },
  })
  return { written, outputs: { stdout: outputOf('stdout'), stderr: outputOf('stderr') } }
}
