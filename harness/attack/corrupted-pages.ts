/**
 * Damages bytes, pages and every column of a database. Each API call must end with an answer or a
 * coded error, `doctor` must end with findings, and it must report every message, title or time
 * that reads differently from what was written.
 */
import { rmSync } from 'node:fs'
import { testFolder } from '../../packages/throughline/test/stores/sqlite-file.ts'
import { chanceOf } from '../kernel/chance.ts'
import type { Attack, AttackReport } from './attack.ts'
import {
  type Contents,
  columnDamages,
  type Damage,
  fillStore,
  pageDamages,
  probe,
  readContents,
} from './damaged-store.ts'
import { runCommand } from './run-command.ts'

export const corruptedPages: Attack = {
  name: 'corrupted-pages',
  run: async ({ seed, whole }) => {
    const folder = testFolder()
    try {
      const intact = folder.file('intact.db')
      const chance = chanceOf(`corrupted-pages/${seed}`)
      await fillStore(intact, chance)
      const columns = columnDamages(intact)
      const damages = [
        ...pageDamages(chance, whole ? 210 : 7),
        ...(whole ? columns : sampled(columns, seed)),
      ]
      return await attackAll(intact, damages, folder.file('damaged.db'))
    } finally {
      folder.remove()
    }
  },
}

/** Columns that only the hash of a row protects, and some others. */
function sampled(columns: readonly Damage[], seed: number): readonly Damage[] {
  const always = [
    'messages SET created_at = 7 ',
    "messages SET key = 'x' ",
    `messages SET marks = '[{"kind":"removed"}]' `,
    "messages SET marks = '[null]' ",
    "conversations SET title = 'x' ",
    'conversations SET fork_pk = 7 ',
  ]
  const some = columns.filter((_, index) => (index + seed) % Math.ceil(columns.length / 8) === 0)
  return [...columns.filter(({ name }) => always.some((part) => name.includes(part))), ...some]
}

async function attackAll(
  intact: string,
  damages: readonly Damage[],
  file: string,
): Promise<AttackReport> {
  const findings: string[] = []
  const written = await readContents(intact)
  let probes = 0
  for (const damage of damages) {
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
    if (!damage.apply(intact, file)) continue
    probes += 1
    const about = await attackOne(file, written)
    findings.push(...about.map((finding) => `${damage.name}: ${finding}`))
  }
  return { probes, findings }
}

async function attackOne(file: string, written: Contents): Promise<readonly string[]> {
  const findings: string[] = []
  const folder = file.slice(0, file.lastIndexOf('/'))
  const doctor = await runCommand(['doctor', '--json'], { store: file, folder })
  if (doctor.exitCode > 1) findings.push(`doctor ends with ${doctor.exitCode}: ${doctor.stderr}`)
  const { raw, contents } = await probe(file)
  findings.push(...raw)
  if (doctor.exitCode === 0 && contents !== null && !isSame(contents, written))
    findings.push(`contents changed, but doctor reports nothing: ${difference(contents, written)}`)
  return findings
}

function isSame(contents: Contents, written: Contents): boolean {
  return JSON.stringify(contents) === JSON.stringify(written)
}

function difference(contents: Contents, written: Contents): string {
  const [found, wanted] = [JSON.stringify(contents), JSON.stringify(written)]
  let at = 0
  while (found[at] === wanted[at]) at += 1
  return `${found.slice(Math.max(0, at - 60), at + 60)} instead of ${wanted.slice(at, at + 60)}`
}
