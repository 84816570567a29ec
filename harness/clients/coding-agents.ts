/** The five coding agents: how each is pointed at the gateway, and how a turn is started. */
import { join } from 'node:path'
import type { ClientPackage } from './install.ts'

/** What a coding agent needs to reach the gateway. */
export interface Place {
  /** The address of the gateway, without a path. */
  readonly url: string
  /** Of the server. */
  readonly key: string
  /** An empty home folder, and a folder to work in. */
  readonly home: string
  readonly work: string
  /** The program of an MCP server. */
  readonly probe: readonly string[]
}

interface Turn {
  readonly prompt: string
  readonly isFirst: boolean
  readonly session: string
  readonly model: string
}

export interface CodingAgent {
  readonly package: ClientPackage
  /** The window of its models, at the gateway and at the upstream. */
  readonly windowTokens: number
  /** It starts with the first and continues with the second. */
  readonly models: readonly [string, string]
  /** What it is asked to do besides commands; its tools have no more. */
  readonly steps: readonly ('agents' | 'mcp' | 'image')[]
  /** A prompt with which it counts the tokens of its history. */
  readonly counts: string | null
  /** How a user makes it compact its history; null if that takes a terminal. */
  readonly compacts: 'by-prompt' | 'by-app-server' | null
  /** Whether requests say that they are of a sub-agent; a prompt of the model else looks like the user's. */
  readonly namesAgents: boolean
  /** Rules of the API that the service does not have, whatever its documents say. */
  readonly tolerates: readonly string[]
  /** By their paths in the home folder or the work folder. */
  files(place: Place): Readonly<Record<string, string>>
  /** What it sends in place of a prompt. */
  readonly spells: (prompt: string) => string
  /** Where its output names the session; null where the caller does. */
  readonly session: RegExp | null
  environment(place: Place): Readonly<Record<string, string>>
  words(turn: Turn, place: Place): readonly string[]
}

const providerKey = 'sk-of-the-provider'

const claudeCode: CodingAgent = {
  package: { name: '@anthropic-ai/claude-code', version: '2.1.328', program: 'claude' },
  // Its prompt and tools alone are 12,000 to 16,000 tokens.
  windowTokens: 48_000,
  models: ['claude-sonnet-4-6', 'claude-opus-4-6'],
  steps: ['agents', 'mcp', 'image'],
  ...{ counts: '/context', compacts: 'by-prompt', session: null },
  spells: (prompt) => prompt,
  namesAgents: true,
  tolerates: [],
  files: ({ work, probe: [command, ...args] }) => ({
    [join(work, '.mcp.json')]: JSON.stringify({ mcpServers: { probe: { command, args } } }),
  }),
  environment: ({ url, key }) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: providerKey,
    ANTHROPIC_CUSTOM_HEADERS: `x-throughline-key: ${key}`,
    IS_SANDBOX: '1',
    DISABLE_AUTOUPDATER: '1',
    ENABLE_PROMPT_CACHING_1H: '1',
  }),
  words: ({ prompt, isFirst, session, model }, { work }) => [
    ...['-p', prompt, '--model', model, isFirst ? '--session-id' : '--resume', session],
    ...['--dangerously-skip-permissions', '--output-format', 'json'],
    ...['--mcp-config', join(work, '.mcp.json')],
  ],
}

const codex: CodingAgent = {
  package: { name: '@openai/codex', version: '0.169.0', program: 'codex' },
  windowTokens: 32_000,
  models: ['gpt-5.1-codex', 'gpt-5.1'],
  steps: ['agents', 'mcp', 'image'],
  ...{ counts: null, compacts: 'by-app-server', session: /"thread_id":"([\w-]+)"/ },
  spells: (prompt) => prompt,
  namesAgents: true,
  tolerates: [],
  files: ({ home, url, key, probe: [command, ...args] }) => ({
    [join(home, '.codex', 'config.toml')]: [
      'model_provider = "through"',
      'approval_policy = "never"',
      'sandbox_mode = "danger-full-access"',
      '[model_providers.through]',
      'name = "through"',
      `base_url = "${url}/v1"`,
      'wire_api = "responses"',
      'env_key = "PROVIDER_KEY"',
      `http_headers = { "x-throughline-key" = "${key}" }`,
      '[mcp_servers.probe]',
      `command = ${JSON.stringify(command)}`,
      `args = ${JSON.stringify(args)}`,
    ].join('\n'),
  }),
  environment: () => ({ PROVIDER_KEY: providerKey }),
  words: ({ prompt, isFirst, session, model }) => [
    ...['exec', ...(isFirst ? [] : ['resume', session])],
    ...['--skip-git-repo-check', '--json', '-m', model, prompt],
  ],
}

const opencode: CodingAgent = {
  package: { name: 'opencode-ai', version: '1.18.33', program: 'opencode' },
  windowTokens: 32_000,
  models: ['through/small-a', 'through/small-b'],
  steps: ['agents', 'mcp', 'image'],
  ...{ counts: null, compacts: null, session: /"sessionID":"(\w+)"/ },
  // It joins the words of its command line again.
  spells: (prompt) => `"${prompt}"`,
  namesAgents: true,
  tolerates: [],
  files: ({ work, url, key, probe }) => ({
    [join(work, 'opencode.json')]: JSON.stringify({
      permission: 'allow',
      mcp: { probe: { type: 'local', command: probe } },
      provider: {
        through: {
          npm: '@ai-sdk/openai-compatible',
          options: {
            ...{ baseURL: `${url}/v1`, apiKey: providerKey },
            headers: { 'x-throughline-key': key },
          },
          models: Object.fromEntries(
            ['small-a', 'small-b'].map((id) => [
              id,
              {
                ...{ name: id, attachment: true, tool_call: true },
                modalities: { input: ['text', 'image'], output: ['text'] },
                limit: { context: 200_000, output: 8_000 },
              },
            ]),
          ),
        },
      },
    }),
  }),
  environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
  words: ({ prompt, isFirst, session, model }) => [
    ...['run', '-m', model, ...(isFirst ? [] : ['-s', session]), '--format', 'json', prompt],
  ],
}

const gemini: CodingAgent = {
  package: { name: '@google/gemini-cli', version: '0.61.0', program: 'gemini' },
  windowTokens: 32_000,
  models: ['gemini-2.5-pro', 'gemini-2.5-flash'],
  steps: ['agents', 'mcp', 'image'],
  ...{ counts: null, compacts: null, session: null },
  spells: (prompt) => prompt,
  namesAgents: false,
  tolerates: [],
  files: ({ home, probe: [command, ...args] }) => ({
    [join(home, '.gemini', 'settings.json')]: JSON.stringify({
      mcpServers: { probe: { command, args, trust: true } },
      security: { auth: { selectedType: 'gemini-api-key' } },
      general: { disableAutoUpdate: true },
    }),
  }),
  environment: ({ url, key }) => ({
    GOOGLE_GEMINI_BASE_URL: url,
    GEMINI_API_KEY: providerKey,
    GEMINI_CLI_CUSTOM_HEADERS: `x-throughline-key: ${key}`,
    GEMINI_CLI_TRUST_WORKSPACE: 'true',
  }),
  words: ({ prompt, isFirst, model }) => [
    ...['-p', prompt, '-m', model, '--yolo', '--output-format', 'json'],
    ...(isFirst ? [] : ['--resume', 'latest']),
  ],
}

const pi: CodingAgent = {
  package: { name: '@mariozechner/pi-coding-agent', version: '0.73.1', program: 'pi' },
  windowTokens: 32_000,
  models: ['through/small-a', 'through/small-b'],
  steps: ['image'],
  ...{ counts: null, compacts: null, session: null },
  namesAgents: true,
  // After an interruption it sends two messages of the user, which the service joins.
  spells: (prompt) => prompt,
  tolerates: ['alternation'],
  files: ({ home, url, key }) => ({
    [join(home, '.pi', 'agent', 'models.json')]: JSON.stringify({
      providers: {
        through: {
          ...{ baseUrl: url, api: 'anthropic-messages', apiKey: providerKey },
          headers: { 'x-throughline-key': key },
          models: ['small-a', 'small-b'].map((id) => ({
            ...{ id, name: id, reasoning: true, input: ['text', 'image'] },
            ...{ contextWindow: 200_000, maxTokens: 8_000 },
            cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
          })),
        },
      },
    }),
  }),
  environment: () => ({ PI_OFFLINE: '1' }),
  words: ({ prompt, isFirst, model }) => [
    ...['-p', '--model', model, '--thinking', 'low', ...(isFirst ? [] : ['-c']), prompt],
  ],
}

export const codingAgents = { 'claude-code': claudeCode, codex, opencode, gemini, pi } as const
export type CodingAgentName = keyof typeof codingAgents
