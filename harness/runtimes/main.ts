/** npm run test:runtimes: `fit` in a browser and on the edge, compared with Node. */
import { option, part, runHarness } from '../kernel/command.ts'
import { jsonCases } from './cases.ts'
import { startChromium } from './chromium.ts'
import { compareWithNode } from './compare.ts'
import { startBare, startEdgeRuntime } from './edge.ts'

const runtimes = { chromium: startChromium, edge: startEdgeRuntime, bare: startBare }

process.exitCode = await runHarness({
  script: 'test:runtimes',
  unnamed: ['histories'],
  parts: {
    histories: part(
      'The same histories, the same bytes.',
      {
        histories: option.number(200, 'histories, each in up to two windows'),
        seed: option.seed(1),
        only: option.text('the runtime', Object.keys(runtimes)),
      },
      async ({ histories, seed, only }, print) => {
        const cases = await jsonCases(histories, seed)
        const findings = []
        for (const [name, start] of Object.entries(runtimes)) {
          if (only !== null && only !== name) continue
          const runtime = await start()
          try {
            const compared = await compareWithNode(runtime, cases)
            findings.push(...compared.findings)
            const { same, compacted, bytes } = compared
            print(
              `${runtime.name}: ${same} of ${cases.length} histories equal (${bytes} bytes, ${compacted} compactions)`,
            )
          } finally {
            await runtime.stop()
          }
        }
        return { findings, total: `${cases.length} histories` }
      },
    ),
  },
})
