/** Runs the program where there is nothing of Node: in a bare context, or in the edge runtime of Vercel. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { singleBundle } from './bundle.ts'
import type { Program, Runtime } from './runtime.ts'

/** What web pages and edge runtimes have in common, and the program needs. */
const webGlobals = {
  ...{ AbortController, AbortSignal, TextDecoder, TextEncoder, URL, crypto, performance },
  ...{ atob, btoa, clearTimeout, setTimeout, structuredClone },
}

export async function startBare(): Promise<Runtime> {
  const context = createContext({ ...webGlobals })
  return inScript('a bare context', (script) => runInContext(script, context))
}

interface EdgeVM {
  evaluate(script: string): unknown
}

/** Installed beside this file on first use, as it is not in the lock file. */
export async function startEdgeRuntime(): Promise<Runtime> {
  const { EdgeVM } = (await import(edgeRuntimeModule())) as { EdgeVM: new () => EdgeVM }
  const machine = new EdgeVM()
  return inScript('edge-runtime', (script) => machine.evaluate(script))
}

function edgeRuntimeModule(): string {
  const folder = join(import.meta.dirname, 'outside')
  const module = join(folder, 'node_modules/@edge-runtime/vm/dist/index.js')
  if (existsSync(module)) return module
  const options = ['--no-package-lock', '--ignore-scripts', '--no-audit', '--no-fund']
  const args = ['install', '--workspaces=false', '--prefix', folder, ...options]
  const { stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  if (!existsSync(module)) throw new Error(`npm could not install @edge-runtime/vm: ${stderr}`)
  return module
}

async function inScript(name: string, evaluate: (script: string) => unknown): Promise<Runtime> {
  evaluate(await singleBundle())
  const program = evaluate('program') as Program
  return {
    name,
    run: (called, ...args) =>
      (program[called] as (...all: unknown[]) => unknown)(...args) as ReturnType<
        Program[typeof called]
      >,
    loaded: () => [],
    problems: () => [],
    stop: async () => {},
  }
}
