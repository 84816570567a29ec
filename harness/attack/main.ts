/** npm run test:attack: attacks our promises from outside. `npm run mutants -- attack` plants bugs. */
import { option, part, runHarness } from '../kernel/command.ts'
import type { Finding } from '../kernel/finding.ts'
import { attacks } from './attacks.ts'

process.exitCode = await runHarness({
  script: 'test:attack',
  unnamed: ['attacks'],
  parts: {
    attacks: part(
      'Through the public API, the command line and the files.',
      {
        only: option.text(
          'run only the attack with this name',
          attacks.map(({ name }) => name),
        ),
        seed: option.seed(),
      },
      async ({ only, seed }, print) => {
        const found: Finding[] = []
        let cases = 0
        for (const { name, run } of attacks.filter((each) => each.name === (only ?? each.name))) {
          const { probes, findings } = await run({ seed, whole: true })
          const broken = probes === 0 ? ['no case ran: the harness is broken'] : findings
          cases += probes
          print(`${name.padEnd(20)} ${probes} cases, ${broken.length} findings`)
          const rerun = `--only ${name} --seed ${seed}`
          found.push(...broken.map((detail) => ({ rule: name, detail, rerun })))
        }
        return { findings: found, total: `${cases} cases` }
      },
    ),
  },
})
