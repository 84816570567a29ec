/**
 * English verbs of deeds that change something beyond the answer, so that nobody may tell one
 * that nobody did. Verbs of a line tell the same deed in other words. Behind `~` stand those
 * that bear a deed out and are not held to it themselves: to have made a suggestion is no deed.
 */
const lines = {
  save: 'save store record log/logged register persist insert add ~put/put ~keep/kept',
  create:
    'create insert add build/built ~design ~generate ~write/wrote/written ~draft ~compose ~produce ~develop ~prepare ~make/made',
  delete: 'delete remove erase clear discard ~drop/dropped',
  update: 'update change modify edit ~adjust ~revise ~correct ~fix ~rename ~replace ~move',
  confirm: 'confirm approve accept ~agree',
  reject: 'reject decline',
  complete: 'complete finish ~do/did/done',
  order: 'order buy/bought purchase',
  send: 'send/sent email mail',
  book: 'book schedule reserve',
  cancel: 'cancel/cancelled/canceled',
  publish: 'publish deploy release launch ship/shipped',
  rename: 'rename',
  replace: 'replace',
  move: 'move transfer',
  copy: 'copy duplicate',
  fix: 'fix repair',
  merge: 'merge',
  migrate: 'migrate',
  install: 'install',
  implement: 'implement',
  import: 'import',
  export: 'export',
  upload: 'upload',
  download: 'download',
  submit: 'submit/submitted',
  archive: 'archive',
  restore: 'restore',
  pay: 'pay/paid',
} as const

export type DeedKind = keyof typeof lines

/** The kinds of which a text that has the word is held to tell the truth. */
export function heldKinds(word: string): readonly DeedKind[] {
  return held.get(word) ?? []
}

/** The kinds that the word bears out, in its past form. */
export function pastKinds(word: string): readonly DeedKind[] {
  return past.get(word) ?? []
}

/** The same where it says what is going on (`saving`), or what to do (`save`). */
export function ongoingKinds(word: string): readonly DeedKind[] {
  return ongoing.get(word) ?? []
}

export function plainKinds(word: string): readonly DeedKind[] {
  return plain.get(word) ?? []
}

type KindsOfWords = Map<string, DeedKind[]>
const held: KindsOfWords = new Map()
const past: KindsOfWords = new Map()
const ongoing: KindsOfWords = new Map()
const plain: KindsOfWords = new Map()

for (const [kind, verbs] of Object.entries(lines) as [DeedKind, string][])
  for (const verb of verbs.split(' ')) {
    const [base = '', ...irregular] = verb.replace('~', '').split('/')
    const pasts = irregular.length > 0 ? irregular : [regularPast(base)]
    for (const word of pasts) {
      note(past, word, kind)
      if (!verb.startsWith('~')) note(held, word, kind)
    }
    note(plain, base, kind)
    note(ongoing, ongoingForm(base, pasts), kind)
  }

function note(kinds: KindsOfWords, word: string, kind: DeedKind): void {
  kinds.set(word, [...(kinds.get(word) ?? []), kind])
}

function regularPast(base: string): string {
  if (base.endsWith('e')) return `${base}d`
  return /[^aeiou]y$/.test(base) ? `${base.slice(0, -1)}ied` : `${base}ed`
}

/** Letters that are doubled for the past are doubled here as well. */
function ongoingForm(base: string, [first = '']: readonly string[]): string {
  const doubled = first === `${base}${base.at(-1)}ed` ? base.slice(-1) : ''
  return `${base.replace(/e$/, '')}${doubled}ing`
}
