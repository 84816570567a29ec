/** npm run test:clients: real coding agents, unchanged, through the gateway. */
import { option, part, runHarness } from '../kernel/command.ts'
import { figuresLine } from '../kernel/finding.ts'
import { type CodingAgentName, codingAgents } from './coding-agents.ts'
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
const asked = named.length === 0 ? Object.entries(codingAgents) : named
if (!words.includes('--help')) for (const [, agent] of asked) await installed(agent.package)

const command = {
  script: 'test:clients',
  unnamed: Object.keys(codingAgents),
  parts: Object.fromEntries(
    Object.entries(codingAgents).map(
      ([
        name,
        {
          package: { name: npm, version },
        },
      ]) => [
        name,
        part(`${npm} ${version}.`, options, async ({ requests, keep, alone, quiet }, print) => {
          const client = name as CodingAgentName
          const { findings, figures, skipped } = await runClientSession({
            client,
            requests,
            keep,
            aloneWithin: alone,
            compacts: !quiet && alone === null,
            print,
          })
          return {
            findings,
            total: skipped === null ? figuresLine(figures) : `skipped: ${skipped}`,
          }
        }),
      ],
    ),
  ),
}

process.exitCode = withoutNetwork() ?? (await runHarness(command))
