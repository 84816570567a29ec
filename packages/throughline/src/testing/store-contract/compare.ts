/**
 * Runs a script on the memory store, which is the reference, and on another store: every call of the
 * port must have the same outcome. What the store returned, and what a commit passed, is spoilt after
 * the call, so that a store that shares it with its own state differs later.
 */
import type { TenantId } from '../../domain/ids.ts'
import type { Store, TenantStore } from '../../ports/store.ts'
import { memory } from '../../stores/memory.ts'
import { formatted } from '../contract.ts'
import { StoreCommands } from './store-commands.ts'

/** Makes calls of the port: the same ones in the same order at each run. */
export type Script = (commands: StoreCommands) => Promise<void>

interface Call {
  readonly text: string
  readonly outcome: unknown
  /** The outcome, with fields in the order of the store. */
  readonly json: string | undefined
}

export async function compareWithMemory(store: Store, script: Script): Promise<void> {
  const expected = await (references.get(script) ?? recordReference(script))
  let [calls, difference] = [0, '']
  const compare = (call: Call) => {
    // A script may catch the error of a difference; its next call ends it.
    if (difference === '') difference = differenceOf(call, expected[calls], calls + 1)
    if (difference !== '') throw new Error(difference)
    calls += 1
  }
  await runScript(store, script, compare).catch((error: unknown) => {
    if (difference === '') throw error
  })
  if (difference === '' && calls < expected.length)
    difference = `made ${calls} calls, but ${expected.length} with the reference`
  if (difference !== '') throw new Error(difference)
}

/** The calls of each script with the memory store, for the next store. */
const references = new WeakMap<Script, Promise<readonly Call[]>>()

function recordReference(script: Script): Promise<readonly Call[]> {
  const calls: Call[] = []
  const recorded = runScript(memory(), script, (call) => calls.push(call)).then(() => calls)
  references.set(script, recorded)
  return recorded
}

async function runScript(store: Store, script: Script, see: (call: Call) => void): Promise<void> {
  const serials = new Map<unknown, number>()
  const watched: Store = {
    tenant: (id) => watchedTenant(store.tenant(id), id, { see, serials }),
    close: () => store.close(),
  }
  try {
    await script(new StoreCommands(watched, 'default' as TenantId))
  } finally {
    await store.close()
  }
}

interface Watcher {
  readonly see: (call: Call) => void
  /** Serials differ between stores, so each is shown as its number in the order of appearance. */
  readonly serials: Map<unknown, number>
}

function watchedTenant(tenant: TenantStore, id: TenantId, { see, serials }: Watcher): TenantStore {
  const numbered = (outcome: unknown) => {
    if (typeof outcome !== 'object' || outcome === null || !('serial' in outcome)) return outcome
    if (!serials.has(outcome.serial)) serials.set(outcome.serial, serials.size)
    return { ...outcome, serial: serials.get(outcome.serial) }
  }
  const show = (method: Method, command: object, outcome: unknown) => {
    // Only the condition of a record has a serial. The script makes the fields in the same order.
    const withoutSerials = (key: string, field: unknown) => (key === 'serial' ? '…' : field)
    const shown = JSON.stringify(command, method === 'record' ? withoutSerials : undefined)
    const text = `${method} of tenant ${id} with ${shown}`
    // JSON of bytes looks like that of an object.
    see({ text, outcome, json: method === 'bytes' ? formatted(outcome) : JSON.stringify(outcome) })
  }
  const watch = async (method: Method, command: object) => {
    const passed = copyOf(command)
    let outcome: unknown
    try {
      const returned = await tenant[method](passed as never)
      outcome = copyOf(returned)
      spoil(returned)
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      show(method, command, `an error ${code ?? error}`)
      throw error
    } finally {
      if (method === 'commit') spoil(passed)
    }
    show(method, command, numbered(outcome))
    return outcome
  }
  const names = Object.keys(tenant) as readonly Method[]
  // Safe cast: each method of the port, with its own command.
  return Object.fromEntries(
    names.map((name) => [name, (command: object) => watch(name, command)]),
  ) as unknown as TenantStore
}

function differenceOf({ text, outcome, json }: Call, wanted: Call | undefined, number: number) {
  if (text !== wanted?.text)
    return `call ${number} is ${cut(text)}, but with the reference ${cut(wanted?.text ?? 'missing')}`
  // Nearly always equal, and compared several times as fast as with sorted fields.
  if (json === wanted.json) return ''
  const [found, expected] = [formatted(outcome), formatted(wanted.outcome)]
  if (found === expected) return ''
  return `call ${number}, ${cut(text)}: expected ${cutAtDifference(expected, found)}`
}

/** `structuredClone` takes several times as long, and a contract copies much. */
function copyOf<Value>(value: Value): Value
function copyOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (value instanceof Uint8Array) return new Uint8Array(value)
  if (Array.isArray(value)) return value.map((item) => copyOf(item))
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copyOf(inner)]))
}

function spoil(value: unknown): void {
  if (value instanceof Uint8Array) value.fill(0)
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return
  for (const inner of Object.values(value)) spoil(inner)
  if (Object.isFrozen(value)) return
  if (Array.isArray(value)) value.push('spoilt')
  else Object.assign(value, { spoilt: true })
}

const shownCharacters = 400

function cut(text: string): string {
  return text.length > shownCharacters ? `${text.slice(0, shownCharacters)}…` : text
}

function cutAtDifference(wanted: string, found: string): string {
  let at = 0
  while (at < wanted.length && wanted[at] === found[at]) at += 1
  const from = Math.max(0, at - 60)
  const shown = (text: string) => `${from > 0 ? '…' : ''}${cut(text.slice(from))}`
  return `${shown(wanted)}, got ${shown(found)}`
}

/** Vectors are not compared: the memory store has none. */
type Method = Exclude<keyof TenantStore, 'vectors'>
