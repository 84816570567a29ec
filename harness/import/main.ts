/** npm run test:import: a large transcript, imported once, killed half way, and imported again. */
import { option, part, runHarness } from '../kernel/command.ts'
import { runImport } from './run-import.ts'

process.exitCode = await runHarness({
  script: 'test:import',
  unnamed: ['import'],
  parts: {
    import: part(
      'A generated transcript through the command line, in a process of its own.',
      {
        megabytes: option.number(64, 'the size of the transcript'),
        seed: option.seed(1),
        most: option.number(300, 'the most memory that an import may take, in MB'),
      },
      async ({ megabytes, seed, most }, print) => {
        const bytes = megabytes * 1_048_576
        const { problems, whole, resumed, again } = await runImport({ bytes, seed, tell: print })
        const peak = Math.max(...[whole, resumed, again].map(({ peakMegabytes }) => peakMegabytes))
        const findings = problems.map((detail) => ({ rule: 'import', detail }))
        if (peak > most) findings.push({ rule: 'memory', detail: `${peak} MB, more than ${most}` })
        const speed = (bytes / 1e6 / whole.seconds).toFixed(1)
        return { findings, total: `${megabytes} MB at ${speed} MB/s, peak ${peak} MB` }
      },
    ),
  },
})
