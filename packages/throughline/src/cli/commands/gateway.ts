/** Serves the gateway: programs and agents call it in place of their provider, and their conversations get a memory. */
import type { Arguments, Run } from '../command.ts'
import { done, UsageError } from '../exit-result.ts'
import { importServer } from '../import-server.ts'
import { jsonText } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import type { World } from '../world.ts'
import { aborted, serverSettings } from './serve.ts'

export const gateway: Run = async (args, world) => {
  if (args.positionals.length > 0)
    throw new UsageError(`gateway takes no words; got "${args.positionals[0]}"`)
  const server = await importServer('gateway')
  const settings = gatewayServerSettings(args, world, server)
  const { folder } = settings
  const started = await server.startServer(settings, world.env)
  try {
    const { url, firstKey } = started
    if (args.json) await world.stdout.write(`${jsonText({ url, firstKey, folder })}\n`)
    else await world.stderr.write(`${startLines({ url, firstKey, folder }, world).join('\n')}\n`)
    await aborted(world.signal)
  } finally {
    await started.stop()
  }
  return done
}

/** The server's settings, with the upstreams and the mode of the flags. */
export function gatewayServerSettings(
  args: Arguments,
  world: World,
  server: Awaited<ReturnType<typeof importServer>>,
) {
  const settings = serverSettings(args, world, server)
  const upstreams = upstreamsIn(args.text('upstream'))
  const base = settings.gateway === false ? null : settings.gateway
  const mode = args.choice('mode', ['off', 'shadow', 'on']) ?? undefined
  const gateway = {
    ...base,
    ...(mode !== undefined && { mode }),
    ...(upstreams !== null && { upstreams: { ...base?.upstreams, ...upstreams } }),
  }
  return server.readServerSettings({ ...settings, gateway }, { env: {} })
}

const families = ['anthropic', 'openai', 'gemini'] as const
type Family = (typeof families)[number]
type Upstreams = Readonly<Partial<Record<Family, { readonly url: string }>>>

/** One address for all APIs, or `anthropic=URL,openai=URL`. */
function upstreamsIn(text: string | null): Upstreams | null {
  if (text === null) return null
  if (!/^\w+=/.test(text))
    return { anthropic: { url: text }, openai: { url: text }, gemini: { url: text } }
  const entries = text.split(',').map((each) => {
    const [, name = '', url = ''] = /^(\w+)=(.+)$/.exec(each) ?? []
    const family = families.find((known) => known === name)
    if (family === undefined)
      throw new UsageError(`--upstream: unknown API "${each}"; use ${families.join(', ')}`)
    return [family, { url }] as const
  })
  return Object.fromEntries(entries)
}

function startLines(
  {
    url,
    firstKey,
    folder,
  }: { readonly url: string; readonly firstKey: string | null; readonly folder: string },
  { stderr }: World,
): readonly string[] {
  const { bold, cyan, dim } = styleOf(stderr)
  const key = firstKey ?? '$THROUGHLINE_KEY'
  return [
    `${bold('Throughline')} gateway on ${cyan(url)}; its data is in ${folder}`,
    ...(firstKey === null
      ? []
      : ['', bold('The first key, shown only now'), `export THROUGHLINE_KEY=${firstKey}`]),
    '',
    bold('Claude Code'),
    `export ANTHROPIC_BASE_URL=${url} ANTHROPIC_CUSTOM_HEADERS="x-throughline-key: ${key}"`,
    '',
    bold('Programs with an OpenAI client'),
    `base URL ${url}/v1, header x-throughline-key: ${key}`,
    '',
    dim('docs/gateway.md has more clients. Ctrl-C stops the gateway.'),
  ]
}
