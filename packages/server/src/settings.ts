/** The settings of a server: one schema for the file, the environment and the options. */
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { ThroughlineError } from 'throughline'
import * as v from 'valibot'
import { engineSettings, modelSetting } from './engine-settings.ts'
import { gatewaySettings } from './gateway/gateway-settings.ts'
import { sharedKeys } from './shared-keys.ts'

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
  /** The URL of a PostgreSQL for conversations and jobs; in the folder if it is left out. */
  database: v.optional(
    v.nullable(v.pipe(v.string(), v.regex(/^postgres(ql)?:\/\//, 'must be a URL as postgres://…'))),
    null,
  ),
  /** Whether this server runs background jobs too, where they are in PostgreSQL. */
  worker: v.optional(v.boolean(), true),
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
  engine: v.optional(engineSettings, {}),
  /** The model that answers in the chat of the inspector. */
  chat: modelSetting,
  /** Keys of all servers of a group, by the hashes of their secrets. */
  keys: v.optional(sharedKeys, []),
  /** Conversations without a new message for this long are purged; none are if it is left out. */
  retention: v.optional(
    v.strictObject({
      days: v.optional(v.nullable(count), null),
      /** By tenant, in place of `days`; null keeps them. */
      tenants: v.optional(v.record(v.string(), v.nullable(count)), {}),
    }),
    {},
  ),
  /** Passes requests to models on, with a memory beside; false for none. */
  gateway: v.optional(v.union([v.literal(false), gatewaySettings]), {}),
  /** Puts a made-up conversation into an empty database. */
  demonstration: v.optional(v.boolean(), false),
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
 *
 * @example
 * const settings = readServerSettings({ port: 0 }, { env: process.env, file: 'server.json' })
 */
export function readServerSettings(
  given: ServerSettingsInput,
  { env, file }: { readonly env: Environment; readonly file?: string | null },
): ServerSettings {
  const named = file ?? env['THROUGHLINE_SERVER_CONFIG'] ?? null
  const written: Fields = named === null ? {} : fromFile(named)
  const result = v.safeParse(serverSettings, {
    folder: join(
      env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'),
      'throughline',
      'server',
    ),
    ...written,
    ...fromEnvironment(env, written),
    ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)),
  })
  if (result.success) return result.output
  const [issue] = result.issues
  throw invalid(`${v.getDotPath(issue) ?? 'settings'}: ${issue.message}`)
}

type Environment = Readonly<Record<string, string | undefined>>
type Fields = Readonly<Record<string, unknown>>

function fromFile(file: string): Fields {
  if (!existsSync(file)) throw invalid(`there is no file ${file}`)
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'))
    if (typeof read === 'object' && read !== null && !Array.isArray(read)) return read as Fields
  } catch {}
  throw invalid(`${file} is not a JSON object`)
}

/** Fields inside `engine` and `retention` override those of the file one by one. */
function fromEnvironment(env: Environment, written: Fields): Fields {
  const within = (name: string, own: Fields) =>
    Object.keys(own).length > 0 && { [name]: { ...(written[name] as object), ...own } }
  const days = env['THROUGHLINE_RETENTION_DAYS']
  return {
    ...set(env, {
      folder: 'FOLDER',
      database: 'DATABASE',
      host: 'HOST',
      logLevel: 'LOG',
      chat: 'CHAT',
    }),
    ...(env['THROUGHLINE_PORT'] && { port: Number(env['THROUGHLINE_PORT']) }),
    ...lists(env, { hosts: 'HOSTS', origins: 'ORIGINS', trustedProxies: 'TRUSTED_PROXIES' }),
    ...within(
      'engine',
      set(env, { policy: 'POLICY', summarizer: 'SUMMARIZER', compaction: 'COMPACTION' }),
    ),
    ...within('retention', days ? { days: Number(days) } : {}),
  }
}

/** Variables by the field that they set, without THROUGHLINE_; empty ones are not set. */
function set(
  env: Environment,
  names: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const values = Object.entries(names).map(([field, name]) => [
    field,
    env[`THROUGHLINE_${name}`] ?? '',
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== ''))
}

function lists(env: Environment, names: Readonly<Record<string, string>>): Fields {
  const values = Object.entries(set(env, names))
  return Object.fromEntries(values.map(([field, text]) => [field, text.split(',')]))
}

function invalid(message: string): ThroughlineError {
  return new ThroughlineError('CONFIG_INVALID', `server settings: ${message}`)
}
