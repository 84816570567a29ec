/**
 * The command line of a harness: a table of parts, each with its options and a function that runs it.
 * This file checks options, prints help, findings and duration, and sets the exit code.
 */
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { type Finding, type Print, printFindings } from './finding.ts'

type Option =
  | { readonly kind: 'number'; readonly fallback: number; readonly says: string }
  | { readonly kind: 'number-or-none'; readonly says: string }
  | { readonly kind: 'text'; readonly oneOf: readonly string[] | null; readonly says: string }
  | { readonly kind: 'flag'; readonly says: string }

type OptionTable = Readonly<Record<string, Option>>

type ValueOf<Given extends Option> = {
  readonly number: number
  readonly 'number-or-none': number | null
  readonly text: string | null
  readonly flag: boolean
}[Given['kind']]

type Values<Table extends OptionTable> = { readonly [Name in keyof Table]: ValueOf<Table[Name]> }

export const option = {
  number: (fallback: number, says: string) => ({ kind: 'number', fallback, says }) as const,
  numberOrNone: (says: string) => ({ kind: 'number-or-none', says }) as const,
  text: (says: string, oneOf: readonly string[] | null = null) =>
    ({ kind: 'text', oneOf, says }) as const,
  flag: (says: string) => ({ kind: 'flag', says }) as const,
  /** Another seed with every run, unless one is given. */
  seed: (fallback = Date.now() % 1_000_000_000) =>
    option.number(fallback, 'seed of all random choices; the same seed repeats the run'),
  threads: () => option.number(availableParallelism(), 'number of threads'),
} as const

/** The result of a part: its findings, and the work done, for the last line. */
export interface Outcome {
  readonly findings: readonly Finding[]
  readonly total: string
}

export interface Part {
  readonly says: string
  readonly options: OptionTable
  run(values: Readonly<Record<string, unknown>>, print: Print): Promise<Outcome>
}

export function part<const Table extends OptionTable>(
  says: string,
  options: Table,
  run: (values: Values<Table>, print: Print) => Promise<Outcome>,
): Part {
  return { says, options, run: (values, print) => run(values as Values<Table>, print) }
}

export interface HarnessCommand {
  /** The name of the npm script. */
  readonly script: string
  readonly parts: Readonly<Record<string, Part>>
  /** The parts that run if none is named; if empty, one must be named. */
  readonly unnamed: readonly string[]
}

const usageExitCode = 64

/** Runs the named parts and returns the exit code. */
export async function runHarness(
  command: HarnessCommand,
  words: readonly string[] = process.argv.slice(2),
  print: Print = (line) => console.log(line),
): Promise<number> {
  const asked = parseWords(command, words)
  if (typeof asked === 'string') {
    print([...(asked === '' ? [] : [asked, '']), helpText(command)].join('\n'))
    return asked === '' ? 0 : usageExitCode
  }
  let found = 0
  for (const { name, values } of asked) {
    const { [name]: one } = command.parts
    if (one === undefined) continue
    const rerun = [...nameIn(command, name), ...optionWords(values)].join(' ')
    print(`npm run ${command.script} -- ${rerun}`)
    const started = performance.now()
    const { findings, total } = await one.run(values, print)
    found += findings.length
    printFindings(findings, command.script, { rerun, print })
    const seconds = Math.round((performance.now() - started) / 1_000)
    print(`${total}, ${findings.length} findings, ${seconds} s`)
  }
  return found === 0 ? 0 : 1
}

interface AskedPart {
  readonly name: string
  readonly values: Readonly<Record<string, number | string | boolean | null>>
}

/** The parts to run, an error text, or null if help was requested. */
function parseWords(
  { parts, unnamed }: HarnessCommand,
  words: readonly string[],
): readonly AskedPart[] | string {
  if (words.includes('--help') || words.includes('-h')) return ''
  const named = words.filter((word) => Object.hasOwn(parts, word))
  const names = named.length === 0 ? unnamed : named
  if (names.length === 0) return `name a part: ${Object.keys(parts).join(', ')}`
  const options = Object.assign({}, ...names.map((name) => parts[name]?.options)) as OptionTable
  try {
    const types = Object.entries(options).map(([name, { kind }]) => [
      name,
      { type: kind === 'flag' ? 'boolean' : 'string' } as const,
    ])
    const parsed = parseArgs({
      args: [...words],
      options: Object.fromEntries(types),
      allowPositionals: true,
    })
    const values: Readonly<Record<string, unknown>> = parsed.values
    const unknown = parsed.positionals.find((word) => !names.includes(word))
    if (unknown !== undefined) return `unknown part "${unknown}"`
    const checked = Object.fromEntries(
      Object.entries(options).map(([name, each]) => [name, checkedValue(name, each, values[name])]),
    )
    return names.map((name) => {
      const own = Object.keys(parts[name]?.options ?? {})
      return { name, values: Object.fromEntries(own.map((each) => [each, checked[each] ?? null])) }
    })
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

function checkedValue(
  name: string,
  given: Option,
  value: unknown,
): number | string | boolean | null {
  if (given.kind === 'flag') return value === true
  if (value === undefined) return given.kind === 'number' ? given.fallback : null
  const text = String(value)
  if (given.kind === 'text') {
    if (given.oneOf === null || given.oneOf.includes(text)) return text
    throw new Error(`--${name} must be one of ${given.oneOf.join(', ')}, not "${text}"`)
  }
  const number = /^\d+$/.test(text) ? Number(text) : Number.NaN
  if (!Number.isSafeInteger(number))
    throw new Error(`--${name} must be a whole number, not "${text}"`)
  return number
}

function optionWords(values: AskedPart['values']): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === null || value === false) return []
    return value === true ? [`--${name}`] : [`--${name} ${value}`]
  })
}

/** A part needs no name if it is the only one, or runs by default. */
function nameIn({ unnamed }: HarnessCommand, name: string): readonly string[] {
  return unnamed.length === 1 && unnamed[0] === name ? [] : [name]
}

function helpText(command: HarnessCommand): string {
  const blocks = Object.entries(command.parts).map(([name, { says, options }]) =>
    [
      ['npm run', command.script, '--', ...nameIn(command, name), '[options]'].join(' '),
      `  ${says}`,
      ...Object.entries(options).map(([each, given]) => optionHelp(each, given)),
    ].join('\n'),
  )
  return blocks.join('\n\n')
}

function optionHelp(name: string, given: Option): string {
  const word = given.kind === 'flag' ? '' : given.kind === 'text' ? ' NAME' : ' N'
  const fallback = given.kind === 'number' ? ` (${given.fallback})` : ''
  return `    ${`--${name}${word}`.padEnd(18)} ${given.says}${fallback}`
}
