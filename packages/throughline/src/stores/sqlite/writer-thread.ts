/**
 * A store that reads in the caller's thread and writes in another one, so that neither a write nor its sync
 * to disk stops the event loop. A reader sees each write that was answered, as another process would.
 */
import type { TenantId } from '../../domain/ids.ts'
import { ThroughlineError } from '../../errors.ts'
import type { Store, TenantStore } from '../../ports/store.ts'
import { storeError } from './connection.ts'
import {
  receivedError,
  type ToWriter,
  type WriteAnswer,
  type WriteCall,
  type WriteName,
  type WriterData,
} from './writer-protocol.ts'

export function withWriterThread(reader: Store, data: WriterData): Store {
  const writer = startWriter(data)
  return {
    tenant: (id) => {
      const write =
        <Name extends WriteName>(name: Name) =>
        (command: Parameters<TenantStore[Name]>[0]) =>
          // The thread calls the method of this name, so its answer has this type.
          writer.call({ tenant: id, name, command } as NewCall) as ReturnType<TenantStore[Name]>
      return {
        ...reader.tenant(id),
        create: write('create'),
        append: write('append'),
        commit: write('commit'),
        record: write('record'),
        index: write('index'),
        rewrite: write('rewrite'),
        purge: write('purge'),
      }
    },
    close: async () => {
      try {
        await writer.close()
      } finally {
        await reader.close()
      }
    },
  }
}

interface NewCall {
  readonly tenant: TenantId
  readonly name: WriteName
  readonly command: unknown
}

interface Waiting {
  resolve(value: unknown): void
  reject(reason: unknown): void
}

function startWriter(data: WriterData) {
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
  worker.on('message', (answers: readonly WriteAnswer[]) => {
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
    failure ??= closing === null ? storeError('the thread that writes has ended', label) : null
    for (const { reject } of waiting.values())
      reject(failure ?? storeError('the thread that writes has ended', label))
    waiting.clear()
    end()
  })
  rest()
  const send = (message: ToWriter) => {
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
        send({ ...call, number } as WriteCall)
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
