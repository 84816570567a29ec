/** npm run test:gateway: sessions, identity, bytes, cut streams and kills of the gateway. */
import { option, part, runHarness } from '../kernel/command.ts'
import { figuresLine } from '../kernel/finding.ts'
import { plantedPart } from '../kernel/planted.ts'
import { runBytes } from './bytes.ts'
import { runCuts } from './cuts.ts'
import { plantedIdentity, runIdentity } from './identity.ts'
import { runGatewayKills } from './kills.ts'
import { runSessions, sessionNames } from './sessions.ts'

const seed = option.seed()

interface Report {
  readonly findings: Awaited<ReturnType<typeof runSessions>>['findings']
  readonly figures: Readonly<Record<string, number>>
}

const reported = async (report: Promise<Report>) => {
  const { findings, figures } = await report
  return { findings, total: figuresLine(figures) }
}

process.exitCode = await runHarness({
  script: 'test:gateway',
  unnamed: [],
  parts: {
    sessions: part(
      'Sessions with tools through SDKs, before a strict upstream with a window of 16,000 tokens.',
      { turns: option.number(300, 'turns'), api: option.text('all unless given', sessionNames) },
      ({ turns, api }) => {
        const sessions = sessionNames.filter((each) => api === null || each === api)
        return reported(runSessions({ turns, sessions }))
      },
    ),
    identity: part(
      'Histories as clients change them: which conversation is it?',
      { histories: option.number(1000, 'histories'), seed },
      (asked) => reported(runIdentity(asked)),
    ),
    bytes: part(
      'Random requests with nothing to compact.',
      { requests: option.number(10_000, 'requests'), seed },
      (asked) => reported(runBytes(asked)),
    ),
    cuts: part(
      'Answers that are cut at random places.',
      { cuts: option.number(500, 'cuts'), seed },
      (asked) => reported(runCuts(asked)),
    ),
    kills: part(
      'Kills the gateway under load.',
      { kills: option.number(50, 'kills'), seed },
      (asked) => reported(runGatewayKills(asked)),
    ),
    planted: plantedPart(plantedIdentity),
  },
})
