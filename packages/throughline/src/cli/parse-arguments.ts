/** From words to arguments: Node's own parser, and sentences about what it does not take. */
import { parseArgs } from 'node:util'
import { nearest } from '../domain/text.ts'
import { type Arguments, type Command, type CommandOption, typedCommand } from './command.ts'
import { WrongUsage } from './ending.ts'
import { settingFields } from './settings/setting-fields.ts'
import type { World } from './world.ts'

export const commonOptions: Readonly<Record<string, CommandOption>> = {
  json: { says: 'one JSON document instead of text' },
  help: { short: 'h', says: 'this text' },
}

export function optionsOf({ options, settings }: Command): Readonly<Record<string, CommandOption>> {
  const flags = settings.map((name) => {
    const { flag, value, says } = settingFields[name]
    return [flag, { value, says }] as const
  })
  return { ...options, ...Object.fromEntries(flags), ...commonOptions }
}

export function parseArguments(
  name: string,
  command: Command,
  words: readonly string[],
  world: Pick<World, 'env'>,
): Arguments {
  const options = optionsOf(command)
  const help = `${typedCommand(`${name} --help`, world)} lists them`
  const { values, positionals } = parsed(options, words, help)
  return {
    positionals,
    json: values['json'] === true,
    has: (option) => values[option] !== undefined,
    text: (option) => {
      const value = values[option]
      return typeof value === 'string' ? value : null
    },
    all: (option) => {
      const value = values[option]
      return Array.isArray(value) ? value.map(String) : []
    },
    number: (option) => {
      const value = values[option]
      if (typeof value !== 'string') return null
      const number = wholeNumber(value)
      if (number === null)
        throw new WrongUsage(`--${option} takes a whole number, as 32000 or 32k, not "${value}"`)
      return number
    },
  }
}

/** As people write them: `32000`, `32,000`, `32_000`, `32k`, `1M`. Null where it is none. */
function wholeNumber(text: string): number | null {
  const match = /^(\d{1,15}|\d{1,3}(?:[,_]\d{3}){1,4})([km]?)$/i.exec(text)
  if (match === null) return null
  const [, digits = '', unit = ''] = match
  const times = { '': 1, k: 1_000, m: 1_000_000 }[unit.toLowerCase()] ?? 1
  const number = Number(digits.replace(/[,_]/g, '')) * times
  return Number.isSafeInteger(number) ? number : null
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

function parsed(
  options: Readonly<Record<string, CommandOption>>,
  words: readonly string[],
  help: string,
): Parsed {
  const config = Object.entries(options).map(([name, { value, short, many }]) => [
    name,
    {
      type: value === undefined ? ('boolean' as const) : ('string' as const),
      ...(short && { short }),
      ...(many && { multiple: true }),
    },
  ])
  try {
    return parseArgs({
      args: [...words],
      options: Object.fromEntries(config),
      allowPositionals: true,
    })
  } catch (error) {
    throw new WrongUsage(explained(error, options, help))
  }
}

function explained(
  error: unknown,
  options: Readonly<Record<string, CommandOption>>,
  help: string,
): string {
  const message = error instanceof Error ? error.message : String(error)
  const dashed = / argument is ambiguous.*'--([\w-]+)=-XYZ'/s.exec(message)?.[1]
  if (dashed !== undefined)
    return `--${dashed} takes a value; one that begins with a dash is written --${dashed}=-…`
  const without = /^Option '.*--([\w-]+) <value>' argument missing/.exec(message)?.[1] ?? ''
  const option = Object.hasOwn(options, without) ? options[without] : undefined
  if (option !== undefined) return `--${without} takes ${option.value}: ${option.says}`
  const unknown = /^Unknown option '(-+)([^']*)'/.exec(message)
  if (unknown === null) return message.split(/\. (?=[A-Z])/)[0] ?? message
  const meant = nearest(unknown[2] ?? '', Object.keys(options))
  const hint = meant === null ? '' : ` did you mean --${meant}?`
  return `there is no option ${unknown[1]}${unknown[2]};${hint} ${help}`
}
