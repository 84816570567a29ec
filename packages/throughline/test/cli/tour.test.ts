import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { compiledBefore, spawned } from './spawned.ts'

const launcher = join(import.meta.dirname, '../../bin/throughline.js')

it('the tour runs every command that it shows, and ends with a session of yours', async () => {
  const home = mkdtempSync(join(tmpdir(), 'throughline-tour-test-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  const sessions = join(home, '.claude/projects/shop')
  mkdirSync(sessions, { recursive: true })
  writeFileSync(join(sessions, 'newest.jsonl'), 'this is not read')
  const { code, stdout, stderr } = await spawned(
    process.execPath,
    [launcher, 'tour', '--turns', '12'],
    // Settings of the user would change what is shown.
    {
      env: {
        ...compiledBefore,
        ...{ HOME: home, THROUGHLINE_MODEL: 'unknown/model', THROUGHLINE_STORE: '/nowhere/a.db' },
      },
    },
  ).ended()
  expect(code, stderr).toBe(0)
  const shown = stdout.match(/(?<=^\$ throughline )\w+/gm)
  expect(shown).toEqual(['import', 'replay', 'context', 'recall', 'expand', 'compact', 'undo'])
  expect(stdout).toMatch(/invalid requests +0 /)
  expect(stdout.split('port 47113').length).toBeGreaterThan(3)
  expect(stdout).toContain('npx throughline replay ~/.claude/projects/shop/newest.jsonl')
}, 60_000)
