/** Looks whether all is well: Node, SQLite, the store and all that must hold in it, keys, models. */
import { isThroughlineError } from '../../errors.ts'
import type { Arguments, Command } from '../command.ts'
import { bad, type CheckedFile, checkFile, type Finding, sound } from '../doctor/check-file.ts'
import { checkKeys, checkModel, checkRuntime, checkStore } from '../doctor/check-runtime.ts'
import { done, errorText, notDone } from '../ending.ts'
import { tryEngine } from '../open-engine.ts'
import { refuseForeign } from '../open-store.ts'
import { padEnd, wrap } from '../screen/cells.ts'
import { counted } from '../screen/numbers.ts'
import { styleOf } from '../screen/style.ts'
import { tell } from '../screen/tell.ts'
import { type FoundSettings, readSettings } from '../settings/read-settings.ts'
import type { CliSettings } from '../settings/setting-fields.ts'
import type { Output, World } from '../world.ts'

export const doctor: Command = {
  usage: ['doctor [--online] [--quick]'],
  about: [
    'Reads every message and checks it against its hashes, which takes a moment for a large store; --quick leaves that out. Changes nothing. Keys are looked for and never shown.',
  ],
  options: {
    online: { says: 'also whether the model can be reached' },
    quick: { says: 'the file alone, without its messages' },
  },
  settings: ['store', 'model', 'summarizer', 'baseUrl'],
  examples: [
    ['doctor', 'whether all is well here'],
    ['doctor --online', 'and whether the model answers'],
    ['doctor --quick --json', 'for programs'],
  ],
  run: async (args, world) => {
    const findings = await lookAtAll(args, world)
    const wrong = findings.filter(({ state }) => state === 'bad').length
    await tell(args, world, {
      json: { sound: wrong === 0, findings },
      lines: () => findings.flatMap((finding) => linesOf(finding, world.stdout)),
    })
    return wrong === 0
      ? done
      : notDone('UNSOUND', `${counted(wrong, 'thing is', 'things are')} not well`)
  },
}

async function lookAtAll(args: Arguments, world: World): Promise<readonly Finding[]> {
  const runtime = checkRuntime()
  const settings = settingsOf(args, world)
  if ('finding' in settings) return [...runtime, settings.finding]
  const { values } = settings.found
  const file = ownFile(settings.found, world, { rows: !args.has('quick') })
  return [
    ...runtime,
    await checkSettings(values),
    ...file.findings,
    ...(file.readable && !args.has('quick')
      ? await lookAtStore(settings.found, file.tenants, world)
      : []),
    ...checkKeys(values, world),
    ...(args.has('online') ? await checkModel(values, world) : []),
  ]
}

/** One that no command would open is not opened here either. */
function ownFile(
  found: FoundSettings,
  world: World,
  options: Parameters<typeof checkFile>[1],
): CheckedFile {
  try {
    refuseForeign(found, world)
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return { findings: [bad('store', errorText(cause))], readable: false, tenants: [] }
  }
  return checkFile(found.values.store, options)
}

/** A file that is sound may still be one that this release cannot read. */
async function lookAtStore(...asked: Parameters<typeof checkStore>): Promise<readonly Finding[]> {
  try {
    return await checkStore(...asked)
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return [bad('store', errorText(cause))]
  }
}

function settingsOf(
  args: Arguments,
  world: World,
): { readonly found: FoundSettings } | { readonly finding: Finding } {
  try {
    return { found: readSettings(args, world) }
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return { finding: bad('settings', cause.message) }
  }
}

async function checkSettings(values: CliSettings): Promise<Finding> {
  try {
    await tryEngine(values)
    return sound('settings', 'can be read')
  } catch (cause) {
    if (!isThroughlineError(cause)) throw cause
    return bad('settings', cause.message)
  }
}

function linesOf({ about, state, text }: Finding, output: Output): readonly string[] {
  const { dim, green, yellow, red, yes, no, dot, warning } = styleOf(output)
  const sign = { sound: green(yes), note: dim(dot), warning: yellow(warning), bad: red(no) }[state]
  const column = 10
  const [first = '', ...rest] = wrap(text, output.width - column - 6)
  const indent = ' '.repeat(column + 6)
  return [
    `  ${padEnd(sign, 2)} ${padEnd(about, column)} ${first}`,
    ...rest.map((line) => `${indent}${line}`),
  ]
}
