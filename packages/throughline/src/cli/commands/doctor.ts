/** Checks Node, SQLite, the store and its invariants, keys and models. */
import { isThroughlineError } from '../../errors.ts'
import type { Arguments, Run } from '../command.ts'
import {
  bad,
  checkFile,
  checkKeys,
  checkModels,
  checkRuntime,
  checkStore,
  type Finding,
  sound,
} from '../doctor-checks.ts'
import { done, errorText, notDone } from '../ending.ts'
import { tryEngine } from '../open-engine.ts'
import { refuseForeign } from '../open-store.ts'
import { padEnd, widthOf, wrap } from '../screen/cells.ts'
import { counted } from '../screen/numbers.ts'
import { styleOf } from '../screen/style.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { Output, World } from '../world.ts'

export const doctor: Run = async (args, world) => {
  const findings = await lookAtAll(args, world)
  const wrong = findings.filter(({ state }) => state === 'bad').length
  const ill = `${counted(wrong, 'thing is', 'things are')} not well`
  return {
    json: { sound: wrong === 0, findings },
    lines: () => findings.flatMap((finding) => linesOf(finding, world.stdout)),
    ending: wrong === 0 ? done : notDone('UNSOUND', ill),
  }
}

async function lookAtAll(args: Arguments, world: World): Promise<readonly Finding[]> {
  const runtime = checkRuntime()
  const settings = await orFinding('settings', () => readSettings(args, world))
  if (!('sources' in settings)) return [...runtime, ...settings]
  const { values } = settings
  const isQuick = args.has('quick')
  const engine = await orFinding('settings', async () => {
    await tryEngine(values)
    return [sound('settings', 'can be read')]
  })
  const store = await orFinding('store', async () => {
    // A store that no command would open is not opened here either.
    refuseForeign(settings, world)
    const { findings, tenants } = checkFile(values.store, { rows: !isQuick })
    if (isQuick || tenants === null) return findings
    // A sound file may still be one that this release cannot read.
    return [...findings, ...(await orFinding('store', () => checkStore(settings, tenants, world)))]
  })
  return [
    ...runtime,
    ...engine,
    ...store,
    checkKeys(values, world),
    ...(args.has('online') ? await checkModels(values, world) : []),
  ]
}

async function orFinding<Value>(
  about: 'settings' | 'store',
  look: () => Value | Promise<Value>,
): Promise<Value | readonly Finding[]> {
  try {
    return await look()
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return [bad(about, about === 'store' ? errorText(cause) : cause.message)]
  }
}

function linesOf({ about, state, text }: Finding, output: Output): readonly string[] {
  const { dim, green, yellow, red, yes, no, dot, warning } = styleOf(output)
  const sign = { sound: green(yes), note: dim(dot), warning: yellow(warning), bad: red(no) }[state]
  const label = `  ${padEnd(sign, 2)} ${padEnd(about, 10)} `
  const lines = wrap(text, output.width - widthOf(label))
  return lines.map((line, index) => (index === 0 ? label : ' '.repeat(widthOf(label))) + line)
}
