/** npm run test:history -- pins [--chains 1000] [--seed 1] */
import { type PinFigures, runPins } from './run-pins.ts'
import { timesAndSeed } from './times-and-seed.ts'

const chainsAtOnce = 50

export async function pinsCommand(options: readonly string[]): Promise<number> {
  const { times: chains, seed } = timesAndSeed(options, { option: 'chains', times: 100 })
  const started = performance.now()
  let findings = 0
  let all: PinFigures | null = null
  for (let done = 0; done < chains; done += chainsAtOnce) {
    const share = { seed, from: done, to: Math.min(chains, done + chainsAtOnce) }
    const report = await runPins(share)
    findings += report.findings.length
    for (const { rule, detail } of report.findings.slice(0, 3))
      console.log(`${rule}: ${detail.slice(0, 300)}`)
    all = all === null ? report.figures : added(all, report.figures)
    const seconds = Math.round((performance.now() - started) / 1_000)
    console.log(`${share.to} of ${chains} chains, ${findings} findings, ${seconds} s`)
  }
  const figures = Object.entries(all ?? {}).map(([figure, count]) => `${count} ${figure}`)
  console.log(`seed ${seed}: ${figures.join(', ')}; ${findings} findings`)
  return findings
}

function added(one: PinFigures, other: PinFigures): PinFigures {
  const sums = Object.entries(one).map(([name, count]) => [
    name,
    count + other[name as keyof PinFigures],
  ])
  return Object.fromEntries(sums) as PinFigures
}
