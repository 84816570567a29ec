/** npm run test:attack -- [--only foreign-files] [--seed 1] */
import { parseArgs } from 'node:util'
import { attacks } from './attacks.ts'

const { values } = parseArgs({
  options: {
    /** Only the attack of this name. */
    only: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000_000) },
  },
})

const seed = Number(values.seed)
const selected = attacks.filter(({ name }) => name === (values.only ?? name))
if (selected.length === 0 || !Number.isSafeInteger(seed))
  throw new Error(`--only takes one of ${attacks.map(({ name }) => name).join(', ')}`)

console.log(`seed ${seed}, ${selected.length} attacks`)
let total = 0
for (const attack of selected) {
  const started = performance.now()
  const { probes, findings } = await attack.run({ seed, whole: true })
  const broken = probes === 0 ? ['no case was tried: the harness is broken'] : findings
  total += broken.length
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  console.log(`${attack.name.padEnd(20)} ${probes} cases, ${broken.length} findings, ${seconds} s`)
  for (const finding of broken.slice(0, 20)) console.log(`  ${finding.slice(0, 400)}`)
}
console.log(`${total} findings`)
process.exitCode = total === 0 ? 0 : 1
