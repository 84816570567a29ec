/** Renders `docs/requirements-coverage.md`: the requirements of each design, with their tests. */
import type { NamedRequirements, NamingTest } from './requirement-tests.ts'
import type { Requirement } from './requirements.ts'

const designs = [
  ['000', 'Turn memory for an agent that routes, thinks, acts and replies (`turn-memory`)'],
  ['001', 'A chain of structured summaries, by token ratio (`ratio-chain`)'],
  ['002', 'Hard budget, priorities and a digest by rules (`rule-digest`)'],
  ['003', 'Rows of plain text written after the reply (`rolling-rows`)'],
  ['004', 'A running summary next to retrieved documents (`running-rag`)'],
] as const

export function requirementsPage(
  requirements: readonly Requirement[],
  named: NamedRequirements,
): string {
  const beyond = requirements.filter(isBeyond)
  const asked = requirements.filter((each) => !isBeyond(each))
  return [
    '# Requirements of the designs, and their tests',
    '',
    'Throughline combines five published designs. This page lists each of their requirements, in our words, with the',
    'first test that has its id in its name. If designs contradict each other or themselves, the row says what',
    'we do instead, and the test shows that; `X1-2` and `B1-2` number such contradictions and bugs by design, `XC-2` those',
    'between designs. Generated from `docs/requirements.json` and the names of the tests by',
    '`npm run docs`; `npm run check` fails if a requirement has lost its test.',
    '',
    totals(asked, beyond),
    '',
    ...designs.flatMap(([design, title]) => [
      `## Design ${design}: ${title}`,
      '',
      table(
        asked.filter((each) => each.design === design),
        named,
      ),
      '',
    ]),
    '## Beyond the designs',
    '',
    'What the designs leave for later, and what their users asked for.',
    '',
    table(beyond, named),
    '',
  ].join('\n')
}

/** Requirements that a design calls future or optional, and those from outside it. */
function isBeyond({ kind, design }: Requirement): boolean {
  return kind === 'beyond' || design === null
}

function totals(asked: readonly Requirement[], beyond: readonly Requirement[]): string {
  const states = ['tested', 'resolved', 'waits', 'refused', 'missing', 'none'] as const
  const heads = [
    'shown',
    'resolved differently, tested',
    'waits',
    'refused',
    'missing',
    'not testable',
  ]
  const row = (name: string, of: readonly Requirement[]) =>
    `| ${name} | ${of.length} | ${states.map((state) => of.filter((each) => each.state === state).length).join(' | ')} |`
  return [
    `| design | requirements | ${heads.join(' | ')} |`,
    `|---|${'--:|'.repeat(states.length + 1)}`,
    ...designs.map(([design]) =>
      row(
        design,
        asked.filter((each) => each.design === design),
      ),
    ),
    row('beyond', beyond),
    row('all', [...asked, ...beyond]),
  ].join('\n')
}

function table(requirements: readonly Requirement[], named: NamedRequirements): string {
  return [
    '| id | requirement | test, or reason for none |',
    '|---|---|---|',
    ...requirements.map(
      (each) =>
        `| ${each.id} | ${cell(each.text)} | ${cell(outcome(each, named.get(each.id) ?? []))} |`,
    ),
  ].join('\n')
}

function outcome({ kind, state, why }: Requirement, tests: readonly NamingTest[]): string {
  const reason = why === undefined ? '' : why
  switch (state) {
    case 'tested':
      return [reason, shownBy(tests)].filter(Boolean).join(' ')
    case 'resolved':
      return `Resolved: ${reason} ${shownBy(tests)}`
    case 'waits':
      return `Waits for ${reason}`
    case 'refused':
      return `Refused: ${reason}`
    case 'missing':
      return `**Missing**: ${reason}`
    case 'none':
      return reason === '' ? `(${kind})` : `(${kind}) ${reason}`
  }
}

function shownBy([first, ...more]: readonly NamingTest[]): string {
  if (first === undefined) return ''
  const file = first.file.replace(/^packages\/throughline\//, '')
  return `\`${file}\`: ${first.name}${more.length === 0 ? '' : ` (and ${more.length} more)`}`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<')
}
