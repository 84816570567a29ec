import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'

let [stdout, stderr] = ['', '']
let status: number | null = null
let turns: readonly string[] = []
beforeAll(() => {
  const options = ['--conditions=throughline-source', join(import.meta.dirname, 'agent.ts')]
  const run = spawnSync(process.execPath, options, { encoding: 'utf8' })
  stdout = run.stdout
  stderr = run.stderr
  status = run.status
  turns = stdout.split(/^── /m).slice(1)
  // A busy machine may start the process slowly.
}, 120_000)
const memoryOf = (turn: number) => turns[turn - 1]?.split('\n\nplanner')[0]?.split('\n\nmemory')[1]
const plannerOf = (turn: number) => turns[turn - 1]?.split('\n\nplanner')[1]

describe('the agent example', () => {
  it('runs eight turns, and prints at most 100 columns', () => {
    expect(stderr).toBe('')
    expect(status).toBe(0)
    expect(turns.map((text) => text.split(' ─')[0])).toEqual([
      ...[1, 2, 3, 4, 5, 6, 7, 8].map((turn) => `Turn ${turn}`),
      'In the end',
    ])
    const longest = Math.max(...stdout.split('\n').map((line) => line.length))
    expect(longest).toBeLessThanOrEqual(100)
    expect(stdout).not.toContain('\u001b')
  })

  it('S0-027 S0-052 S0-058: keeps a proposal pending, and its drafts unsaved', () => {
    expect(memoryOf(1)).toContain('drafted, not saved yet: recipe temp_1 Rice Bowl')
    expect(memoryOf(1)).toContain('Proposed a plan and awaiting user confirmation.')
    expect(plannerOf(1)).toContain('waits for the user to confirm it: nothing is done.')
    expect(plannerOf(1)).toContain('recipe temp_1 (not saved yet): Rice Bowl')
  })

  it('X0-5 S0-055: gives saved entities database ids, and clears the pending decision', () => {
    expect(memoryOf(2)).toContain('recipe 17 Rice Bowl, recipe 18 Miso Soup')
    expect(memoryOf(2)).toContain('inactive: recipe temp_3 Onion Rice')
    expect(memoryOf(2)).toContain('no pending decision')
    expect(plannerOf(2)).toContain('recipe 17: Rice Bowl')
    expect(plannerOf(2)).not.toContain('temp_')
  })

  it('S0-025 S0-034 S0-043: has digest, history line and theme from the model', () => {
    expect(memoryOf(3)).toContain('digest of the answer, by scripted/model: Wrote the Plan')
    expect(memoryOf(3)).toContain('theme, by scripted/model: Planning the evenings')
    expect(memoryOf(4)).toContain('history line of turn 1, by scripted/model: User asked what')
    expect(stdout).not.toMatch(/history line of turn \d+, by rules/)
  })

  it('S0-057 X0-5 A-004: asks the user, deletes a row, and removes a rejected draft', () => {
    expect(memoryOf(4)).toContain('waits for the user: To which day shall it go?')
    expect(memoryOf(4)).toContain('removed: recipe temp_3 Onion Rice')
    expect(memoryOf(8)).toContain('deleted: recipe 18 Miso Soup')
    expect(plannerOf(8)).not.toContain('recipe 18')
    expect(turns[8]).toContain('3 of them in full and 5 as history lines')
    expect(turns[8]).toContain('"soy sauce"')
  })
})
