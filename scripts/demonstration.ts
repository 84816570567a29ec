/**
 * npm start: Throughline at work on a long conversation, in the terminal. Every
 * figure is measured while you watch; the database is a file in a temporary folder
 * that is removed at the end.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ConversationHandle,
  createThroughline,
  type Decision,
  isThroughlineError,
  type Throughline,
} from 'throughline'
import { openaiChat } from 'throughline/adapters'
import { sqlite } from 'throughline/stores/sqlite'
import {
  bold,
  columns,
  dim,
  green,
  grouped,
  heading,
  line,
  progress,
} from './demonstration/screen.ts'
import { turnOf } from './demonstration/session.ts'

const system = 'You are a careful engineer.'
const turns = 2_500
const folder = mkdtempSync(join(tmpdir(), 'throughline-demonstration-'))
const file = join(folder, 'chat.db')

console.log(
  `${bold('Throughline')}: a conversation of any length, kept whole, counted right, and always inside the window.`,
)
const tl = createThroughline({ store: sqlite(file) })
try {
  const chat = tl.conversation('coding-session')
  await keepLongSession(chat)
  await countForModels(tl, chat)
  await fitModels(chat)
  await talkOn(tl, chat)
  await sendAgain(chat)
  await forkByReference(chat)
  await killWriter()
  await showNewestTurn(chat)
} finally {
  await tl.close()
  rmSync(folder, { recursive: true, force: true })
}
console.log(
  `\n${dim('The same in your program: the example in README.md. What each word means: docs/glossary.md.')}`,
)

async function keepLongSession(chat: ConversationHandle): Promise<void> {
  heading(
    `1  A coding session of ${grouped(turns * 8)} messages, one commit a turn, synced to disk`,
  )
  const times: number[] = []
  for (let turn = 0; turn < turns; turn += 1) {
    const started = performance.now()
    const { head } = await chat.append(turnOf(turn))
    times.push(performance.now() - started)
    if (turn % 50 === 49 || turn === turns - 1)
      progress((turn + 1) / turns, `${grouped(head)} messages`)
  }
  const slices = Array.from({ length: 25 }, (_, slice) =>
    median(times.slice(slice * 100, slice * 100 + 100)),
  )
  line(
    'time of a turn',
    `${columns(slices)}  first ${milliseconds(slices[0])}, last ${milliseconds(slices.at(-1))}`,
  )
  line(
    'file',
    `${grouped(statSync(file).size / 1024 / 1024)} MiB, every original kept byte for byte`,
  )
}

async function countForModels(engine: Throughline, chat: ConversationHandle): Promise<void> {
  heading('2  Counted as each model counts, and held against its window')
  const messages = await Array.fromAsync(chat.messages())
  for (const model of [
    'openai/gpt-5-mini',
    'openai/gpt-4',
    'anthropic/claude-sonnet-4-5',
    'google/gemini-2.5-pro',
  ]) {
    const meter = await engine.meter(model)
    const tokens = meter.messages(messages)
    const { contextWindowTokens } = meter.card
    const times = (tokens / contextWindowTokens).toFixed(1)
    const how = meter.tokenizer.exact ? 'exact' : 'upper estimate'
    line(
      model.split('/')[1] ?? model,
      `${grouped(tokens)} tokens (${how}), ${times} × its window of ${grouped(contextWindowTokens)}`,
    )
  }
}

async function fitModels(chat: ConversationHandle): Promise<void> {
  heading('3  What each of them is sent: it fits, and what is not shown is listed')
  for (const model of ['openai/gpt-4', 'openai/gpt-4o', 'anthropic/claude-sonnet-4-5']) {
    const started = performance.now()
    const { tokens, available, omitted, messages } = await chat.context({ model, system })
    const took = performance.now() - started
    const stubs = omitted.filter(({ why }) => why === 'stubbed').length
    line(
      model.split('/')[1] ?? model,
      `${grouped(tokens)} of ${grouped(available)} tokens, ${grouped(messages.length)} messages, ` +
        `${grouped(stubs)} of them stubs, in ${milliseconds(took)}`,
    )
  }
}

async function talkOn(tl: Throughline, chat: ConversationHandle): Promise<void> {
  heading('4  Forty more requests in a window of 8,192: each extends the last until an epoch ends')
  const fill: number[] = []
  let extended = 0
  const meter = await tl.meter('openai/gpt-4')
  let decided: Decision | null = null
  const causes = new Map<string, number>()
  for (let turn = turns; turn < turns + 40; turn += 1) {
    await chat.append(turnOf(turn))
    const context = await chat.context({ model: 'openai/gpt-4', system })
    openaiChat.write(context)
    // What a provider reports calibrates us; here the model's own tokenizer stands in for one.
    const { tokens } = meter.request({ system, messages: context.messages })
    const usage = { prompt_tokens: tokens }
    await chat.append([], { usage, of: context.fingerprint })
    decided = context.decision
    fill.push(context.tokens / context.available)
    if (context.prefixOf !== null) extended += 1
    if (context.brokenBy !== null)
      causes.set(context.brokenBy, (causes.get(context.brokenBy) ?? 0) + 1)
  }
  line(
    'how full',
    `${columns([...fill, 1]).slice(0, -1)}  never over, each checked by OpenAI's rules`,
  )
  const named = [...causes].map(([cause, times]) => `${cause} ${times}`).join(', ')
  line('prefix', `${extended} of 40 extend the request before; breaks by cause: ${named || 'none'}`)
  line('the last decision', `${decided?.kind}, ${decided?.reason}`)
  const { messages } = await chat.context({ model: 'openai/gpt-4', system })
  const note = messages.flatMap(({ parts }) => parts).find((part) => part.type === 'text')
  const told = note?.type === 'text' ? note.text.split('\n') : []
  line('it begins', told[0] ?? '')
  for (const each of told.slice(-4, -1)) line('', each.length > 90 ? `${each.slice(0, 89)}…` : each)
  const expanded = await chat.expand('#17')
  line('chat.expand("#17")', `${expanded?.messages[0]?.role}, whole, as it was appended`)
}

async function sendAgain(chat: ConversationHandle): Promise<void> {
  heading('5  Sent twice, kept once')
  const message = { role: 'user', content: 'Charge the card.', key: 'request-81f3' } as const
  const first = await chat.append(message)
  const again = await chat.append(message)
  line('first', `message ${grouped(first.head - 1)}`)
  line('retried', `message ${grouped(again.head - 1)}, ${green('nothing added')}`)
  const refused = await chat.append({ ...message, content: 'Charge it twice.' }).catch(codeOf)
  line('with other content', `refused: ${refused}`)
}

async function forkByReference(chat: ConversationHandle): Promise<void> {
  heading('6  Forked at message 10,000, without copying one')
  const started = performance.now()
  await chat.history.fork(10_000, 'another-way')
  const fork = tl.conversation('another-way')
  await fork.append({ role: 'user', content: 'Let us try it the other way.' })
  const [shared] = await Array.fromAsync(fork.messages({ from: 9_999, to: 10_000 }))
  line('took', milliseconds(performance.now() - started))
  line('its message 9,999', `${shared?.role}, hash ${shared?.hashes.content.slice(0, 12)}…`)
  line('its message 10,000', 'its own')
}

async function killWriter(): Promise<void> {
  heading('7  A writer killed in the middle of its work')
  const path = join(folder, 'killed.db')
  const acknowledged = await new Promise<number>((resolve) => {
    const child = spawn(process.execPath, [
      ...process.execArgv,
      join(import.meta.dirname, 'demonstration/writer.ts'),
      path,
    ])
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.length > 400) child.kill('SIGKILL')
    })
    child.on('close', () =>
      resolve(Number(output.slice(0, output.lastIndexOf('\n')).split('\n').at(-1))),
    )
  })
  const after = createThroughline({ store: sqlite(path) })
  const found = (await Array.fromAsync(after.conversation('killed').messages())).length
  await after.close()
  if (!(acknowledged > 0)) throw new Error('the writer ended before it was killed')
  line('acknowledged', `${grouped(acknowledged)} messages when kill -9 came`)
  line(
    'found afterwards',
    `${grouped(found)}, ${found >= acknowledged ? green('none lost') : 'some lost!'}, ${found % 8 === 0 ? green('no turn torn') : 'a turn torn!'}`,
  )
}

async function showNewestTurn(chat: ConversationHandle): Promise<void> {
  heading('8  Turns and steps, so that nothing is ever cut between a call and its result')
  const from = (turns - 1) * 8
  for (const turn of await chat.turns({ from, to: from + 8 })) {
    line(`turn #${turn.span.from}`, `${turn.span.to - turn.span.from} messages`)
    for (const step of turn.steps) {
      const calls = step.calls.map((call) => `${call.name} #${call.callSeq} → #${call.resultSeq}`)
      line('', `step #${step.span.from}  ${calls.join(', ') || 'reply'}`)
    }
  }
}

function codeOf(error: unknown): string {
  return isThroughlineError(error) ? error.code : String(error)
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0
}

function milliseconds(value: number | undefined): string {
  return `${(value ?? 0).toFixed(2)} ms`
}
