/** Why a release must not be published. */

export interface ReleaseFiles {
  /** Texts of the `package.json` of every package. */
  readonly manifests: readonly string[]
  readonly changelog: string
  /** The tag from which it is published; null for a dry run. */
  readonly tag: string | null
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly private?: boolean
  readonly dependencies?: Readonly<Record<string, string>>
  readonly peerDependencies?: Readonly<Record<string, string>>
}

export function releaseProblems({ manifests, changelog, tag }: ReleaseFiles): readonly string[] {
  const packages = manifests.map((text) => JSON.parse(text) as Manifest)
  const names = packages.map(({ name }) => name)
  const version = packages[0]?.version ?? ''
  const problems = packages.flatMap((each) => {
    const uses = Object.entries({ ...each.dependencies, ...each.peerDependencies })
    return [
      ...(each.private ? [`${each.name} is private`] : []),
      ...(each.version === version
        ? []
        : [`${each.name} has version ${each.version}, not ${version}`]),
      ...uses
        .filter(([name, wanted]) => names.includes(name) && wanted !== version)
        .map(([name, wanted]) => `${each.name} wants ${name} ${wanted}, not ${version}`),
    ]
  })
  const section = changelog.split(/^## /m).find((text) => text.startsWith(`${version} `)) ?? ''
  if (section === '') problems.push(`CHANGELOG.md has no section for ${version}`)
  else
    for (const name of names)
      if (!section.includes(`### ${name}\n`))
        problems.push(`the section of CHANGELOG.md for ${version} has nothing on ${name}`)
  if (tag !== null && tag !== `v${version}`) problems.push(`the tag is "${tag}", not v${version}`)
  return problems
}
