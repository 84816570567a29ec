/** npm run test:crash -- --kills 200 [--seed 1] [--plant ack-first] */
import { parseArgs } from 'node:util'
import { crash } from './crash.ts'

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    plant: { type: 'string' },
  },
})

const seed = Number(values.seed)
console.log(`seed ${seed}, ${values.kills} kills`)
const report = await crash({
  kills: Number(values.kills),
  seed,
  plant: values.plant,
  onKill: (kill, acknowledged) => {
    if (process.stdout.isTTY)
      process.stdout.write(`\rkill ${kill}, ${acknowledged + 1} turns acknowledged `)
  },
})
if (process.stdout.isTTY) process.stdout.write('\n')
for (const problem of report.problems.slice(0, 10)) console.log(problem)
console.log(
  `${report.kills} kills, ${report.acknowledgedTurns} turns acknowledged, ${report.messages} messages: ` +
    `${report.lost} lost, ${report.duplicates} duplicates, ${report.torn} torn, ` +
    `integrity ${report.problems.length === 0 ? 'ok' : 'broken'}`,
)
process.exitCode = report.sound ? 0 : 1
