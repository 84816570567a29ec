/** npm run test:server: the server against wrong, random and many requests, and killed. */
import { overHttp } from '../../packages/server/test/over-http.ts'
import { option, part, runHarness } from '../kernel/command.ts'
import { figuresLine } from '../kernel/finding.ts'
import { plantedPart } from '../kernel/planted.ts'
import { runAddresses } from './addresses.ts'
import { plantedFuzz, runFuzz } from './fuzz.ts'
import { plantedTenants, runIsolation } from './isolation.ts'
import { plantedKills, runKills } from './kill.ts'
import { loadFindings, runLoad } from './load.ts'
import { runMatrix } from './matrix.ts'

const seed = option.seed()

process.exitCode = await runHarness({
  script: 'test:server',
  unnamed: [],
  parts: {
    matrix: part(
      'Every operation with every kind of wrong request.',
      { wire: option.flag('over loopback connections, not in this process') },
      async ({ wire }) => {
        const { findings, figures } = await runMatrix({ over: wire ? overHttp : undefined })
        return { findings, total: figuresLine(figures) }
      },
    ),
    addresses: part('Addresses in every field: the server opens none.', {}, async () => {
      const { findings, figures } = await runAddresses()
      return { findings, total: figuresLine(figures) }
    }),
    isolation: part(
      'Every operation of a tenant, alone and beside another one with the same ids.',
      { store: option.text('memory unless given', ['memory', 'sqlite']) },
      async ({ store }) => {
        const { findings, figures } = await runIsolation({
          store: store === 'sqlite' ? 'sqlite' : 'memory',
        })
        return { findings, total: figuresLine(figures) }
      },
    ),
    fuzz: part(
      'Random requests, made from the OpenAPI document.',
      { requests: option.number(20_000, 'requests'), seed },
      async (asked) => {
        const { findings, figures } = await runFuzz(asked)
        return { findings, total: figuresLine(figures) }
      },
    ),
    kill: part(
      'Kills a server under load, and checks what was acknowledged.',
      { kills: option.number(50, 'kills'), seed },
      async ({ kills, seed: given }) => {
        const { findings, figures } = await runKills({ kills, seed: given })
        return { findings, total: figuresLine(figures) }
      },
    ),
    load: part(
      'Many connections on conversations of many lengths, beside a bare insert.',
      {
        seconds: option.number(300, 'duration'),
        connections: option.number(200, 'connections'),
        largest: option.number(100_000, 'messages of the largest conversation'),
        rate: option.number(100, 'requests per second of all connections together'),
        folder: option.text('keeps the conversations, for another run'),
        seed,
      },
      async (asked, print) => {
        const report = await runLoad(asked, print)
        print(JSON.stringify(report, null, 2))
        const { requests, perSecond, errors } = report
        const total = `${requests} requests, ${perSecond} per second, ${errors} errors`
        return { findings: loadFindings(report), total }
      },
    ),
    planted: plantedPart([...plantedTenants, ...plantedFuzz, ...plantedKills]),
  },
})
