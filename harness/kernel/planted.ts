/**
 * Bugs that are planted on purpose, never in the product, to prove that a harness finds them.
 */
import type { Store } from 'throughline'
import type { CommitCommand, TenantStore } from 'throughline/stores'
import type { ChangeCommand } from '../../packages/throughline/src/derived/changes.ts'
import { commitChanges } from '../../packages/throughline/src/derived/commit.ts'
import { commandIn } from '../../packages/throughline/src/testing/typed-commits.test-support.ts'
import { type Outcome, type Part, part } from './command.ts'
import type { Finding, Print } from './finding.ts'

export interface PlantedBug {
  readonly bug: string
  /** The rule that must find it, and text that its finding must contain. */
  readonly rule: string
  readonly says?: string | undefined
  /** Runs the harness with the bug and returns its findings. */
  find(): Promise<readonly Finding[]>
}

/** The finding that shows the bug; null if the harness misses it. */
export async function foundBug({ rule, says = '', find }: PlantedBug): Promise<Finding | null> {
  const findings = await find()
  return findings.find((each) => each.rule === rule && each.detail.includes(says)) ?? null
}

/** The part `planted` of a command: plants every bug, one at a time. */
export function plantedPart(bugs: readonly PlantedBug[]): Part {
  return part('Plants bugs, one at a time, and reports whether each is found.', {}, (_, print) =>
    searchBugs(bugs, print),
  )
}

export async function searchBugs(bugs: readonly PlantedBug[], print: Print): Promise<Outcome> {
  const missed: Finding[] = []
  for (const bug of bugs) {
    const found = await foundBug(bug)
    print(
      `${(found === null ? 'NOT FOUND' : 'found').padEnd(10)} ${bug.rule.padEnd(14)} ${bug.bug}`,
    )
    if (found === null) missed.push({ rule: bug.rule, detail: `${bug.bug} is not found` })
  }
  return { findings: missed, total: `${bugs.length} bugs planted` }
}

export type StoreBug = (tenant: TenantStore, store: Store) => Partial<TenantStore>

/** A store with some of its commands replaced, once per tenant. */
export function storeWithBug(bug: StoreBug): (store: Store) => Store {
  return (store) => {
    const tenants = new Map<string, TenantStore>()
    return {
      close: () => store.close(),
      tenant: (id) => {
        const original = store.tenant(id)
        const planted = tenants.get(id) ?? { ...original, ...bug(original, store) }
        tenants.set(id, planted)
        return planted
      },
    }
  }
}

export type ChangeCommit = (
  command: ChangeCommand,
  tenant: TenantStore,
) => ChangeCommand | Promise<ChangeCommand>

/** Commits something other than it was given. */
export function commitBug(change: ChangeCommit): StoreBug {
  return (tenant) => ({
    commit: async (command: CommitCommand) =>
      commitChanges(tenant, await change(commandIn(command), tenant)),
  })
}
