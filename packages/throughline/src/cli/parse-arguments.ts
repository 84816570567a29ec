/** Parses the words of a command with Node's own parser, with better error messages. */
import { parseArgs } from 'node:util'
import { nearest } from '../domain/text.ts'
import { type Arguments, type CommandForm, typedCommand } from './command.ts'
import { UsageError } from './exit-result.ts'
import { settingFields } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export function generalOptions(command: CommandForm): CommandForm['options'] {
  const { settings = ['store', 'tenant'] } = command
  return {
    ...Object.fromEntries(settings.map((name) => [settingFields[name].flag, settingFields[name]])),
    json: { says: 'print one JSON document instead of text' },
    help: { short: 'h', says: 'show this help' },
  }
}

export function parseArguments(
  name: string,
  command: CommandForm,
  words: readonly string[],
  world: Pick<World, 'env'>,
): Arguments {
  const options = { ...command.options, ...generalOptions(command) }
  const help = typedCommand(`${name} --help`, world)
  const { values, positionals } = parseWords(options, words, help)
  const text = (option: string) => {
    const value = values[option]
    return typeof value === 'string' ? value : null
  }
  return {
    positionals,
    json: values['json'] === true,
    has: (option) => values[option] !== undefined,
    text,
    number: (option) => {
      const value = text(option)
      const number = value === null ? null : wholeNumber(value)
      if (value !== null && number === null)
        throw new UsageError(
          `--${option} needs a whole number such as 32000 or 32k; got "${value}"`,
        )
      return number
    },
    choice: (option, names) => {
      const value = text(option)
      const named = names.find((name) => name === value) ?? null
      if (value !== null && named === null)
        throw new UsageError(`unknown ${option} "${value}"; use one of ${names.join(', ')}`)
      return named
    },
  }
}

/** Accepts `32000`, `32,000`, `32_000`, `32k`, `1M`. */
function wholeNumber(text: string): number | null {
  const match = /^(\d{1,15}|\d{1,3}(?:[,_]\d{3}){1,4})([km]?)$/i.exec(text)
  if (match === null) return null
  const [, digits = '', unit = ''] = match
  const times = { '': 1, k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1
  const number = Number(digits.replace(/[,_]/g, '')) * times
  return Number.isSafeInteger(number) ? number : null
}

function parseWords(
  options: CommandForm['options'],
  words: readonly string[],
  help: string,
): { readonly values: Readonly<Record<string, unknown>>; readonly positionals: string[] } {
  const config = Object.entries(options).map(([name, { value, short }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const)
    return [name, { type, ...(short && { short }) }]
  })
  const known = Object.fromEntries(config)
  try {
    return parseArgs({ args: [...words], options: known, allowPositionals: true })
  } catch (error) {
    throw new UsageError(explainParseError(error, options, help))
  }
}

function explainParseError(error: unknown, options: CommandForm['options'], help: string): string {
  const message = error instanceof Error ? error.message : String(error)
  const dashed = / argument is ambiguous.*'--([\w-]+)=-XYZ'/s.exec(message)?.[1]
  if (dashed !== undefined)
    return `--${dashed} needs a value; write a value that starts with a dash as --${dashed}=-…`
  const without = /^Option '.*--([\w-]+) <value>' argument missing/.exec(message)?.[1] ?? ''
  const option = Object.hasOwn(options, without) ? options[without] : undefined
  if (option !== undefined) return `--${without} needs a value: ${option.value}, ${option.says}`
  const unknown = /^Unknown option '(-+)([^']*)'/.exec(message)
  if (unknown === null) return message.split(/\. (?=[A-Z])/)[0] ?? message
  const meant = nearest(unknown[2] ?? '', Object.keys(options))
  const hint = meant === null ? 'options:' : `did you mean --${meant}? Options:`
  return `unknown option ${unknown[1]}${unknown[2]}; ${hint} ${help}`
}
