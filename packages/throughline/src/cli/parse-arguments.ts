/** From words to arguments: Node's own parser, and sentences about what it does not take. */
import { parseArgs } from 'node:util'
import type { Arguments, Command, CommandOption } from './command.ts'
import { WrongUsage } from './ending.ts'
import { nearest } from './nearest.ts'
import { settingFields } from './settings/setting-fields.ts'

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

export function parseArguments(command: Command, words: readonly string[]): Arguments {
  const options = optionsOf(command)
  const { values, positionals } = parsed(options, words)
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
      if (!/^\d{1,15}$/.test(value))
        throw new WrongUsage(`--${option} takes a whole number, not "${value}"`)
      return Number(value)
    },
  }
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>
  readonly positionals: readonly string[]
}

function parsed(
  options: Readonly<Record<string, CommandOption>>,
  words: readonly string[],
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
    throw new WrongUsage(explained(error, Object.keys(options)))
  }
}

function explained(error: unknown, names: readonly string[]): string {
  const message = error instanceof Error ? error.message : String(error)
  const dashed = / argument is ambiguous.*'--([\w-]+)=-XYZ'/s.exec(message)?.[1]
  if (dashed !== undefined)
    return `--${dashed} takes a value; one that begins with a dash is written --${dashed}=-…`
  const unknown = /^Unknown option '(-+)([^']*)'/.exec(message)
  if (unknown === null) return message.split(/\. (?=[A-Z])/)[0] ?? message
  const meant = nearest(unknown[2] ?? '', names)
  const hint = meant === null ? '' : `; did you mean --${meant}?`
  return `there is no option ${unknown[1]}${unknown[2]}${hint}`
}
