/** npm run bench -- <measure> [--data DIR] [--json] */
import { parseArgs } from 'node:util'
import { errorTable, isThroughlineError } from '../errors.ts'
import { bench, type MeasureName, measures, table } from './index.ts'

const usage = `npm run bench -- <measure> [--data DIR] [--json]

${Object.entries(measures)
  .map(([name, { shows }]) => `  ${name.padEnd(12)} ${shows}`)
  .join('\n')}

  --data DIR   a folder of transcripts to measure on
  --json       one JSON object { measure, policyHash, rows } instead of a table
`

try {
  const { values, positionals } = parseArgs({
    options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [name] = positionals
  if (name === undefined || !Object.hasOwn(measures, name)) fail(usage, 64)
  else {
    // Checked just above: the name is one of the table's.
    const report = await bench(name as MeasureName, {
      dataDir: values.data ?? null,
      progress: (line) => console.error(line),
    })
    console.log(values.json ? JSON.stringify(report) : table(report))
  }
} catch (error) {
  if (isThroughlineError(error))
    fail(`${error.code}: ${error.message}`, errorTable[error.code].exitCode)
  else if ((error as { code?: unknown }).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION')
    fail(`${error}\n\n${usage}`, 64)
  else throw error
}

function fail(message: string, exitCode: number): void {
  console.error(message)
  process.exitCode = exitCode
}
