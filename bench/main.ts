/**
 * npm run bench -- [MEASURE] [--data DIR] [--sizes N,N] [--methods NAME,NAME] [--json]
 * npm run bench -- turn [--sizes N,N] [--windows N,N] [--turns N,N] [--durability full,normal]
 *
 * Runs one measure on the shipped policy and prints its rows. Without a measure, lists them.
 * Exit codes: 0 done, 64 usage error, 66 folder not found.
 */
import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type BenchProgress, bench, type Measure, type MeasureName, measures } from './index.ts'
import { drawTable, table } from './table.ts'

class UsageError extends Error {}

interface BenchCommand {
  readonly name: MeasureName
  readonly dataDir: string | null
  readonly sizes: readonly number[] | undefined
  readonly methods: readonly string[] | undefined
  readonly choices: Readonly<Record<string, readonly string[]>>
}

const choiceNames = ['windows', 'turns', 'durability'] as const

const { values, positionals } = parseOptions()

try {
  if (values.help || positionals.length === 0) listMeasures()
  else await runMeasure(parseCommand())
} catch (error) {
  if (!(error instanceof UsageError)) throw error
  console.error(error.message)
  process.exitCode = 64
}

function parseOptions() {
  try {
    return parseArgs({
      options: {
        data: { type: 'string' },
        sizes: { type: 'string' },
        methods: { type: 'string' },
        windows: { type: 'string' },
        turns: { type: 'string' },
        durability: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
      allowPositionals: true,
    })
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(64)
  }
}

function listMeasures(): void {
  const rows = Object.entries(measures).map(([name, { shows }]) => ({ name, shows }))
  if (values.json) console.log(JSON.stringify(rows))
  else {
    console.log('npm run bench -- MEASURE [--data DIR] [--sizes N,N] [--json]\n')
    for (const { name, shows } of rows) console.log(`${name.padEnd(12)} ${shows}`)
  }
}

async function runMeasure({ name, dataDir, ...chosen }: BenchCommand): Promise<void> {
  if (dataDir !== null && !statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) {
    console.error(`folder not found: ${values.data}`)
    process.exitCode = 66
    return
  }
  const report = await bench(name, { dataDir, ...chosen, progress: reportProgress(name) })
  if (values.json) {
    console.log(JSON.stringify(report))
    return
  }
  const { tables, wants }: Measure = measures[name]
  if (report.rows.length === 0)
    console.log(`Nothing to measure was found. ${wants ? `This measure needs ${wants}.` : ''}`)
  else if (tables === undefined) console.log(table(report))
  else
    for (const { title, columns, rows } of tables(report.rows))
      if (rows.length > 0) console.log(`${title}\n\n${drawTable([columns, ...rows])}\n`)
}

/** Prints a line every two seconds to stderr, so that stdout stays valid JSON. */
function reportProgress(name: string): (progress: BenchProgress) => void {
  let reportedAt = performance.now()
  return ({ done, total, file }) => {
    if (performance.now() - reportedAt < 2_000) return
    reportedAt = performance.now()
    console.error(`bench ${name}: ${done} of ${total} files, now ${file}`)
  }
}

function parseCommand(): BenchCommand {
  const [name = '', extra] = positionals
  if (extra !== undefined) throw new UsageError(`choose one measure; unexpected "${extra}"`)
  if (!Object.hasOwn(measures, name))
    throw new UsageError(`unknown measure "${name}"; choose ${Object.keys(measures).join(', ')}`)
  const measure: Measure = measures[name as MeasureName]
  if (values.data === undefined && measure.data === 'needed')
    throw new UsageError(`bench ${name} needs a folder of transcripts: --data DIR`)
  if (values.data !== undefined && measure.data === 'none')
    throw new UsageError(`bench ${name} generates its own conversations: leave out --data`)
  return {
    name: name as MeasureName,
    dataDir: values.data === undefined ? null : resolve(values.data),
    sizes: parseSizes(name, measure),
    methods: parseMethods(name, measure),
    choices: parseChoices(name, measure),
  }
}

function parseSizes(name: string, { sizes }: Measure): BenchCommand['sizes'] {
  if (values.sizes === undefined) return undefined
  if (sizes === undefined) throw new UsageError(`bench ${name} has no option --sizes`)
  return values.sizes.split(',').map((word) => {
    if (!/^[1-9]\d{0,8}$/.test(word.trim()))
      throw new UsageError(`--sizes must be numbers, such as 8000,32000; not "${word}"`)
    return Number(word)
  })
}

function parseChoices(name: string, { choices = {} }: Measure): BenchCommand['choices'] {
  const chosen: Record<string, readonly string[]> = {}
  for (const choice of choiceNames) {
    const words = values[choice]?.split(',').map((word) => word.trim())
    if (words === undefined) continue
    const known = choices[choice]
    if (known === undefined) throw new UsageError(`bench ${name} has no option --${choice}`)
    const unknown = words.find((word) => !known.includes(word))
    if (unknown !== undefined)
      throw new UsageError(`--${choice} must be among ${known.join(', ')}; not "${unknown}"`)
    chosen[choice] = words
  }
  return chosen
}

function parseMethods(name: string, { methods }: Measure): BenchCommand['methods'] {
  if (values.methods === undefined) return undefined
  if (methods === undefined) throw new UsageError(`bench ${name} has no option --methods`)
  const words = values.methods.split(',').map((word) => word.trim())
  const unknown = words.find((word) => !methods.includes(word))
  if (unknown !== undefined)
    throw new UsageError(`--methods must be among ${methods.join(', ')}; not "${unknown}"`)
  return words
}
