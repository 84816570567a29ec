/** The tools of the agent. Each returns its step and the entities that it created or changed. */
import type { EntityInput, EntityUpdateInput, StepInput } from 'throughline/turns'
import type { Database, Row } from './database.ts'

/** A step of a plan: a tool and its arguments. */
export interface PlannedStep {
  readonly tool: keyof typeof tools
  readonly names: readonly string[]
}

export interface Done {
  readonly step: StepInput
  readonly entities: readonly EntityInput[]
  readonly updates: readonly EntityUpdateInput[]
}

/** Unsaved drafts: their names with temporary ids. */
export type Drafts = Map<string, string>

type Tool = (names: readonly string[], database: Database, drafts: Drafts) => Done

export const tools = {
  draft: (names, _database, drafts) => {
    const entities = names.map((label): EntityInput => {
      const id = `temp_${drafts.size + 1}`
      drafts.set(label, id)
      return { id, type: 'recipe', label, source: 'generate', data: { steps: 'cook and season' } }
    })
    return done(`draft ${names.length} recipes`, entities, entities)
  },
  reject: (names, _database, drafts) => ({
    step: { description: `leave ${names.join(', ')} out`, result: null },
    entities: [],
    updates: names.map((name) => ({ id: drafts.get(name) ?? name, state: 'inactive' })),
  }),
  save: (names, database, drafts) => {
    const rows = names.map((name) => database.insert({ type: 'recipe', name, body: 'to cook' }))
    const entities = rows.map((row): EntityInput => {
      const formerId = drafts.get(row.name) ?? null
      return { ...entityOf(row, 'db_write'), action: 'create', formerId }
    })
    return done(`save ${names.join(' and ')}`, rows, entities)
  },
  read: (_names, database) => {
    const rows = database.all('recipe')
    return done(
      'read the recipes',
      rows,
      rows.map((row) => entityOf(row, 'db_read')),
    )
  },
  plan: (names, database) => {
    const [name = '', ...days] = names
    const row = database.insert({ type: 'meal_plan', name, body: days.join('; ') })
    return done(`write the plan ${name}`, row, [{ ...entityOf(row, 'db_write'), action: 'create' }])
  },
  change: (names, database) => {
    const [name = '', ...days] = names
    const row = database.update(database.named(name).id, days.join('; '))
    return done(`change ${name}`, row, [{ ...entityOf(row, 'db_write'), action: 'update' }])
  },
  shop: (names, database) => {
    const [name = '', ...items] = names
    const row = database.insert({ type: 'task', name, body: items.join(', ') })
    return done(`write the list ${name}`, items, [
      { ...entityOf(row, 'db_write'), action: 'create' },
    ])
  },
  delete: (names, database) => {
    const rows = names.map((name) => database.named(name))
    for (const { id } of rows) database.delete(id)
    const entities = rows.map(
      (row): EntityInput => ({ ...entityOf(row, 'db_write'), action: 'delete' }),
    )
    return done(`delete ${names.join(' and ')}`, null, entities)
  },
} satisfies Readonly<Record<string, Tool>>

function done(description: string, result: unknown, entities: readonly EntityInput[]): Done {
  const entityIds = entities.map(({ id }) => id)
  return { step: { description, result, entityIds }, entities, updates: [] }
}

function entityOf({ id, type, name }: Row, source: 'db_read' | 'db_write'): EntityInput {
  return { id, type, label: name, source }
}
