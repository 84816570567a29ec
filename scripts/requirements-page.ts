/** `docs/requirements-coverage.md`: what each design asks for, and where it is shown. Pure. */
import type { NamedRequirements, NamingTest } from './requirement-tests.ts'
import type { Requirement } from './requirements.ts'

const designs = [
  ['000', 'Memory of turns for an agent that routes, thinks, acts and replies (`turn-memory`)'],
  ['001', 'Structured summaries in a chain, by token ratio (`ratio-chain`)'],
  ['002', 'Hard budget, priorities and lines by rules (`rule-digest`)'],
  ['003', 'Rows of plain text behind the reply (`rolling-rows`)'],
  ['004', 'A running summary beside documents (`running-rag`)'],
] as const

export function requirementsPage(
  requirements: readonly Requirement[],
  named: NamedRequirements,
): string {
  const beyond = requirements.filter(isBeyond)
  const asked = requirements.filter((each) => !isBeyond(each))
  return [
    '# What the designs ask for, and where it is shown',
    '',
    'Throughline unites five published designs. Each of their requirements is listed here, in our words, with the',
    'first test that carries its id in its name. Where designs contradict each other or themselves, the row says what',
    'we do instead, and the test shows that; `X1-2` and `B1-2` number such contradictions and bugs by design, `XC-2` those',
    'between designs. Made from `docs/requirements.json` and the names of the tests by',
    '`npm run docs`; `npm run check` fails where a requirement has lost its test.',
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
    'What they leave for later, and what their users asked for.',
    '',
    table(beyond, named),
    '',
  ].join('\n')
}

/** What a design itself calls future or optional, and what came from outside of it. */
function isBeyond({ kind, design }: Requirement): boolean {
  return kind === 'beyond' || design === null
}

function totals(asked: readonly Requirement[], beyond: readonly Requirement[]): string {
  const states = ['tested', 'resolved', 'waits', 'refused', 'missing', 'none'] as const
  const heads = [
    'shown',
    'resolved otherwise, and shown',
    'waits',
    'refused',
    'missing',
    'no test can show it',
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
    '| id | what | shown by, or why not |',
    '|---|---|---|',
    ...requirements.map(
      (each) =>
        `| ${each.id} | ${cell(each.text)} | ${cell(outcome(each, named.get(each.id) ?? []))} |`,
    ),
  ].join('\n')
}

function outcome({ kind, state, why }: Requirement, tests: readonly NamingTest[]): string {
  const said = why === undefined ? '' : why
  switch (state) {
    case 'tested':
      return [said, shownBy(tests)].filter(Boolean).join(' ')
    case 'resolved':
      return `Resolved: ${said} ${shownBy(tests)}`
    case 'waits':
      return `Waits for ${said}`
    case 'refused':
      return `Refused: ${said}`
    case 'missing':
      return `**Missing**: ${said}`
    case 'none':
      return said === '' ? `(${kind})` : `(${kind}) ${said}`
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
