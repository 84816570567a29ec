/** The coding agents as their vendors publish them, in a cache outside the lock and the repository. */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

export interface ClientPackage {
  /** On npm. */
  readonly name: string
  readonly version: string
  readonly program: string
}

export type Installed =
  | { readonly kind: 'installed'; readonly program: string }
  | { readonly kind: 'missing'; readonly why: string }

const minutesAtMost = 10

/** Installs it unless it is in the cache. */
export async function installed({ name, version, program }: ClientPackage): Promise<Installed> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const short = name.replace(/^.*\//, '')
  const folder = join(cache, 'throughline', 'clients', `${short}-${version}`)
  const path = join(folder, 'node_modules', '.bin', program)
  if (existsSync(path)) return { kind: 'installed', program: path }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  try {
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', `${name}@${version}`], {
      cwd: folder,
      timeout: minutesAtMost * 60_000,
    })
    return { kind: 'installed', program: path }
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string }
    const [line] = (stderr ?? String(error)).split('\n').filter((each) => /code|error/i.test(each))
    return { kind: 'missing', why: `npm install ${name}@${version} failed: ${line ?? 'no reason'}` }
  }
}
