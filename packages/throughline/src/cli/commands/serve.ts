/** Serves conversations over REST until it is stopped, or creates a key. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Arguments, Run } from '../command.ts'
import { done, type Outcome, UsageError } from '../exit-result.ts'
import { importServer } from '../import-server.ts'
import { jsonText } from '../screen/safe-text.ts'
import { styleOf } from '../screen/style.ts'
import { packageFolder } from '../version.ts'
import type { World } from '../world.ts'

type ServerPackage = Awaited<ReturnType<typeof importServer>>
type Started = Awaited<ReturnType<ServerPackage['startServer']>>

export const serve: Run = async (args, world) => {
  if (args.positionals.length > 0)
    throw new UsageError(`serve takes no words; got "${args.positionals[0]}"`)
  const server = await importServer('serve')
  const settings = serverSettings(args, world, server)
  const name = args.text('new-key')
  if (name !== null) return newKey(name, args, settings.folder, server)
  const started = await server.startServer(settings, world.env)
  try {
    const { url, signInUrl, firstKey } = started
    const { folder, database } = settings
    const place = database === null ? folder : `PostgreSQL; its keys are in ${folder}`
    if (args.json) await world.stdout.write(`${jsonText({ url, signInUrl, firstKey, folder })}\n`)
    else
      await world.stderr.write(
        `${startLines(started, { folder, place }, server, world).join('\n')}\n`,
      )
    await aborted(world.signal)
  } finally {
    await started.stop()
  }
  return done
}

/** The settings of the flags, the environment and the file; the server validates them. */
export function serverSettings(args: Arguments, world: World, server: ServerPackage) {
  const port = args.number('port')
  const given = {
    host: args.text('host') ?? undefined,
    folder: args.text('folder') ?? undefined,
    database: args.text('database') ?? undefined,
    logLevel: args.text('log') ?? undefined,
    ...(port !== null && { port }),
    ...(args.has('no-worker') && { worker: false }),
    ...(args.has('demo') && { demonstration: true }),
  }
  return server.readServerSettings(given as Parameters<ServerPackage['readServerSettings']>[0], {
    env: world.env,
    file: args.text('config'),
  })
}

function newKey(
  name: string,
  args: Arguments,
  folder: string,
  { createServerKey }: ServerPackage,
): Outcome {
  const role = args.choice('role', ['read', 'write', 'admin']) ?? 'admin'
  const tenant = args.text('tenant') ?? 'default'
  const secret = createServerKey(folder, { tenant, name, role })
  return { json: { name, role, tenant, secret }, lines: () => [secret] }
}

export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}

/** On stderr, since stdout has the log. Commands are not indented, so that they can be pasted. */
function startLines(
  { url, signInUrl, firstKey }: Started,
  { folder, place }: { readonly folder: string; readonly place: string },
  { curlLines, clientLines }: ServerPackage,
  { stderr, env }: World,
): readonly string[] {
  const { bold, cyan, dim } = styleOf(stderr)
  const listens = `${bold('Throughline')} listens on ${cyan(url)}; its data is in ${place}`
  // Other machines reach it, and this is a log.
  if (signInUrl === null) return [listens]
  const key =
    firstKey !== null
      ? ['', bold('The first key, shown only now'), `export THROUGHLINE_KEY=${firstKey}`]
      : env['THROUGHLINE_KEY']
        ? []
        : [
            '',
            dim('The calls below need a key in THROUGHLINE_KEY. The first start printed one;'),
            dim(`${newKeyCommand(folder)} creates another.`),
          ]
  return [
    listens,
    '',
    bold('The inspector (the link works once)'),
    cyan(signInUrl),
    ...key,
    '',
    bold('Call it with curl'),
    curlLines(url),
    '',
    bold(`Call it with the client package${isCheckout() ? ', in the folder of the clone' : ''}`),
    `${runModule()} <<'END'`,
    clientLines(url),
    'END',
    '',
    dim('Ctrl-C stops the server.'),
  ]
}

function newKeyCommand(folder: string): string {
  const command = isCheckout() ? 'npm run -s serve --' : 'npx throughline serve'
  return `${command} --new-key mine --folder ${folder}`
}

/** Only a checkout has the build settings; its packages are not built. */
function isCheckout(): boolean {
  return existsSync(join(packageFolder(), 'tsconfig.build.json'))
}

function runModule(): string {
  return isCheckout()
    ? "npm exec -c 'node --conditions=throughline-source --input-type=module'"
    : 'node --input-type=module'
}
