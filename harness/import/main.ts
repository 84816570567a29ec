/** npm run test:import -- --megabytes 1024 [--seed 1] [--most 300] */
import { parseArgs } from 'node:util'
import { runImport } from './run-import.ts'

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '64' },
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '300' },
  },
})

const bytes = Number(values.megabytes) * 1_048_576
const { problems, whole, resumed, again } = await runImport({
  bytes,
  seed: Number(values.seed),
  tell: (line) => console.log(line),
})
const peak = Math.max(...[whole, resumed, again].map(({ peakMegabytes }) => peakMegabytes))
if (peak > Number(values.most)) problems.push(`peak memory ${peak} MB, more than ${values.most}`)
for (const problem of problems) console.log(problem)
console.log(
  `${values.megabytes} MB at ${(bytes / 1e6 / whole.seconds).toFixed(1)} MB/s, peak ${peak} MB: ${problems.length === 0 ? 'ok' : 'NOT ok'}`,
)
process.exitCode = problems.length === 0 ? 0 : 1
