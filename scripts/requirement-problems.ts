/** What is wrong with the list of requirements, or with the tests that should show them. Pure. */
import type { NamedRequirements } from './requirement-tests.ts'
import type { Requirement } from './requirements.ts'

/** Purposes, work plans, limits of scope, questions and ideas: no test can fail for them. */
const kindsWithoutTest: readonly string[] = [
  'role',
  'process',
  'nongoal',
  'open question',
  'beyond',
]

export function requirementProblems(
  requirements: readonly Requirement[],
  named: NamedRequirements,
  sizes: Readonly<Record<string, number>>,
): readonly string[] {
  const ids = requirements.map(({ id }) => id)
  const expected = Object.entries(sizes).flatMap(([series, size]) =>
    Array.from({ length: size }, (_, at) => `${series}-${String(at + 1).padStart(3, '0')}`),
  )
  return [
    ...expected.filter((id) => !ids.includes(id)).map((id) => `${id} is not in the list`),
    ...ids.filter((id) => !expected.includes(id)).map((id) => `${id} is no requirement`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is there twice`),
    ...[...named]
      .filter(([id]) => !expected.includes(id))
      .map(([id, tests]) => `${id} is no requirement: "${tests[0]?.name}" in ${tests[0]?.file}`),
    ...requirements.flatMap((requirement) => problemOf(requirement, named) ?? []),
  ]
}

function problemOf(
  { id, kind, text, state, why }: Requirement,
  named: NamedRequirements,
): string | null {
  const shown = named.has(id)
  if (text.trim() === '') return `${id} does not say what it is`
  switch (state) {
    case 'tested':
      return shown ? null : `${id} has no test: ${text}`
    case 'resolved':
      if (!why) return `${id} does not say how it was resolved`
      return shown ? null : `${id} has no test of what we do instead: ${text}`
    case 'waits':
    case 'refused':
    case 'missing':
      if (!why) return `${id} does not say why`
      return shown ? `${id} is said to be absent, and a test names it` : null
    case 'none':
      if (!kindsWithoutTest.includes(kind)) return `${id} needs a test: ${text}`
      return shown ? `${id} is said to have no test, and one names it` : null
  }
}
