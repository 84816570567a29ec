/**
 * Bugs that are put in on purpose, never into the product: a harness is worth what it finds of them.
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
  /** The rule that must find it, and words that its finding must have. */
  readonly rule: string
  readonly says?: string | undefined
  /** What a run with the bug in it finds. */
  find(): Promise<readonly Finding[]>
}

/** The finding that shows the bug; null where the harness misses it. */
export async function foundBug({ rule, says = '', find }: PlantedBug): Promise<Finding | null> {
  const findings = await find()
  return findings.find((each) => each.rule === rule && each.detail.includes(says)) ?? null
}

/** The part `planted` of a command: every bug put in, one at a time. */
export function plantedPart(bugs: readonly PlantedBug[]): Part {
  return part('Bugs that are put in, one at a time: are they found?', {}, (_, print) =>
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
  return { findings: missed, total: `${bugs.length} bugs put in` }
}

export type StoreBug = (tenant: TenantStore, store: Store) => Partial<TenantStore>

/** A store with some of its commands replaced, once for each tenant. */
export function storeWithBug(bug: StoreBug): (store: Store) => Store {
  return (store) => {
    const tenants = new Map<string, TenantStore>()
    return {
      close: () => store.close(),
      tenant: (id) => {
        const sound = store.tenant(id)
        const planted = tenants.get(id) ?? { ...sound, ...bug(sound, store) }
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

/** Commits something else than it was handed. */
export function commitBug(change: ChangeCommit): StoreBug {
  return (tenant) => ({
    commit: async (command: CommitCommand) =>
      commitChanges(tenant, await change(commandIn(command), tenant)),
  })
}
