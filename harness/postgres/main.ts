/** npm run test:postgres: PostgreSQL under load, with processes that die, and its speed. */
import { option, part, runHarness } from '../kernel/command.ts'
import { figuresLine } from '../kernel/finding.ts'
import { runDifferential } from './differential.ts'
import { runHeld } from './held.ts'
import { runKills } from './kills.ts'
import { tryOperations } from './operations.ts'
import { runRacing } from './racing.ts'
import { measureSize } from './size.ts'
import { measureSpeed } from './speed.ts'
import { runWorkerKills } from './worker-kills.ts'

const seed = option.seed()

const differential = part(
  'Random commands on the memory store, SQLite and PostgreSQL: every outcome is compared.',
  { sequences: option.number(100, 'sequences of commands'), seed },
  async (asked, print) => {
    const { findings, ...figures } = await runDifferential(asked, print)
    return { findings, total: figuresLine(figures) }
  },
)

const compactions = part(
  'Processes that compact one conversation at once.',
  {
    compactions: option.number(100, 'compactions of all processes'),
    processes: option.number(4, 'processes'),
  },
  async (asked) => {
    const { findings, ...figures } = await runRacing(asked)
    return { findings, total: figuresLine(figures) }
  },
)

const held = part(
  'Transactions that stay open for up to two seconds before they commit, and readers that follow.',
  { appends: option.number(2_000, 'appended messages'), seed },
  async (asked) => {
    const { findings, ...figures } = await runHeld(asked)
    return { findings, total: figuresLine(figures) }
  },
)

const kills = part(
  'Four servers and two workers: random calls, and kill -9 of processes and of PostgreSQL.',
  {
    seconds: option.number(30, 'how long calls are made'),
    conversations: option.number(200, 'conversations'),
    seed,
  },
  async (asked, print) => {
    const { findings, ...figures } = await runKills(asked, print)
    return { findings, total: figuresLine(figures) }
  },
)

const workers = part(
  'Workers that are killed inside a job.',
  {
    kills: option.number(10, 'killed workers'),
    lease: option.number(2_000, 'lease of a job, in milliseconds'),
  },
  async (asked, print) => {
    const { findings, ...figures } = await runWorkerKills(asked, print)
    return { findings, total: figuresLine(figures) }
  },
)

const operations = part(
  'Backup, recovery to a point in time, and failover, while programs append. Needs an installed PostgreSQL.',
  { seconds: option.number(5, 'how long programs append before each') },
  async (asked, print) => {
    const { findings, ...figures } = await tryOperations(asked, print)
    return { findings, total: figuresLine(figures) }
  },
)

const speed = part(
  'Appends and contexts, beside bare inserts and beside SQLite in the same run.',
  { appends: option.number(2_000, 'appends of each measure') },
  async (asked, print) => ({ findings: [], total: await measureSpeed(asked, print) }),
)

const size = part(
  'Many conversations: bytes, contexts and recall.',
  {
    conversations: option.number(2_000, 'conversations'),
    messages: option.number(20, 'messages of each'),
  },
  async (asked, print) => ({ findings: [], total: await measureSize(asked, print) }),
)

process.exitCode = await runHarness({
  script: 'test:postgres',
  unnamed: ['differential', 'compactions', 'held', 'kills', 'workers'],
  parts: { differential, compactions, held, kills, workers, operations, speed, size },
})
