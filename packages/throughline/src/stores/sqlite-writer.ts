/**
 * The program of the threads of a SQLite store: one writes, another searches. Calls that arrived during a commit share the next
 * one: with one sync for all of them, a slow disk limits how long a write waits, not how many there are.
 */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { openConnection } from './sqlite/open-connection.ts'
import { sqliteTenant, writesOf } from './sqlite/tenant.ts'
import {
  sentError,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadData,
  type ToThread,
} from './sqlite/writer-protocol.ts'

/** No write waits for more others than this. */
const maxGroup = 64

type GroupedCall = Extract<ThreadCall, { readonly name: 'append' | 'commit' | 'create' | 'record' }>

if (parentPort === null) throw new Error('this program runs in a thread of the SQLite store')
const port = parentPort
// The store passes its checked options.
const data = workerData as ThreadData
const connection = openConnection(data.file, { ...data, readOnly: false })

const waiting: ThreadCall[] = []
/** Search terms of messages that were answered long ago: new messages go first. */
const background: ThreadCall[] = []
let [isRunning, isClosing] = [false, false]

port.on('message', (message: ToThread) => {
  take(message)
  if (!isRunning) void run()
})

function take(message: ToThread): void {
  if (message === null) isClosing = true
  else if (message.name === 'index') background.push(message)
  else waiting.push(message)
}

async function run(): Promise<void> {
  isRunning = true
  while (waiting.length + background.length > 0) {
    await connection.afterErasure(() => {
      // All that arrived during the last commit.
      for (let next = receiveMessageOnPort(port); next; next = receiveMessageOnPort(port))
        take(next.message)
      const group = takeGroup()
      if (group.length > 0) answer(writeGroup(group))
      else start(waiting.shift())
      start(background.shift())
    })
  }
  isRunning = false
  if (!isClosing) return
  await connection.afterErasure(() => connection.close())
  port.close()
}

/** The first calls, up to one that needs more than a transaction. */
function takeGroup(): readonly GroupedCall[] {
  const end = waiting.findIndex((call) => !isGrouped(call))
  return waiting.splice(0, Math.min(maxGroup, end === -1 ? maxGroup : end)).filter(isGrouped)
}

function isGrouped(call: ThreadCall): call is GroupedCall {
  return !['rewrite', 'purge', 'index', 'search'].includes(call.name)
}

function writeGroup(group: readonly GroupedCall[]): readonly ThreadAnswer[] {
  const [first, ...others] = group
  if (first !== undefined && others.length === 0) return [writeAlone(first)]
  const isSynced = group.some(
    ({ name, command }) => name !== 'record' || (command.events ?? []).length > 0,
  )
  let isComplete = false
  try {
    return connection.group(isSynced, () => {
      const answers = group.map((call) => ({ number: call.number, value: write(call) }))
      isComplete = true
      return answers
    })
  } catch (error) {
    // Nothing was stored if a write failed, so each is tried alone. A failed commit is not repeated.
    return isComplete
      ? group.map(({ number }) => ({ number, error: sentError(error) }))
      : group.map(writeAlone)
  }
}

function writeAlone(call: GroupedCall): ThreadAnswer {
  const { number } = call
  try {
    return { number, value: write(call) }
  } catch (error) {
    return { number, error: sentError(error) }
  }
}

function write({ tenant, name, command }: GroupedCall): unknown {
  const writes = writesOf({ connection, tenant })
  switch (name) {
    case 'append':
      return writes.append(command)
    case 'commit':
      return writes.commit(command)
    case 'create':
      return writes.create(command)
    case 'record':
      return writes.record(command)
  }
}

/** Writes after it wait while it erases. */
function start(call: ThreadCall | undefined): void {
  if (call === undefined) return
  const { number, tenant, name, command } = call
  const store = sqliteTenant(connection, tenant)
  // The store pairs names and commands.
  const run = store[name] as (command: ThreadCall['command']) => Promise<unknown>
  run(command).then(
    (value) => answer([{ number, value }]),
    (error: unknown) => answer([{ number, error: sentError(error) }]),
  )
}

function answer(answers: readonly ThreadAnswer[]): void {
  port.postMessage(answers)
}
