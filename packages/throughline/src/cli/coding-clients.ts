/** The coding agents that `run` starts: how each is pointed at a gateway for one process, without a change of its files. */
import { existsSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { World } from './world.ts'

/** A gateway, and the key that its server knows. */
export interface GatewayAddress {
  readonly url: string
  readonly key: string
}

type Environment = World['env']

export interface CodingClient {
  readonly program: string
  /** On npm. */
  readonly packageName: string
  /** Words before those of the user. */
  words(gateway: GatewayAddress, env: Environment): readonly string[]
  /** A module that it loads from a temporary file, whose path is added to the words; null for none. */
  readonly extension: { readonly flag: string; readonly text: string } | null
  /** Variables that are set for the process. */
  environment(gateway: GatewayAddress, env: Environment): Readonly<Record<string, string>>
  /** The address that the client would call without run; null for its provider. */
  address(world: Pick<World, 'env' | 'home'>): string | null
  /** What in its own settings is stronger than `run`; null if nothing is. */
  override(world: Pick<World, 'env' | 'home'>): string | null
}

const keyHeader = 'x-throughline-key'

const claude: CodingClient = {
  program: 'claude',
  packageName: '@anthropic-ai/claude-code',
  extension: null,
  words: () => [],
  environment: ({ url, key }, env) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_CUSTOM_HEADERS: lines(env['ANTHROPIC_CUSTOM_HEADERS'], `${keyHeader}: ${key}`),
  }),
  address: (world) => claudeSetting(world) ?? world.env['ANTHROPIC_BASE_URL'] ?? null,
  override: (world) => {
    const set = claudeSetting(world)
    return set === null ? null : `${claudeFile(world)} sets ANTHROPIC_BASE_URL to ${set}`
  },
}

const codex: CodingClient = {
  program: 'codex',
  packageName: '@openai/codex',
  extension: null,
  words: ({ url }, env) => {
    const provider = {
      name: '"throughline"',
      base_url: JSON.stringify(`${url}/v1`),
      wire_api: '"responses"',
      // Without the variable, Codex sends the token of its own sign-in.
      ...(env['OPENAI_API_KEY'] === undefined
        ? { requires_openai_auth: 'true' }
        : { env_key: '"OPENAI_API_KEY"' }),
      // Through a variable: other users of the machine can read arguments.
      env_http_headers: `{ "${keyHeader}" = "THROUGHLINE_KEY" }`,
    }
    const settings = Object.entries(provider).flatMap(([name, value]) => [
      ...['-c', `model_providers.throughline.${name}=${value}`],
    ])
    return ['-c', 'model_provider="throughline"', ...settings]
  },
  environment: ({ key }) => ({ THROUGHLINE_KEY: key }),
  address: ({ env }) => env['OPENAI_BASE_URL'] ?? null,
  override: () => null,
}

const opencode: CodingClient = {
  program: 'opencode',
  packageName: 'opencode-ai',
  extension: null,
  words: () => [],
  environment: ({ url, key }, env) => {
    const given = objectIn(env['OPENCODE_CONFIG_CONTENT'])
    const headers = { [keyHeader]: key }
    const versions = { openai: 'v1', anthropic: 'v1', google: 'v1beta' }
    const provider = Object.fromEntries(
      Object.entries(versions).map(([name, version]) => [
        name,
        { options: { baseURL: `${url}/${version}`, headers } },
      ]),
    )
    const providers = given['provider'] as object | undefined
    return {
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        ...given,
        provider: { ...providers, ...provider },
      }),
    }
  },
  address: () => null,
  override: () => null,
}

const gemini: CodingClient = {
  program: 'gemini',
  packageName: '@google/gemini-cli',
  extension: null,
  words: () => [],
  environment: ({ url, key }, env) => {
    const given = env['GEMINI_CLI_CUSTOM_HEADERS']
    const own = `${keyHeader}: ${key}`
    return {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_CLI_CUSTOM_HEADERS: given === undefined ? own : `${given}, ${own}`,
    }
  },
  address: ({ env }) => env['GOOGLE_GEMINI_BASE_URL'] ?? null,
  override: () => null,
}

/** Its extension reads the address from the environment of the process. */
const pi: CodingClient = {
  program: 'pi',
  packageName: '@mariozechner/pi-coding-agent',
  extension: {
    flag: '--extension',
    text: `export default (pi) => {
  const { THROUGHLINE_URL: url, THROUGHLINE_KEY: key } = process.env
  const headers = { '${keyHeader}': key }
  const paths = { anthropic: '', openai: '/v1', google: '/v1beta' }
  for (const [name, path] of Object.entries(paths))
    pi.registerProvider(name, { baseUrl: url + path, headers })
}
`,
  },
  words: () => [],
  environment: ({ url, key }) => ({ THROUGHLINE_URL: url, THROUGHLINE_KEY: key }),
  address: () => null,
  override: () => null,
}

export const codingClients = { claude, codex, opencode, gemini, pi } as const

export type CodingClientName = keyof typeof codingClients

export const codingClientNames = Object.keys(codingClients) as readonly CodingClientName[]

/** The path of a program; null if no folder of PATH has it. */
export function programOnPath(program: string, { env }: Pick<World, 'env'>): string | null {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const endings = process.platform === 'win32' ? ['.cmd', '.exe', ''] : ['']
  const paths = folders.flatMap((folder) => endings.map((ending) => join(folder, program + ending)))
  return paths.find((path) => existsSync(path)) ?? null
}

function lines(given: string | undefined, added: string): string {
  return given === undefined || given.trim() === '' ? added : `${given}\n${added}`
}

function claudeFile({ env, home }: Pick<World, 'env' | 'home'>): string {
  return join(env['CLAUDE_CONFIG_DIR'] ?? join(home, '.claude'), 'settings.json')
}

/** Claude Code takes variables from its settings even where the process has others. */
function claudeSetting(world: Pick<World, 'env' | 'home'>): string | null {
  const file = claudeFile(world)
  if (!existsSync(file)) return null
  const env = objectIn(readFileSync(file, 'utf8'))['env'] as Readonly<Record<string, unknown>>
  const set = env?.['ANTHROPIC_BASE_URL']
  return typeof set === 'string' ? set : null
}

function objectIn(text: string | undefined): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text ?? '{}')
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
