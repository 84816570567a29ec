/** Runs the harness once more where there is no network but loopback, as far as the system allows. */
import { spawnSync } from 'node:child_process'

const mark = 'THROUGHLINE_WITHOUT_NETWORK'

/** The exit code of the second run; null if this is it, or if there is no such place. */
export function withoutNetwork(): number | null {
  if (process.env[mark] !== undefined || process.platform !== 'linux') return null
  const isRoot = process.getuid?.() === 0
  const flags = isRoot ? ['-n'] : ['-rn']
  const place = ['unshare', ...flags, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  const run = (words: readonly string[], stdio: 'ignore' | 'inherit') => {
    const [program = '', ...rest] = [...place, ...words]
    return spawnSync(program, rest, { stdio, env: { ...process.env, [mark]: '1' } }).status
  }
  if (run(['true'], 'ignore') !== 0) return null
  return run([process.execPath, ...process.execArgv, ...process.argv.slice(1)], 'inherit') ?? 1
}
