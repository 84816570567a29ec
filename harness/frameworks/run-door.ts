/**
 * Plays a door against the strict fault server: the first half of the turns in one process, the rest in
 * another. Then compares the log with the answers of the server, and every request with the window.
 */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import type { JsonValue, Message } from 'throughline'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { createFaultServer, type ServedRequest } from '../fault-server.ts'
import type { Finding } from '../kernel/finding.ts'
import type { DoorOptions } from './doors.ts'
import { conversation, engineOn, questionOf, scriptedAnswer, windowTokens } from './script.ts'

export interface DoorReport {
  readonly name: string
  readonly turns: number
  readonly requests: number
  readonly refused: number
  readonly mostTokens: number
  readonly messages: number
  readonly compactions: number
  readonly findings: readonly Finding[]
}

export async function runDoor(
  name: string,
  turns: number,
  module = './doors.ts',
): Promise<DoorReport> {
  const folder = testFolder()
  const calls: string[] = []
  const server = await createFaultServer({
    answers: (question) => {
      const answer = scriptedAnswer(question)
      calls.push(...answer.calls.map(({ id }) => id))
      return answer
    },
  })
  try {
    const shared = {
      url: server.url,
      database: folder.file('talk.db'),
      memory: folder.file('memory.json'),
    }
    await runHalves(module, name, turns, shared)
    const engine = engineOn(shared.database)
    const chat = engine.conversation(conversation)
    const log = await Array.fromAsync(chat.messages())
    const compactions = (await chat.receipts({ limit: 100 })).length
    const conversations = (await engine.list()).map(({ id }) => id)
    await engine.close()
    const sizes = server.requests.map(tokensOf)
    const mostTokens = Math.max(0, ...sizes)
    return {
      name,
      turns,
      requests: server.requests.length,
      refused: server.requests.filter(({ status }) => status !== 200).length,
      mostTokens,
      messages: log.length,
      compactions,
      findings: [
        ...server.requests.flatMap(({ problems }) => problems.map(found('refused'))),
        ...(mostTokens > windowTokens ? [found('window')(`${mostTokens} tokens`)] : []),
        ...(compactions === 0 ? [found('compacted')('nothing was compacted')] : []),
        ...conversations.filter((id) => id !== conversation).map(found('forked')),
        ...logFindings(log, turns, calls),
      ],
    }
  } finally {
    await server.close()
    folder.remove()
  }
}

/** For a door that asks no model: a process that fails is the finding. */
export async function runStoreDoor(name: string, turns: number, module: string): Promise<void> {
  const folder = testFolder()
  const files = { database: folder.file('talk.db'), memory: folder.file('memory.json') }
  try {
    await runHalves(module, name, turns, { url: '', ...files })
  } finally {
    folder.remove()
  }
}

async function runHalves(
  module: string,
  name: string,
  turns: number,
  shared: Omit<DoorOptions, 'from' | 'to'>,
): Promise<void> {
  const half = Math.ceil(turns / 2)
  await runChild(module, name, { ...shared, from: 0, to: half })
  await runChild(module, name, { ...shared, from: half, to: turns })
}

const found =
  (rule: string) =>
  (detail: string): Finding => ({ rule, detail })

/** Counts the JSON as one text, which is more than any provider counts. */
function tokensOf({ body }: ServedRequest): number {
  const { messages, input, instructions, system, tools } = body as Record<string, JsonValue>
  const text = JSON.stringify({ messages, input, instructions, system, tools })
  return o200k.countTokens(text, { allowedSpecial: new Set(), disallowedSpecial: new Set() })
}

/** Every question, call and result is in the log once, and every question has its answer. */
function logFindings(
  log: readonly Message[],
  turns: number,
  calls: readonly string[],
): readonly Finding[] {
  const seen = log.flatMap(({ role, parts }) =>
    parts.flatMap((part) => {
      if (part.type === 'text') return role === 'user' ? [part.text] : []
      return part.type === 'tool-call' || part.type === 'tool-result'
        ? [`${part.type} ${part.callId}`]
        : []
    }),
  )
  const wanted = [
    ...Array.from({ length: turns }, (_, turn) => questionOf(turn)),
    ...calls.flatMap((id) => [`tool-call ${id}`, `tool-result ${id}`]),
  ]
  const known = new Set(seen)
  const last = log.at(-1)
  return [
    ...wanted.filter((name) => !known.has(name)).map(found('missing')),
    ...(seen.length > known.size ? [found('twice')(`${seen.length - known.size} parts`)] : []),
    ...(last?.role === 'assistant' ? [] : [found('missing')('the last answer')]),
  ]
}

async function runChild(module: string, name: string, options: DoorOptions): Promise<void> {
  const conditions = '--conditions=throughline-source'
  const child = join(import.meta.dirname, 'door-child.ts')
  const args = [conditions, child, module, name, JSON.stringify(options)]
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const running = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'pipe'] })
  let errors = ''
  running.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString()
  })
  running.on('error', reject)
  running.on('close', (code) => {
    if (code === 0) resolve()
    else reject(new Error(`${name} ended with ${code}: ${errors.slice(0, 4_000)}`))
  })
  await promise
}
