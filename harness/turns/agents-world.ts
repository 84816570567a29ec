/**
 * The simulated world of an agent: rows of a database, and drafts with temporary ids. It knows no
 * turn memory; it performs random actions and reports them as an agent does after a reply.
 */
import type { EntityInput, EntityUpdateInput } from 'throughline/turns'
import type { Chance } from '../kernel/chance.ts'

interface Known {
  readonly id: string
  readonly type: string
  readonly label: string
}

export class AgentsWorld {
  readonly #chance: Chance
  /** Some agents number their drafts from 1 in every turn. */
  readonly #restartsCount: boolean
  readonly #rows: Known[] = []
  readonly #drafts: Known[] = []
  /** Deleted, discarded or renamed entities, which texts may still name. */
  readonly #former: Known[] = []
  #made = 0
  #written = 1_000
  /** An entity is used once per turn: the result of two actions on it is not specified. */
  #used = new Set<string>()

  constructor(chance: Chance) {
    this.#chance = chance
    this.#restartsCount = chance.once(3)
  }

  beginTurn(): void {
    this.#used = new Set()
    if (this.#restartsCount) this.#made = 0
  }

  /** A current or former name of any entity. */
  mention(): string | null {
    const all = [...this.#rows, ...this.#drafts, ...this.#former.slice(-20)]
    const known = all[this.#chance.below(Math.max(1, all.length))]
    if (known === undefined) return null
    return this.#chance.pick([
      () => known.label,
      () => known.label.toUpperCase(),
      () => known.label.normalize('NFD'),
      () => `(${known.id})`,
      () => known.id,
      () => `#${known.id}`,
      () => `${known.type} ${known.id}`,
    ])()
  }

  /** Performs an action; returns no entities if the world has none for it. */
  does(action: Action): readonly EntityInput[] {
    return this.#actions[action]()
  }

  confirms(): EntityUpdateInput | null {
    const state = this.#chance.pick([
      'active',
      'active',
      'inactive',
      'inactive',
      'pending',
    ] as const)
    if (this.#chance.once(15)) return { id: 'nobody-knows-this', state }
    const known = this.#take(this.#chance.once(3) ? this.#rows : this.#drafts)
    if (known === null) return null
    const { id, type } = known
    return this.#chance.once(2) ? { id, type, state } : { id, state }
  }

  readonly #actions: Readonly<Record<Action, () => readonly EntityInput[]>> = {
    generates: () => this.#some(4, () => this.#draft('generate')),
    analyzes: () => this.#some(2, () => this.#draft('analyze')),
    reads: () => this.#some(this.#chance.once(6) ? 12 : 4, () => this.#read()),
    saves: () => this.#some(4, () => this.#save(true)),
    'fails-to-save': () => this.#some(2, () => this.#save(false)),
    'generates-and-saves': () => this.#generateAndSave(),
    writes: () => this.#some(2, () => this.#write()),
    updates: () => this.#some(3, () => this.#update()),
    deletes: () => this.#some(2, () => this.#delete()),
    discards: () => this.#some(2, () => this.#discard()),
    replaces: () => this.#some(2, () => this.#replace()),
    redrafts: () => this.#some(2, () => this.#redraft()),
    renames: () => this.#some(1, () => this.#rename()),
    'links-late': () => this.#linkLate(),
    'lies-of-a-write': () => this.#some(1, () => this.#lie()),
  }

  #some(most: number, make: () => EntityInput | null): readonly EntityInput[] {
    return this.#chance.times(this.#chance.between(1, most), make).filter((made) => made !== null)
  }

  #draft(source: 'generate' | 'analyze'): EntityInput {
    this.#made += 1
    const id = this.#chance.pick([
      `temp_${this.#made}`,
      `temp_${this.#made}`,
      `tmp-${this.#made}`,
      `gen_recipe_${this.#made}`,
      `TEMP-${this.#made}`,
    ])
    const { type, label } = this.#named()
    this.#forget(this.#drafts, id)
    this.#drafts.push({ id, type, label })
    this.#used.add(id)
    const isQuick = this.#chance.once(12)
    const data = { servings: this.#chance.between(1, 9), note: label }
    return { id, type, label, source, data, ...(isQuick && { state: 'active' }) }
  }

  #save(succeeded: boolean): EntityInput | null {
    const draft = this.#take(this.#drafts)
    if (draft === null) return null
    const { type, label } = draft
    const id = this.#newId()
    const saved = { id, formerId: draft.id, type, label, source: 'db_write', succeeded } as const
    if (succeeded) {
      this.#forget(this.#drafts, draft.id)
      this.#former.push(draft)
      this.#rows.push({ id: String(id), type, label })
    }
    return this.#chance.once(2) ? { ...saved, action: 'create' } : saved
  }

  #generateAndSave(): readonly EntityInput[] {
    const draft = this.#draft('generate')
    const id = this.#newId()
    const { type, label } = draft
    this.#forget(this.#drafts, String(draft.id))
    this.#former.push({ id: String(draft.id), type, label })
    this.#rows.push({ id: String(id), type, label })
    return [draft, { id, formerId: draft.id, type, label, source: 'db_write', action: 'create' }]
  }

  /** A row that was never reported as a draft. */
  #write(): EntityInput {
    const id = this.#newId()
    const { type, label } = this.#named()
    this.#rows.push({ id: String(id), type, label })
    return { id, type, label, source: 'db_write', action: 'create' }
  }

  #read(): EntityInput | null {
    if (this.#rows.length < 3 || this.#chance.once(4)) {
      const id = this.#newId()
      const { type, label } = this.#named()
      this.#rows.push({ id: String(id), type, label })
      return { id, type, label, source: 'db_read' }
    }
    const row = this.#take(this.#rows)
    return row === null ? null : { ...row, source: 'db_read', subdomain: 'recipes' }
  }

  #update(): EntityInput | null {
    const row = this.#take(this.#rows)
    if (row === null) return null
    const label = this.#chance.once(2) ? this.#named().label : row.label
    this.#forget(this.#rows, row.id)
    this.#rows.push({ ...row, label })
    const written = { ...row, label, source: 'db_write' } as const
    return this.#chance.once(2) ? { ...written, action: 'update' } : written
  }

  #delete(): EntityInput | null {
    const row = this.#take(this.#rows)
    if (row === null) return null
    const succeeded = !this.#chance.once(4)
    if (succeeded) {
      this.#forget(this.#rows, row.id)
      this.#former.push(row)
    }
    return { ...row, source: 'db_write', action: 'delete', succeeded }
  }

  #discard(): EntityInput | null {
    const draft = this.#take(this.#drafts)
    if (draft === null) return null
    this.#forget(this.#drafts, draft.id)
    this.#former.push(draft)
    return { ...draft, source: 'generate', action: 'delete' }
  }

  /** A draft or a new row replaces a row or a draft. */
  #replace(): EntityInput | null {
    const other = this.#take(this.#chance.once(2) ? this.#rows : this.#drafts)
    if (other === null) return null
    const one = this.#chance.once(2) ? this.#draft('generate') : this.#write()
    return { ...one, replaces: other.id }
  }

  /** The same draft again, or a draft of a row. */
  #redraft(): EntityInput | null {
    const known = this.#take(this.#chance.once(3) ? this.#rows : this.#drafts)
    if (known === null) return null
    const label = this.#chance.once(2) ? known.label : this.#named().label
    return { ...known, label, source: 'generate' }
  }

  /** Gives a row a new id. */
  #rename(): EntityInput | null {
    const row = this.#take(this.#rows)
    if (row === null) return null
    const id = this.#newId()
    this.#forget(this.#rows, row.id)
    this.#former.push(row)
    this.#rows.push({ ...row, id: String(id) })
    return { ...row, id, formerId: row.id, source: 'db_write', action: 'update' }
  }

  /** Reports much later which draft a known row was. */
  #linkLate(): readonly EntityInput[] {
    const draft = this.#take(this.#drafts)
    const row = this.#take(this.#rows)
    if (draft === null || row === null) return []
    this.#forget(this.#drafts, draft.id)
    this.#former.push(draft)
    return [{ ...row, formerId: draft.id, source: 'db_write', action: 'update' }]
  }

  /** Reports a write, but with a temporary id. */
  #lie(): EntityInput {
    const { id, ...draft } = this.#draft('generate')
    this.#forget(this.#drafts, String(id))
    return { ...draft, id: `temp_lie_${this.#made}`, source: 'db_write', action: 'create' }
  }

  #newId(): string | number {
    this.#written += 1
    const id = this.#chance.pick<string | number>([
      this.#written,
      `rec-${this.#written}`,
      `Row:${this.#written}`,
      `0f3a9c1e-77b2-4d5e-9a61-00000000${this.#written}`,
    ])
    this.#used.add(String(id))
    return id
  }

  #named(): Omit<Known, 'id'> {
    const label = `${this.#chance.pick(firsts)} ${this.#chance.pick(lasts)}`
    return { type: this.#chance.pick(types), label }
  }

  #take(from: readonly Known[]): Known | null {
    const free = from.filter(({ id }) => !this.#used.has(id))
    // Recent entities are preferred, so that several turns use the same ones.
    const candidates = this.#chance.once(3) ? free : free.slice(-6)
    const known = candidates[this.#chance.below(Math.max(1, candidates.length))] ?? null
    if (known !== null) this.#used.add(known.id)
    return known
  }

  #forget(from: Known[], id: string): void {
    const at = from.findIndex((known) => known.id === id)
    if (at >= 0) from.splice(at, 1)
  }
}

export type Action =
  | 'generates'
  | 'analyzes'
  | 'reads'
  | 'saves'
  | 'fails-to-save'
  | 'generates-and-saves'
  | 'writes'
  | 'updates'
  | 'deletes'
  | 'discards'
  | 'replaces'
  | 'redrafts'
  | 'renames'
  | 'links-late'
  | 'lies-of-a-write'

const types = ['recipe', 'recipe', 'recipe', 'recipe', 'meal_plan', 'task'] as const
const firsts = [
  'Smoky',
  'Green',
  'Crispy',
  'Slow',
  'Miso',
  'Crème',
  'Übernacht',
  'Winter',
  '香辣',
] as const
const lasts = [
  'Bean Stew',
  'Stew',
  'Rice Bowl',
  'Noodle Soup',
  'Brûlée',
  'Risotto 2',
  '炒饭',
  'Loaf',
] as const
