/**
 * Publishes all packages, each from its packed file, in the order in which they depend on each other.
 *
 *   npm run release                builds, packs and checks; `npm publish --dry-run` for each
 *   npm run release -- --publish   publishes with provenance: only in a CI workflow, for the tag of the version
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { packageFolders, root } from './packages.ts'
import { releaseProblems } from './release-problems.ts'

const { values } = parseArgs({ options: { publish: { type: 'boolean', default: false } } })
const problems = releaseProblems({
  manifests: packageFolders.map((folder) => readFileSync(join(folder, 'package.json'), 'utf8')),
  changelog: readFileSync(join(root, 'CHANGELOG.md'), 'utf8'),
  tag: values.publish ? (process.env['GITHUB_REF_NAME'] ?? '') : null,
})
for (const problem of problems) console.error(problem)
if (problems.length > 0) process.exit(1)

run('node scripts/build.ts')
run('node scripts/pack.ts')
for (const folder of packageFolders) {
  const archive = join(folder, '.cache/package.tgz')
  run(`publint run --strict "${archive}"`)
  const how = values.publish ? '--provenance' : '--dry-run'
  run(`npm publish "${archive}" --access public --loglevel notice ${how}`)
}

function run(command: string): void {
  const { status } = spawnSync(command, { cwd: root, shell: true, stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}
