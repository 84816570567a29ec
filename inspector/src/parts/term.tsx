/** A word of Throughline with its meaning, for a reader who meets it first. */
const meanings = {
  digest: 'Written by rules, without a model: what older messages say, with anchors to them.',
  ledger:
    'The facts that messages name (files, commands, decisions, values), each with its newest value and its source.',
  'files in work': 'The lines of files that the work continues in.',
  recalled: 'Dropped messages that are shown again, because the question needs them.',
  'cached prefix':
    'The beginning that a request shares with the one before; providers bill it at a lower price.',
} as const

export type TermName = keyof typeof meanings

interface TermProps {
  readonly name: TermName
  /** As the sentence has it. */
  readonly children?: string
}

export function Term({ name, children = name }: TermProps) {
  return (
    <abbr class="term" title={meanings[name]}>
      {children}
    </abbr>
  )
}

/** Any word of the screen, explained if it is one of ours. */
export function Explained({ name }: { readonly name: string }) {
  return isTerm(name) ? <Term name={name} /> : <span>{name}</span>
}

function isTerm(name: string): name is TermName {
  return Object.hasOwn(meanings, name)
}

/** One line, where there is room for it: it needs no pointer. */
export function Meaning({ of }: { readonly of: TermName }) {
  return <p class="soft meaning">{meanings[of]}</p>
}
