/** Checks Node, SQLite, the settings, the store, API keys and models. */
import { isThroughlineError } from '../../errors.ts'
import type { Arguments, Run } from '../command.ts'
import {
  checkFile,
  checkKeys,
  checkModels,
  checkRuntime,
  checkStore,
  type Finding,
  ok,
  problem,
} from '../doctor-checks.ts'
import { done, errorText, failWith } from '../exit-result.ts'
import { tryEngine } from '../open-engine.ts'
import { refuseUnowned } from '../open-store.ts'
import { padEnd, widthOf, wrap } from '../screen/cells.ts'
import { counted } from '../screen/numbers.ts'
import { styleOf } from '../screen/style.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { Output, World } from '../world.ts'

export const doctor: Run = async (args, world) => {
  const findings = await runChecks(args, world)
  const problems = findings.filter(({ state }) => state === 'problem').length
  return {
    json: { healthy: problems === 0, findings },
    lines: () => findings.flatMap((finding) => linesOf(finding, world.stdout)),
    exit: problems === 0 ? done : failWith('UNSOUND', `found ${counted(problems, 'problem')}`),
  }
}

async function runChecks(args: Arguments, world: World): Promise<readonly Finding[]> {
  const runtime = checkRuntime()
  const settings = await checkOrReport('settings', () => readSettings(args, world))
  if (!('sources' in settings)) return [...runtime, ...settings]
  const { values } = settings
  const isQuick = args.has('quick')
  const engine = await checkOrReport('settings', async () => {
    await tryEngine(values)
    return [ok('settings', 'valid')]
  })
  const store = await checkOrReport('store', async () => {
    // Other commands refuse to open such a store; so does doctor.
    refuseUnowned(settings, world)
    const { findings, tenants } = checkFile(values.store, { rows: !isQuick })
    if (isQuick || tenants === null) return findings
    // This release may be unable to read even an intact file.
    const checkMessages = () => checkStore(settings, tenants, world)
    return [...findings, ...(await checkOrReport('store', checkMessages))]
  })
  return [
    ...runtime,
    ...engine,
    ...store,
    checkKeys(values, world),
    ...(args.has('online') ? await checkModels(values, world) : []),
  ]
}

async function checkOrReport<Value>(
  about: 'settings' | 'store',
  check: () => Value | Promise<Value>,
): Promise<Value | readonly Finding[]> {
  try {
    return await check()
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return [problem(about, about === 'store' ? errorText(cause) : cause.message)]
  }
}

function linesOf({ about, state, text }: Finding, output: Output): readonly string[] {
  const { dim, green, yellow, red, yes, no, dot, warning } = styleOf(output)
  const signs = { ok: green(yes), note: dim(dot), warning: yellow(warning), problem: red(no) }
  const sign = signs[state]
  const label = `  ${padEnd(sign, 2)} ${padEnd(about, 10)} `
  const lines = wrap(text, output.width - widthOf(label))
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(widthOf(label))) + line)
}
