/**
 * A store that reads in the caller's thread, writes in another one, and searches in a third, so that neither a
 * write, its sync to disk, nor a search in a long conversation stops the event loop. A reader sees each write that
 * was answered, as another process would.
 */
import type { TenantId } from '../../domain/ids.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Store, TenantStore } from '../../ports/store.ts'
import { storeError } from './connection.ts'
import {
  type CallName,
  receivedError,
  type ThreadAnswer,
  type ThreadCall,
  type ThreadData,
  type ToThread,
} from './writer-protocol.ts'

export function withThreads(reader: Store, data: Omit<ThreadData, 'erasesAtOpen'>): Store {
  // The one that writes finishes what an erasure has left.
  const writer = startThread({ ...data, erasesAtOpen: true })
  let searcher: Thread | null = null
  const search = (call: NewCall) => {
    // Short conversations need none.
    searcher ??= startThread({ ...data, erasesAtOpen: false })
    return searcher.call(call)
  }
  return {
    tenant: (id) => {
      const calling =
        <Name extends CallName>(name: Name, call = writer.call) =>
        (command: Parameters<TenantStore[Name]>[0]) =>
          // The thread calls the method of this name, so its answer has this type.
          call({ tenant: id, name, command } as NewCall) as ReturnType<TenantStore[Name]>
      return {
        ...reader.tenant(id),
        create: calling('create'),
        append: calling('append'),
        commit: calling('commit'),
        record: calling('record'),
        index: calling('index'),
        rewrite: calling('rewrite'),
        purge: calling('purge'),
        search: calling('search', search),
      }
    },
    close: async () => {
      try {
        await Promise.all([writer.close(), searcher?.close()])
      } finally {
        await reader.close()
      }
    },
  }
}

interface NewCall {
  readonly tenant: TenantId
  readonly name: CallName
  readonly command: unknown
}

interface Waiting {
  resolve(value: unknown): void
  reject(reason: unknown): void
}

type Thread = ReturnType<typeof startThread>

function startThread(data: ThreadData) {
  const { Worker } = globalThis.process.getBuiltinModule('node:worker_threads')
  const label = `SQLite file "${data.file}"`
  // Without the caller's flags, which may only suit its main program.
  const worker = new Worker(program(), { workerData: data, execArgv: [] })
  const waiting = new Map<number, Waiting>()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  let number = 0
  let closing: Promise<void> | null = null
  let failure: unknown = null
  const rest = () => {
    // An idle store does not keep the process alive.
    if (waiting.size === 0 && closing === null) worker.unref()
  }
  worker.on('message', (answers: readonly ThreadAnswer[]) => {
    for (const { number: answered, value, error } of answers) {
      const call = waiting.get(answered)
      waiting.delete(answered)
      if (error === undefined) call?.resolve(value)
      else call?.reject(receivedError(error))
    }
    rest()
  })
  worker.on('error', (cause) => {
    failure ??= storeError(cause, label)
  })
  worker.on('exit', () => {
    failure ??= closing === null ? storeError('a thread of the store has ended', label) : null
    for (const { reject } of waiting.values())
      reject(failure ?? storeError('a thread of the store has ended', label))
    waiting.clear()
    end()
  })
  rest()
  const send = (message: ToThread) => {
    worker.ref()
    worker.postMessage(message)
  }
  return {
    call: (call: NewCall): Promise<unknown> => {
      if (closing !== null)
        return Promise.reject(new ThroughlineError('STORE_CLOSED', `${label} was closed`))
      if (failure !== null) return Promise.reject(failure)
      number += 1
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      waiting.set(number, { resolve, reject })
      try {
        // Only the store makes calls, from commands of the port.
        send({ ...call, number } as ThreadCall)
      } catch (cause) {
        waiting.delete(number)
        rest()
        reject(storeError(cause, label))
      }
      return promise
    },
    /** After the calls before it. */
    close: (): Promise<void> => {
      if (closing === null && failure === null) send(null)
      closing ??= failure === null ? ended : Promise.resolve()
      return closing
    },
  }
}

/** Beside the store in the sources; in the built package, the chunks and the entries have one parent. */
function program(): URL {
  const isSource = import.meta.url.endsWith('.ts')
  return new URL(isSource ? '../sqlite-writer.ts' : '../stores/sqlite-writer.js', import.meta.url)
}
