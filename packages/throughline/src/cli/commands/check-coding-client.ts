/** Checks whether a coding agent reaches the gateway: the program, the gateway, the key, and the agent's address. */
import { type CodingClientName, codingClients, programOnPath } from '../coding-clients.ts'
import { type Arguments, typedCommand } from '../command.ts'
import { type Finding, note, ok, problem, warning } from '../findings.ts'
import { gatewayAnswers } from '../gateway-answers.ts'
import type { World } from '../world.ts'

export async function checkCodingClient(
  name: CodingClientName,
  args: Arguments,
  world: World,
): Promise<readonly Finding[]> {
  const { [name]: client } = codingClients
  const url = (args.text('gateway') ?? 'http://127.0.0.1:8787').replace(/\/+$/, '')
  const program = programOnPath(client.program, world)
  const isRunning = await gatewayAnswers(url)
  return [
    program === null
      ? problem('client', `no ${client.program} on the PATH: npm install -g ${client.packageName}`)
      : ok('client', program),
    isRunning
      ? ok('gateway', `answers at ${url}`)
      : note(
          'gateway',
          `none answers at ${url}; ${typedCommand(`run ${name}`, world)} starts one for the client`,
        ),
    ...(isRunning ? [await checkKey(url, world)] : []),
    checkAddress(name, url, world),
  ]
}

async function checkKey(url: string, { env }: World): Promise<Finding> {
  const key = env['THROUGHLINE_KEY']
  if (key === undefined)
    return note('key', 'THROUGHLINE_KEY is not set; run makes a key for the time of the client')
  try {
    const headers = { 'x-throughline-key': key }
    const { status } = await fetch(`${url}/v1/conversations?limit=1`, { headers })
    if (status === 200) return ok('key', 'the gateway accepts THROUGHLINE_KEY')
    return problem('key', `the gateway refuses THROUGHLINE_KEY with status ${status}`)
  } catch {
    return problem('key', `the gateway at ${url} does not answer any more`)
  }
}

function checkAddress(name: CodingClientName, url: string, world: World): Finding {
  const { [name]: client } = codingClients
  const override = client.override(world)
  const address = client.address(world)
  if (address !== null && address.replace(/\/v1\/?$|\/+$/, '') === url)
    return ok('address', `${name} calls the gateway, also without run`)
  if (override !== null)
    return problem('address', `${override}, which is stronger than the address that run sets`)
  if (address !== null)
    return warning('address', `${name} calls ${address} when it is started without run`)
  const command = typedCommand(`run ${name}`, world)
  return note(
    'address',
    `${name} calls its provider when it is started without run; use ${command}`,
  )
}
