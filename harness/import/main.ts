/** npm run test:import: imports a large transcript, kills the import half way, and imports again. */
import { option, part, runHarness } from '../kernel/command.ts'
import { runImport } from './run-import.ts'

process.exitCode = await runHarness({
  script: 'test:import',
  unnamed: ['import'],
  parts: {
    import: part(
      'Imports a generated transcript through the command line, in a separate process.',
      {
        megabytes: option.number(64, 'size of the transcript in MB'),
        seed: option.seed(1),
        most: option.number(300, 'maximum memory of an import in MB'),
      },
      async ({ megabytes, seed, most }, print) => {
        const bytes = megabytes * 1_048_576
        const { problems, whole, resumed, again } = await runImport({ bytes, seed, print })
        const peak = Math.max(...[whole, resumed, again].map(({ peakMegabytes }) => peakMegabytes))
        const findings = problems.map((detail) => ({ rule: 'import', detail }))
        if (peak > most) findings.push({ rule: 'memory', detail: `${peak} MB, more than ${most}` })
        const speed = (bytes / 1e6 / whole.seconds).toFixed(1)
        return { findings, total: `${megabytes} MB at ${speed} MB/s, peak ${peak} MB` }
      },
    ),
  },
})
