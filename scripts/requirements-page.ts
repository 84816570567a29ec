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
    'first test that has its id in its name; tests of the public API come first. Each row has one of four states:',
    '',
    '- **Tested**: a test fails if the requirement is broken.',
    '- **Resolved otherwise**: the designs contradict each other or themselves; the row says what we do instead, and a test shows it.',
    '  `X1-2` and `B1-2` number contradictions and bugs by design, `XC-2` those between designs.',
    '- **Refused**: the package does not do it; the row says why.',
    '- **Cannot be tested**: no program could show it; the row says why.',
    '',
    'Generated from `docs/requirements.json` and the names of the tests by',
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
  const states = ['tested', 'resolved', 'refused', 'none'] as const
  const heads = ['tested', 'resolved otherwise', 'refused', 'cannot be tested']
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

function outcome({ state, why = '' }: Requirement, tests: readonly NamingTest[]): string {
  switch (state) {
    case 'tested':
      return ['Tested:', why, shownBy(tests)].filter(Boolean).join(' ')
    case 'resolved':
      return `Resolved otherwise: ${why} ${shownBy(tests)}`
    case 'refused':
      return `Refused: ${why}`
    case 'none':
      return `Cannot be tested: ${why}`
  }
}

/** Tests of shipped presets and of the public API say most, so they come before unit tests. */
const testOrder = [/\/test\/conformance\//, /\/test\//, /^harness\//, /\/src\//]

function shownBy(tests: readonly NamingTest[]): string {
  const rank = ({ file }: NamingTest) => testOrder.findIndex((folder) => folder.test(file)) >>> 0
  const [first, ...more] = tests.toSorted((left, right) => rank(left) - rank(right))
  if (first === undefined) return ''
  const file = first.file.replace(/^packages\/throughline\//, '')
  return `\`${file}\`: ${first.name}${more.length === 0 ? '' : ` (and ${more.length} more)`}`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('<', '\\<')
}
