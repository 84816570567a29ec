/**
 * Runs a coding agent through the gateway: its address is set for this process only, and no file of the agent or of
 * the user is changed.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type CodingClient,
  codingClientNames,
  codingClients,
  type GatewayAddress,
  programOnPath,
} from '../coding-clients.ts'
import type { Arguments, Run } from '../command.ts'
import { done, failWith, UsageError } from '../exit-result.ts'
import { gatewayAnswers } from '../gateway-answers.ts'
import { importServer } from '../import-server.ts'
import { styleOf } from '../screen/style.ts'
import type { World } from '../world.ts'
import { gatewayServerSettings } from './gateway.ts'

export const run: Run = async (args, world) => {
  const [name, ...words] = args.positionals
  const client = codingClientNames.find((each) => each === name)
  if (client === undefined)
    throw new UsageError(
      `run needs a client: ${codingClientNames.join(', ')}${name === undefined ? '' : `; got "${name}"`}`,
    )
  const { [client]: known } = codingClients
  const program = programOnPath(known.program, world)
  if (program === null)
    throw new UsageError(
      `there is no program ${known.program} on the PATH: npm install -g ${known.packageName}`,
    )
  const override = known.override(world)
  if (override !== null)
    throw new UsageError(`${override}, so it would not call the gateway; remove it there`)
  const gateway = await openGateway(args, world)
  try {
    const { dim } = styleOf(world.stderr)
    await world.stderr.write(`${dim(`throughline: ${client} through ${gateway.url}`)}\n`)
    const status = await runClient(program, known, { gateway, words, env: world.env })
    if (status === 0) return { json: null, lines: () => [], exit: done }
    return {
      ...{ json: null, lines: () => [] },
      exit: {
        ...failWith('CLIENT_FAILED', `${client} ended with status ${status}`),
        exitCode: status,
      },
    }
  } finally {
    await gateway.close()
  }
}

interface OpenedGateway extends GatewayAddress {
  close(): Promise<void>
}

/** The one that runs, or one that ends with the client. */
async function openGateway(args: Arguments, world: World): Promise<OpenedGateway> {
  const server = await importServer('run')
  const settings = gatewayServerSettings(args, world, server)
  const { folder, host, port } = settings
  const url = `http://${host}:${port}`
  const isRunning = await gatewayAnswers(url)
  const started = isRunning
    ? null
    : await server.startServer({ ...settings, logLevel: 'silent' }, world.env)
  const given = world.env['THROUGHLINE_KEY']
  const key = { tenant: 'default', name: 'run', role: 'write' } as const
  const lent = given === undefined ? server.lendServerKey(folder, key) : null
  return {
    url: started?.url ?? url,
    key: given ?? lent?.secret ?? '',
    close: async () => {
      lent?.end()
      await started?.stop()
    },
  }
}

/** Ctrl-C reaches the client, which is in the same group of processes; it decides what that means. */
async function runClient(
  program: string,
  client: CodingClient,
  {
    gateway,
    words,
    env,
  }: {
    readonly gateway: GatewayAddress
    readonly words: readonly string[]
    readonly env: World['env']
  },
): Promise<number> {
  const { extension } = client
  const folder = extension === null ? null : mkdtempSync(join(tmpdir(), 'throughline-run-'))
  const extended: string[] = []
  if (folder !== null && extension !== null) {
    const file = join(folder, 'extension.mjs')
    writeFileSync(file, extension.text)
    extended.push(extension.flag, file)
  }
  try {
    const all = [...client.words(gateway, env), ...extended, ...words]
    const child = spawn(program, all, {
      env: { ...env, ...client.environment(gateway, env) },
      stdio: 'inherit',
      // A script of npm is no program of its own there.
      shell: process.platform === 'win32',
    })
    return await new Promise<number>((resolve, reject) => {
      child.once('error', reject)
      child.once('close', (status) => resolve(status ?? interruptedStatus))
    })
  } finally {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
  }
}

/** As shells report a program that Ctrl-C ended. */
const interruptedStatus = 130
