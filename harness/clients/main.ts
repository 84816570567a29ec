/** npm run test:clients: real coding agents, unchanged, through the gateway. */
import { option, type Part, part, runHarness } from '../kernel/command.ts'
import { type Figures, figuresLine } from '../kernel/finding.ts'
import { type CodingAgentName, codingAgents } from './coding-agents.ts'
import { runInEmptyHome } from './empty-home.ts'
import { writeFixture } from './fixtures.ts'
import { installed } from './install.ts'
import { withoutNetwork } from './offline.ts'
import { runClientSession } from './session.ts'

const options = {
  keep: option.text(
    'a folder for what was sent; it holds the vendors’ prompts, so keep it to yourself',
  ),
  requests: option.number(60, 'requests to models of each client, at the least'),
  alone: option.numberOrNone(
    'without the gateway, before a service with a window of this many tokens',
  ),
  quiet: option.flag('without a compaction that the user asks for'),
}

const words = process.argv.slice(2)
const named = Object.entries(codingAgents).filter(([name]) => words.includes(name))
const asked =
  named.length > 0 || words.some((word) => ['home', 'fixture'].includes(word))
    ? named
    : Object.entries(codingAgents)
if (!words.includes('--help')) for (const [, agent] of asked) await installed(agent.package)

const total = (skipped: string | null, figures: Figures) =>
  skipped === null ? figuresLine(figures) : `skipped: ${skipped}`

const agentParts = Object.entries(codingAgents).map(
  ([client, { package: npm }]): readonly [string, Part] => [
    client,
    part(
      `${npm.name} ${npm.version}.`,
      options,
      async ({ requests, keep, alone, quiet }, print) => {
        const { findings, figures, skipped } = await runClientSession({
          ...{ client: client as CodingAgentName, requests, keep, print },
          ...{ aloneWithin: alone, compacts: !quiet && alone === null },
        })
        return { findings, total: total(skipped, figures) }
      },
    ),
  ],
)

const command = {
  script: 'test:clients',
  unnamed: Object.keys(codingAgents),
  parts: {
    ...Object.fromEntries(agentParts),
    fixture: part(
      'Writes the first requests of a folder of --keep as a fixture, without the words of the vendor.',
      {
        from: option.text('the folder'),
        to: option.text('the file'),
        requests: option.number(40, 'requests'),
      },
      async ({ from, to, requests }) => {
        if (from === null || to === null) throw new Error('fixture needs --from and --to')
        writeFixture(from, to, requests)
        return { findings: [], total: to }
      },
    ),
    home: part('`throughline run claude` from an empty home folder.', {}, async () => {
      const { findings, figures, skipped } = await runInEmptyHome()
      return { findings, total: total(skipped, figures) }
    }),
  },
}

process.exitCode = withoutNetwork() ?? (await runHarness(command))
