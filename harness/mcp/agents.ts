/**
 * Two sessions of a real coding agent at once, through the gateway, with the tools of `throughline mcp`: each search must
 * find the session's own messages, and never those of the other one. Nothing says which conversation a session has.
 */
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  type CodingAgent,
  type CodingAgentName,
  codingAgents,
  type Place,
} from '../clients/coding-agents.ts'
import { installed } from '../clients/install.ts'
import { runProgram } from '../clients/run-program.ts'
import { startGateway } from '../gateway/started-gateway.ts'
import type { Figures, Finding } from '../kernel/finding.ts'
import { type RecallingModel, recallingModel, recallPrompt, toolNames } from './recalling-model.ts'

export type Transport = 'stdio' | 'http'

export interface AgentsOptions {
  readonly client: CodingAgentName
  readonly over: Transport
  /** Of both sessions together. */
  readonly searches: number
  readonly print: (line: string) => void
}

export interface AgentsReport {
  readonly findings: readonly Finding[]
  readonly figures: Figures
  /** Why the client could not be tried; null if it was. */
  readonly skipped: string | null
}

const sessions = ['zirkon', 'basalt'] as const
const searchesPerTurn = 50
const turnTimeoutMs = 240_000
/** For the start of `throughline mcp` from its sources, on a machine that does other work. */
const startTimeoutMs = 120_000
const program = join(import.meta.dirname, '../../packages/throughline/bin/throughline.js')

export async function runAgents(options: AgentsOptions): Promise<AgentsReport> {
  const agent = codingAgents[options.client]
  const client = await installed(agent.package)
  if (client.kind === 'missing') return { findings: [], figures: {}, skipped: client.why }
  const model = recallingModel()
  const gateway = await startGateway({
    windowTokens: agent.windowTokens,
    models: agent.models.map((id) => ({
      ...{ id, tokenizer: 'o200k_base' as const, contextWindowTokens: agent.windowTokens },
    })),
    answer: (number, body, api) => model.answer(number, body, api),
  })
  const home = mkdtempSync(join(tmpdir(), 'throughline-home-'))
  const work = mkdtempSync(join(tmpdir(), 'throughline-work-'))
  const { url, key, folder } = gateway
  const stdio = ['--conditions=throughline-source', program, 'mcp', '--folder', folder]
  const place: Place = { url, key, home, work, probe: [process.execPath, ...stdio] }
  try {
    const files = agent.files(place)
    const written = options.over === 'http' ? overHttp(files, place) : overStdio(files)
    for (const [path, text] of Object.entries(written)) {
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, text)
    }
    await playSessions(options, agent, client.program, place)
    const conversations = (await gateway.conversations()).length
    return { ...reportOf(model, options.searches, conversations), skipped: null }
  } finally {
    await gateway.stop()
    for (const each of [home, work]) rmSync(each, { recursive: true, force: true })
  }
}

/** Codex has the time limit in the settings of the MCP server, which end the file. */
function overStdio(files: Readonly<Record<string, string>>) {
  const limit = `\nstartup_timeout_sec = ${startTimeoutMs / 1000}\n`
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => [
      path,
      path.endsWith('.toml') ? text + limit : text,
    ]),
  )
}

/** The same settings with the address of the server in place of a program. */
function overHttp(files: Readonly<Record<string, string>>, { url, key }: Place) {
  const headers = { 'x-throughline-key': key }
  const address = `${url}/mcp`
  return Object.fromEntries(
    Object.entries(files).map(([path, text]) => {
      if (path.endsWith('.mcp.json'))
        return [
          path,
          JSON.stringify({ mcpServers: { probe: { type: 'http', url: address, headers } } }),
        ]
      const [settings = ''] = text.split('[mcp_servers.probe]')
      const server = `[mcp_servers.probe]\nurl = "${address}"\nhttp_headers = { "x-throughline-key" = "${key}" }\n`
      return [path, settings + server]
    }),
  )
}

/** Turn by turn, both sessions at the same time, in the same home and the same folder. */
async function playSessions(
  { client, searches, print }: AgentsOptions,
  agent: CodingAgent,
  program: string,
  place: Place,
): Promise<void> {
  const ids = new Map<string, string>(sessions.map((session) => [session, randomUUID()]))
  const turns = 1 + Math.ceil(searches / sessions.length / searchesPerTurn)
  const turn = async (session: string, stage: number) => {
    const id = ids.get(session) ?? ''
    const prompt = recallPrompt(session, stage, stage === 0 ? 0 : searchesPerTurn)
    const [model] = agent.models
    const ran = await runProgram({
      ...{ program, home: place.home, cwd: place.work, timeoutMs: turnTimeoutMs },
      words: agent.words({ prompt, isFirst: stage === 0, session: id, model }, place),
      env: { ...agent.environment(place), MCP_TIMEOUT: String(startTimeoutMs) },
    })
    if (stage === 0) ids.set(session, agent.session?.exec(ran.stdout)?.[1] ?? id)
    if (ran.status !== 0) print(`${client}, ${session}: ${(ran.stderr || ran.stdout).slice(-500)}`)
    return ran.status
  }
  for (let stage = 0; stage < turns; stage += 1) {
    const began = performance.now()
    const states = await Promise.all(sessions.map((session) => turn(session, stage)))
    const seconds = ((performance.now() - began) / 1000).toFixed(1)
    print(`${client} turn ${stage}: status ${states.join(' and ')}, ${seconds} s`)
  }
}

function reportOf({ found, listed }: RecallingModel, searches: number, conversations: number) {
  const foreign = found.filter(({ session, text }) =>
    sessions.some((other) => other !== session && text.includes(`${other}-`)),
  )
  const empty = found.filter(({ session, text }) => !text.includes(session))
  const missing = toolNames.filter((name) => !listed.has(name))
  const finding = (rule: string, detail: string): Finding => ({ rule, detail })
  const findings = [
    ...missing.map((name) =>
      finding('listed', `the client does not list ${name}, only ${[...listed]}`),
    ),
    ...foreign.map(({ session, text }) =>
      finding('foreign', `${session} got ${text.slice(0, 300)}`),
    ),
    ...empty.map(({ session, text }) => finding('own', `${session} got ${text.slice(0, 300)}`)),
    ...(found.length < searches ? [finding('searches', `${found.length} of ${searches}`)] : []),
    ...(conversations === sessions.length
      ? []
      : [finding('conversations', `${conversations}, not ${sessions.length}`)]),
  ]
  const own = found.length - empty.length
  return {
    findings,
    figures: { searches: found.length, own, foreign: foreign.length, conversations },
  }
}
