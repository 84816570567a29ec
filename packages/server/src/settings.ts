/** The settings of a server: one schema for the file, the environment and the options. */
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ThroughlineError } from 'throughline'
import * as v from 'valibot'

const count = v.pipe(v.number(), v.integer(), v.minValue(1))

export const serverLimits = v.strictObject({
  maxBodyBytes: v.optional(count, 16 * 1024 * 1024),
  maxDepth: v.optional(count, 64),
  maxValues: v.optional(count, 200_000),
  timeoutMs: v.optional(count, 120_000),
  requestsPerMinute: v.optional(count, 6000),
  streamsPerKey: v.optional(count, 100),
})

export type ServerLimits = v.InferOutput<typeof serverLimits>
export type ServerLimitsInput = v.InferInput<typeof serverLimits>

const serverSettings = v.strictObject({
  /** The folder of the databases. */
  folder: v.string(),
  host: v.optional(v.string(), '127.0.0.1'),
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)), 8787),
  /** Names that requests may have as their Host, beside those of the loopback. */
  hosts: v.optional(v.array(v.string()), []),
  origins: v.optional(v.array(v.string()), []),
  trustedProxies: v.optional(
    v.array(
      v.pipe(v.string(), v.check(isNetwork, 'must be an address, or one with a prefix length')),
    ),
    [],
  ),
  logLevel: v.optional(v.picklist(['silent', 'error', 'warn', 'info', 'debug']), 'info'),
  limits: v.optional(serverLimits, {}),
})

function isNetwork(text: string): boolean {
  const [, address = '', bits = '0'] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  return isIP(address) !== 0 && Number(bits) <= (isIP(address) === 6 ? 128 : 32)
}

/** The settings of `startServer`, complete. */
export type ServerSettings = v.InferOutput<typeof serverSettings>
/** The settings of `startServer`; what is left out has its default. */
export type ServerSettingsInput = Partial<v.InferInput<typeof serverSettings>>

/**
 * Reads and validates settings. The file is JSON; variables of the environment override it, and `given`
 * overrides both.
 */
export function readServerSettings(
  given: ServerSettingsInput,
  { env, file }: { readonly env: Environment; readonly file?: string | null },
): ServerSettings {
  const named = file ?? env['THROUGHLINE_SERVER_CONFIG'] ?? null
  const result = v.safeParse(serverSettings, {
    folder: join(
      env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'),
      'throughline',
      'server',
    ),
    ...(named !== null && fromFile(named)),
    ...fromEnvironment(env),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  })
  if (result.success) return result.output
  const [issue] = result.issues
  throw invalid(`${v.getDotPath(issue) ?? 'settings'}: ${issue.message}`)
}

type Environment = Readonly<Record<string, string | undefined>>

function fromFile(file: string): object {
  if (!existsSync(file)) throw invalid(`there is no file ${file}`)
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof read === 'object' && read !== null) return read
  } catch {}
  throw invalid(`${file} is not a JSON object`)
}

function fromEnvironment(env: Environment): object {
  const { THROUGHLINE_FOLDER: folder, THROUGHLINE_HOST: host, THROUGHLINE_PORT: port } = env
  const { THROUGHLINE_HOSTS: hosts, THROUGHLINE_ORIGINS: origins, THROUGHLINE_LOG: logLevel } = env
  const { THROUGHLINE_TRUSTED_PROXIES: proxies } = env
  return {
    ...(folder && { folder }),
    ...(host && { host }),
    ...(port && { port: Number(port) }),
    ...(hosts && { hosts: hosts.split(',') }),
    ...(origins && { origins: origins.split(',') }),
    ...(proxies && { trustedProxies: proxies.split(',') }),
    ...(logLevel && { logLevel }),
  }
}

function invalid(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `server settings: ${message}`)
}
