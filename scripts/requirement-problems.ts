/** Finds problems in the list of requirements and in the tests that should cover them. */
import type { NamedRequirements } from './requirement-tests.ts'
import type { Requirement } from './requirements.ts'

/** Kinds that no test can fail for: purposes, plans, limits of scope, questions and ideas. */
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
    ...ids.filter((id) => !expected.includes(id)).map((id) => `${id} is not a requirement`),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${id} is listed twice`),
    ...[...named]
      .filter(([id]) => !expected.includes(id))
      .map(([id, tests]) => `${id} is not a requirement: "${tests[0]?.name}" in ${tests[0]?.file}`),
    ...requirements.flatMap((requirement) => problemOf(requirement, named) ?? []),
  ]
}

function problemOf(
  { id, kind, text, state, why }: Requirement,
  named: NamedRequirements,
): string | null {
  const shown = named.has(id)
  if (text.trim() === '') return `${id} has no text`
  switch (state) {
    case 'tested':
      return shown ? null : `${id} has no test: ${text}`
    case 'resolved':
      if (!why) return `${id} does not say how it was resolved`
      return shown ? null : `${id} has no test of the alternative: ${text}`
    case 'refused':
      if (!why) return `${id} does not say why`
      return shown ? `${id} is listed as absent, but a test names it` : null
    case 'none':
      if (!kindsWithoutTest.includes(kind)) return `${id} needs a test: ${text}`
      if (!why) return `${id} does not say why it cannot be tested`
      return shown ? `${id} is listed as untestable, but a test names it` : null
  }
}
