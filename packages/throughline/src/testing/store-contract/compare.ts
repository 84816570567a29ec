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
  readonly outcome: string
}

export async function compareWithMemory(store: Store, script: Script): Promise<void> {
  const expected = await (references.get(script) ?? recordReference(script))
  let [calls, difference] = [0, '']
  const compare = ({ text, outcome }: Call) => {
    const wanted = expected[calls]
    calls += 1
    if (difference !== '' || (text === wanted?.text && outcome === wanted.outcome)) return
    difference =
      text === wanted?.text
        ? `call ${calls}, ${cut(text)}: expected ${cutAtDifference(wanted.outcome, outcome)}`
        : `call ${calls} is ${cut(text)}, but with the reference ${cut(wanted?.text ?? 'missing')}`
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
  const show = (value: unknown) =>
    formatted(value, (key, field) => {
      if (key !== 'serial') return field
      if (!serials.has(field)) serials.set(field, serials.size)
      return serials.get(field)
    })
  const watch = async (name: keyof TenantStore, command: object) => {
    const withoutSerials = (key: string, field: unknown) => (key === 'serial' ? '…' : field)
    const text = `${name} of tenant ${id} with ${formatted(command, withoutSerials)}`
    const passed = structuredClone(command)
    try {
      const returned = await tenant[name](passed as never)
      const outcome = structuredClone(returned)
      see({ text, outcome: show(outcome) })
      spoil(returned)
      return outcome
    } catch (error) {
      const { code } = error as { readonly code?: unknown }
      see({ text, outcome: `an error ${code ?? error}` })
      throw error
    } finally {
      if (name === 'commit') spoil(passed)
    }
  }
  const names = Object.keys(tenant) as readonly (keyof TenantStore)[]
  // Safe cast: each method of the port, with its own command.
  return Object.fromEntries(
    names.map((name) => [name, (command: object) => watch(name, command)]),
  ) as unknown as TenantStore
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
