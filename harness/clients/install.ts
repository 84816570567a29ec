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
  const short = name.replace(/^.*\//, '')
  try {
    const folder = await installedFolder(`${short}-${version}`, [`${name}@${version}`])
    return { kind: 'installed', program: join(folder, 'node_modules', '.bin', program) }
  } catch (error) {
    return { kind: 'missing', why: error instanceof Error ? error.message : String(error) }
  }
}

/** The folder of packages in the cache. */
export async function installedFolder(name: string, packages: readonly string[]): Promise<string> {
  const cache = process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache')
  const folder = join(cache, 'throughline', 'clients', name)
  if (existsSync(join(folder, 'node_modules'))) return folder
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{"private":true}')
  try {
    await promisify(execFile)('npm', ['install', '--no-audit', '--no-fund', ...packages], {
      cwd: folder,
      timeout: minutesAtMost * 60_000,
    })
    return folder
  } catch (cause) {
    const { stderr } = cause as { readonly stderr?: string }
    const [line] = (stderr ?? String(cause)).split('\n').filter((each) => /code|error/i.test(each))
    throw new Error(`npm install ${packages.join(' ')} failed: ${line ?? 'no reason'}`, { cause })
  }
}
